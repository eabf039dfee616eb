#include "ops_cases.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <optional>

#include "ir/native.h"
#include "ir/ops.h"
#include "ir/rewrite/fold.h"
#include "vyre/program.h"

namespace vyre::conformance {
namespace {

using ir::Op;
using ir::Rule;
using ir::Scalar;
using ir::Type;

// Values at which operations go wrong, as bits.
std::vector<std::uint64_t> edges(Scalar type) {
  std::vector<std::uint64_t> out;
  const auto add = [&](auto... values) { (out.push_back(ir::to_bits(values)), ...); };
  using u32 = std::uint32_t;
  using i32 = std::int32_t;
  using u64 = std::uint64_t;
  using i64 = std::int64_t;
  switch (type) {
    case Scalar::boolean:
      add(false, true);
      break;
    case Scalar::u32:
      add(u32{0}, u32{1}, u32{2}, u32{7}, u32{31}, u32{32}, u32{65536}, u32{0x7fffffff},
          u32{0x80000000}, u32{0xffffffff});
      break;
    case Scalar::i32:
      add(i32{0}, i32{1}, i32{-1}, i32{7}, i32{-7}, i32{33}, i32{65536},
          std::numeric_limits<i32>::max(), std::numeric_limits<i32>::min());
      break;
    case Scalar::u64:
      add(u64{0}, u64{1}, u64{3}, u64{63}, u64{64}, u64{1} << 32, ~u64{0} >> 1, u64{1} << 63,
          ~u64{0});
      break;
    case Scalar::i64:
      add(i64{0}, i64{1}, i64{-1}, i64{-3}, i64{65}, i64{1} << 32, -(i64{1} << 40),
          std::numeric_limits<i64>::max(), std::numeric_limits<i64>::min());
      break;
    case Scalar::f32:
      add(0.0F, -0.0F, 1.0F, -1.0F, 0.5F, 1.5F, 2.5F, -2.5F, 3.25F, 1e-3F, 16777216.0F, 1e20F,
          -1e20F, std::numeric_limits<float>::infinity(), -std::numeric_limits<float>::infinity(),
          std::numeric_limits<float>::quiet_NaN());
      break;
  }
  return out;
}

// How far a device may be from the host in an operation on f32; docs/ir.md states it.
std::uint32_t ulp_of(Op op) {
  switch (op) {
    case Op::div:
    case Op::sqrt:
      return 3;
    case Op::rsqrt:
      return 4;
    case Op::exp:
    case Op::exp2:
    case Op::log:
    case Op::log2:
    case Op::sin:
    case Op::cos:
    case Op::tanh:
    case Op::pow:
      return 16;
    default:
      return 1;  // exact, but for the sign of a zero or the bits of a NaN
  }
}

// A program whose only expression is op(constants): folding it is the row's meaning.
std::optional<std::uint64_t> meaning(Op op, std::span<const Type> types,
                                     std::span<const std::uint64_t> operands) {
  ir::Program p;
  ir::Expr e{.op = op, .type = *ir::result_type(op, types)};
  for (std::size_t k = 0; k < types.size(); ++k) {
    p.exprs.push_back({.op = Op::constant, .type = types[k], .bits = operands[k]});
    e.args[k] = static_cast<ir::ExprId>(k);
  }
  p.exprs.push_back(e);
  return ir::fold(p, static_cast<ir::ExprId>(types.size()), {});
}

void append(Bytes& out, Scalar type, std::uint64_t bits) {
  const auto* from = reinterpret_cast<const std::byte*>(&bits);
  out.insert(out.end(), from, from + ir::byte_size(type));
}

// Booleans live in buffers as u32.
Scalar buffer_type(Scalar type) { return type == Scalar::boolean ? Scalar::u32 : type; }

bool is_finite(std::uint64_t bits) { return std::isfinite(ir::from_bits<float>(bits)); }

// sin and cos of huge numbers differ between libraries by more than rounding.
bool is_fair(Op op, std::span<const std::uint64_t> operands) {
  if (op != Op::sin && op != Op::cos) return true;
  return !is_finite(operands[0]) || std::fabs(ir::from_bits<float>(operands[0])) < 1e4F;
}

// The program, written with the structs: op applied to operand arrays element by element.
struct Shape {
  std::vector<Type> types;
  Type result;
};

std::string program_text(Op op, const Shape& shape, std::size_t n) {
  ir::Program p;
  p.name = "op";
  const auto add = [&](ir::Expr e) {
    p.exprs.push_back(e);
    return static_cast<ir::ExprId>(p.exprs.size() - 1);
  };
  const auto size = [&] { return add({.op = Op::constant, .type = {}, .bits = n}); };
  const auto id = [&] { return add({.op = Op::id, .type = {}}); };
  const auto constant = [&](std::uint64_t bits) {
    return add({.op = Op::constant, .type = {}, .bits = bits});
  };
  ir::Expr e{.op = op, .type = shape.result};
  for (std::uint32_t k = 0; k < shape.types.size(); ++k) {
    const Scalar t = shape.types[k].scalar;
    p.buffers.push_back({fmt::format("x{}", k), buffer_type(t), ir::Access::read, size()});
    const ir::ExprId i = id();
    e.args[k] = add({.op = Op::load, .type = {buffer_type(t), 1}, .index = k, .args = {i}});
    if (t == Scalar::boolean) {
      const ir::ExprId zero = constant(0);
      e.args[k] = add({.op = Op::ne, .type = {Scalar::boolean, 1}, .args = {e.args[k], zero}});
    }
  }
  const Scalar out = buffer_type(shape.result.scalar);
  p.buffers.push_back({"out", out, ir::Access::write, size()});
  ir::ExprId value = add(e);
  if (shape.result.scalar == Scalar::boolean) {
    const ir::ExprId one = constant(1);
    const ir::ExprId zero = constant(0);
    value = add({.op = Op::select, .type = {Scalar::u32, 1}, .args = {value, one, zero}});
  }
  const ir::ExprId i = id();
  p.stmts.push_back({.kind = ir::StmtKind::store,
                     .buffer = static_cast<std::uint32_t>(shape.types.size()),
                     .args = {i, value}});
  p.body = {0};
  for (ir::Expr& x : p.exprs) {
    // Designated arrays leave zeros behind the operands that were named.
    for (std::size_t k = ir::operand_count(x); k < x.args.size(); ++k) x.args[k] = ir::kNone;
  }
  return ir::print(p);
}

// All rows of operands that can be made of the edges.
std::vector<std::vector<std::uint64_t>> operand_rows(Op op, std::span<const Type> types) {
  std::vector<std::vector<std::uint64_t>> values;
  for (const Type t : types) values.push_back(edges(t.scalar));
  std::vector<std::vector<std::uint64_t>> rows;
  std::vector<std::size_t> at(values.size());
  for (bool more = true; more;) {
    std::vector<std::uint64_t> operands;
    for (std::size_t k = 0; k < at.size(); ++k) operands.push_back(values[k][at[k]]);
    if (is_fair(op, operands)) rows.push_back(std::move(operands));
    more = false;
    for (std::size_t k = 0; k < at.size() && !more; ++k) {
      more = ++at[k] < values[k].size();
      if (!more) at[k] = 0;
    }
  }
  return rows;
}

Case op_case(Op op, const Shape& shape) {
  Case c{.name = fmt::format("op_{}_{}", ir::info(op).name, ir::to_string(shape.types[0])),
         .text = {},
         .inputs = std::vector<Bytes>(shape.types.size()),
         .expected = std::vector<Bytes>(1)};
  const auto rows = operand_rows(op, shape.types);
  for (const auto& operands : rows) {
    for (std::size_t k = 0; k < operands.size(); ++k) {
      append(c.inputs[k], buffer_type(shape.types[k].scalar), operands[k]);
    }
    append(c.expected[0], buffer_type(shape.result.scalar),
           meaning(op, shape.types, operands).value_or(0xdead));
  }
  c.text = program_text(op, shape, rows.size());
  c.ulp = shape.result.scalar == Scalar::f32 ? ulp_of(op) : 0;
  return c;
}

// A function of constants, one of which is not finite, decides a branch: compilers fold it, and
// where a device's mathematics is undefined for it, they take all that follows to be impossible.
Case constants_case(Op op, const Shape& shape) {
  Case c{.name = fmt::format("op_{}_of_constants", ir::info(op).name),
         .text = {},
         .inputs = {},
         .expected = std::vector<Bytes>(1)};
  std::string body;
  std::uint32_t n = 0;
  for (const auto& operands : operand_rows(op, shape.types)) {
    if (std::ranges::all_of(operands, is_finite)) continue;
    std::string list;
    for (const std::uint64_t bits : operands) {
      list += fmt::format("{}f32(0x{:08x})", list.empty() ? "" : ", ", bits);
    }
    body += fmt::format(
        "  if is_nan({}({})) {{\n    out[{}u] = 2u\n  }} else {{\n    out[{}u] = 1u\n  }}\n",
        ir::info(op).name, list, n, n);
    const auto value = ir::from_bits<float>(meaning(op, shape.types, operands).value_or(0));
    append(c.expected[0], Scalar::u32, std::isnan(value) ? 2U : 1U);
    ++n;
  }
  c.text = fmt::format(
      "program op {{\n  write out: u32[{}u]\n  workgroup [1u]\n  grid [1u]\n\n{}}}\n", n, body);
  return c;
}

}  // namespace

std::vector<Case> op_cases() {
  std::vector<Case> out;
  for (const Op op : ir::table_ops()) {
    for (const Scalar s :
         {Scalar::boolean, Scalar::u32, Scalar::i32, Scalar::u64, Scalar::i64, Scalar::f32}) {
      Shape shape{std::vector<Type>(ir::info(op).arity, Type{s, 1}), {}};
      if (ir::info(op).rule == Rule::shift) shape.types[1] = {Scalar::u32, 1};
      const auto result = ir::result_type(op, shape.types);
      if (!result) continue;
      shape.result = *result;
      out.push_back(op_case(op, shape));
      if (ir::info(op).rule == Rule::real) out.push_back(constants_case(op, shape));
    }
  }
  return out;
}

}  // namespace vyre::conformance
