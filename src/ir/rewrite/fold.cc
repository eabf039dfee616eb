#include "ir/rewrite/fold.h"

#include <array>

#include "ir/native.h"
#include "ir/ops.h"
#include "ir/semantics.h"

namespace vyre::ir {
namespace {

using Bits = std::optional<std::uint64_t>;

template <class T>
Bits apply(Op op, const std::array<std::uint64_t, 3>& operands) {
  [[maybe_unused]] const T a = from_bits<T>(operands[0]);
  [[maybe_unused]] const T c = from_bits<T>(operands[2]);
  switch (op) {
#define VYRE_OP(name, arity, rule, spelling, meaning)                                \
  case Op::name:                                                                     \
    if constexpr (takes<T>(Rule::rule)) {                                            \
      [[maybe_unused]] const auto b = from_bits<Second<T, Rule::rule>>(operands[1]); \
      return to_bits(meaning);                                                       \
    } else {                                                                         \
      return std::nullopt;                                                           \
    }
#include "vyre/ops.def"
    default:
      return std::nullopt;
  }
}

Bits convert(Scalar from, Scalar to, std::uint64_t bits) {
  return with_type(from, [&](auto source) -> Bits {
    using From = decltype(source);
    return with_type(to, [&](auto target) -> Bits {
      return to_bits(total_cast<decltype(target)>(from_bits<From>(bits)));
    });
  });
}

// Drops the bits that do not belong to the type.
Bits truncate(Scalar scalar, std::uint64_t bits) {
  return with_type(scalar, [&](auto t) -> Bits { return to_bits(from_bits<decltype(t)>(bits)); });
}

struct Folder {
  std::span<const Expr> exprs;
  std::span<const Buffer> buffers;
  SymbolBits symbols;

  Bits value(ExprId id) const {
    const Expr& e = exprs[id];
    if (is_vector(e.type)) return std::nullopt;
    switch (e.op) {
      case Op::constant:
        return truncate(e.type.scalar, e.bits);
      case Op::symbol:
        if (e.index >= symbols.size() || !symbols[e.index]) return std::nullopt;
        return truncate(e.type.scalar, *symbols[e.index]);
      case Op::length:
        return length(e.index);
      case Op::select:
        return select(e);
      case Op::cast:
      case Op::bitcast:
        return cast(e);
      default:
        return in_table(e.op) ? table_op(e) : std::nullopt;
    }
  }

  // A length uses no other lengths, so this ends once the buffers are left out.
  Bits length(std::uint32_t buffer) const {
    if (buffer >= buffers.size() || buffers[buffer].length >= exprs.size()) return std::nullopt;
    return Folder{exprs, {}, symbols}.value(buffers[buffer].length);
  }

  // The arm that is not taken may be unknown: every operation is total, so it cannot change the
  // result.
  Bits select(const Expr& e) const {
    const Bits condition = value(e.args[0]);
    return condition ? value(e.args[*condition != 0 ? 1 : 2]) : std::nullopt;
  }

  Bits cast(const Expr& e) const {
    const Bits operand = value(e.args[0]);
    if (!operand) return std::nullopt;
    if (e.op == Op::bitcast) return truncate(e.type.scalar, *operand);
    return convert(exprs[e.args[0]].type.scalar, e.type.scalar, *operand);
  }

  Bits table_op(const Expr& e) const {
    std::array<std::uint64_t, 3> operands{};
    for (std::uint32_t i = 0; i < operand_count(e); ++i) {
      const Bits operand = value(e.args[i]);
      if (!operand) return std::nullopt;
      operands[i] = *operand;
    }
    const Scalar scalar = exprs[e.args[0]].type.scalar;
    return with_type(scalar, [&](auto t) { return apply<decltype(t)>(e.op, operands); });
  }

  bool is_exact(ExprId id) const {
    const Expr& e = exprs[id];
    if (e.op == Op::select) {
      const Bits condition = value(e.args[0]);
      return condition && is_exact(e.args[0]) && is_exact(e.args[*condition != 0 ? 1 : 2]);
    }
    for (std::uint32_t i = 0; i < operand_count(e); ++i) {
      if (!is_exact(e.args[i])) return false;
    }
    const bool may_wrap = e.op == Op::add || e.op == Op::sub || e.op == Op::mul;
    return may_wrap && is_integer(e.type) ? does_not_wrap(e) : value(id).has_value();
  }

  bool does_not_wrap(const Expr& e) const {
    const Bits a = value(e.args[0]);
    const Bits b = value(e.args[1]);
    if (!a || !b) return false;
    return with_type(e.type.scalar, [&](auto t) {
      using T = decltype(t);
      if constexpr (std::is_same_v<T, bool> || std::is_floating_point_v<T>) {
        return false;
      } else {
        T out{};
        const T x = from_bits<T>(*a);
        const T y = from_bits<T>(*b);
        if (e.op == Op::add) return !__builtin_add_overflow(x, y, &out);
        if (e.op == Op::sub) return !__builtin_sub_overflow(x, y, &out);
        return !__builtin_mul_overflow(x, y, &out);
      }
    });
  }
};

}  // namespace

Bits fold(const Program& program, ExprId expr, SymbolBits symbols) {
  return Folder{program.exprs, program.buffers, symbols}.value(expr);
}

bool folds_exactly(const Program& program, ExprId expr, SymbolBits symbols) {
  return Folder{program.exprs, program.buffers, symbols}.is_exact(expr);
}

Bits fold(const SequenceDef& sequence, ExprId expr, SymbolBits symbols) {
  return Folder{sequence.exprs, sequence.buffers, symbols}.value(expr);
}

std::vector<Bits> default_bits(std::span<const Symbol> symbols) {
  std::vector<Bits> out;
  out.reserve(symbols.size());
  for (const Symbol& s : symbols) {
    out.push_back(s.kind == SymbolKind::tunable ? Bits(s.default_bits) : std::nullopt);
  }
  return out;
}

}  // namespace vyre::ir
