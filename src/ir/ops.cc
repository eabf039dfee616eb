#include "ir/ops.h"

#include <algorithm>
#include <array>

#include "base/check.h"

namespace vyre::ir {
namespace {

// A C++ keyword among the names carries a trailing underscore (and_): the text form drops it.
constexpr std::string_view text_name(std::string_view name) {
  return name.ends_with('_') ? name.substr(0, name.size() - 1) : name;
}

constexpr std::array kTable = {
#define VYRE_OP(name, arity, rule, c, meaning) OpInfo{text_name(#name), arity, Rule::rule, c},
#include "vyre/ops.def"
};

constexpr std::array kTableOps = {
#define VYRE_OP(name, arity, rule, c, meaning) Op::name,
#include "vyre/ops.def"
};

constexpr std::array<std::string_view, 6> kScalarNames{"bool", "u32", "i32", "u64", "i64", "f32"};
constexpr std::array<std::string_view, kIdKinds> kIdNames{"global_id",   "local_id",   "group_id",
                                                          "global_size", "local_size", "groups"};
constexpr std::array<std::string_view, 5> kAtomicNames{"add", "min", "max", "exchange",
                                                       "compare_exchange"};
constexpr std::array<std::string_view, 5> kAccessNames{"read", "read_write", "write", "local",
                                                       "private"};
constexpr std::array<std::string_view, 3> kSymbolNames{"shape", "scalar", "tunable"};

template <class Enum, std::size_t n>
std::string_view name_in(const std::array<std::string_view, n>& names, Enum value) {
  const auto i = static_cast<std::size_t>(value);
  return i < n ? names[i] : "?";
}

template <class Enum, std::size_t n>
std::optional<Enum> find_in(const std::array<std::string_view, n>& names, std::string_view name) {
  const auto it = std::ranges::find(names, name);
  if (it == names.end()) return std::nullopt;
  return static_cast<Enum>(it - names.begin());
}

bool accepts(Rule rule, Type t) {
  switch (rule) {
    case Rule::number:
      return t.scalar != Scalar::boolean;
    case Rule::integer:
      return is_integer(t);
    case Rule::signed_:
      return is_signed(t.scalar) || is_float(t);
    case Rule::bits:
      return !is_float(t);
    case Rule::shift:
      return is_integer(t) && !is_vector(t);
    case Rule::equality:
      return !is_vector(t);
    case Rule::order:
      return t.scalar != Scalar::boolean && !is_vector(t);
    case Rule::real:
      return is_float(t);
    case Rule::classify:
      return is_float(t) && !is_vector(t);
  }
  return false;
}

}  // namespace

const OpInfo& info(Op op) {
  VYRE_CHECK(in_table(op) && op <= kTableOps.back());
  return kTable[static_cast<std::size_t>(op) - static_cast<std::size_t>(kFirstTableOp)];
}

std::optional<Op> find_op(std::string_view name) {
  for (const Op op : kTableOps) {
    if (info(op).name == name) return op;
  }
  return std::nullopt;
}

std::span<const Op> table_ops() { return kTableOps; }

std::uint32_t operand_count(const Expr& expr) {
  switch (expr.op) {
    case Op::constant:
    case Op::symbol:
    case Op::variable:
    case Op::id:
    case Op::length:
      return 0;
    case Op::load:
    case Op::extract:
    case Op::cast:
    case Op::bitcast:
      return 1;
    case Op::select:
      return 3;
    case Op::vector:
      return expr.type.width <= 4 ? expr.type.width : 4;
    default:
      return info(expr.op).arity;
  }
}

std::optional<Type> result_type(Op op, std::span<const Type> operands) {
  if (op == Op::select) {
    const bool fits = operands.size() == 3 && operands[0] == kBool && operands[1] == operands[2];
    return fits ? std::optional(operands[1]) : std::nullopt;
  }
  if (!in_table(op) || operands.size() != info(op).arity) return std::nullopt;
  const Rule rule = info(op).rule;
  const Type first = operands[0];
  if (!accepts(rule, first)) return std::nullopt;
  if (rule == Rule::shift) {
    return operands[1] == kU32 ? std::optional(first) : std::nullopt;
  }
  if (!std::ranges::all_of(operands, [&](Type t) { return t == first; })) return std::nullopt;
  const bool compares = rule == Rule::equality || rule == Rule::order || rule == Rule::classify;
  return compares ? kBool : first;
}

std::string_view describe(Rule rule) {
  switch (rule) {
    case Rule::number:
      return "numbers of one type";
    case Rule::integer:
      return "integers of one type";
    case Rule::signed_:
      return "an i32, i64 or f32";
    case Rule::bits:
      return "integers or bools of one type";
    case Rule::shift:
      return "an integer and a u32 count";
    case Rule::equality:
      return "two scalars of one type";
    case Rule::order:
      return "two numbers of one type";
    case Rule::real:
      return "f32 or vectors of f32";
    case Rule::classify:
      return "an f32";
  }
  return "other operands";
}

std::string_view name_of(Scalar scalar) { return name_in(kScalarNames, scalar); }
std::optional<Scalar> find_scalar(std::string_view name) {
  return find_in<Scalar>(kScalarNames, name);
}
std::string_view name_of(IdKind kind) { return name_in(kIdNames, kind); }
std::optional<IdKind> find_id_kind(std::string_view name) {
  return find_in<IdKind>(kIdNames, name);
}
std::string_view name_of(AtomicOp op) { return name_in(kAtomicNames, op); }
std::string_view name_of(Access access) { return name_in(kAccessNames, access); }
std::string_view name_of(SymbolKind kind) { return name_in(kSymbolNames, kind); }

std::uint32_t element_bytes(const Buffer& buffer) {
  return buffer.opaque_bytes > 0 ? buffer.opaque_bytes : byte_size(buffer.element);
}

std::uint32_t byte_size(Scalar scalar) {
  return scalar == Scalar::u64 || scalar == Scalar::i64 ? 8 : 4;
}

std::string to_string(Type type) {
  std::string out(name_of(type.scalar));
  if (is_vector(type)) out += "x" + std::to_string(type.width);
  return out;
}

}  // namespace vyre::ir
