#include "testing/random_expr.h"

#include <algorithm>
#include <bit>

#include "ir/ops.h"

namespace vyre::testing {
namespace {

using ir::ExprId;
using ir::kU32;
using ir::Op;
using ir::Scalar;
using ir::Type;

constexpr std::array kExactOps = {Op::add, Op::sub, Op::mul,   Op::min,  Op::max,   Op::neg,
                                  Op::abs, Op::fma, Op::floor, Op::ceil, Op::trunc, Op::round};
constexpr std::array kIntegers = {Scalar::u32, Scalar::i32, Scalar::u64, Scalar::i64};
// Infinities, a NaN, zeros, denormals.
constexpr std::array<std::uint32_t, 7> kOddFloats = {0x7f800000, 0xff800000, 0x7fc00000, 0,
                                                     0x80000000, 0x00000001, 0x807fffff};

bool is_exact(Op op) { return std::ranges::find(kExactOps, op) != kExactOps.end(); }

std::uint64_t mask(Scalar scalar) {
  if (scalar == Scalar::boolean) return 1;
  return ir::byte_size(scalar) == 8 ? ~std::uint64_t{0} : 0xffffffffU;
}

// The types that `op` can take to give `type`; the first operand's decides.
bool gives(Op op, Type operand, Type type) {
  std::array<Type, 3> types{operand, operand, operand};
  if (ir::info(op).rule == ir::Rule::shift) types[1] = kU32;
  return ir::result_type(op, std::span(types).first(ir::info(op).arity)) == type;
}

}  // namespace

Scalar RandomExpr::scalar_type() {
  const bool floats = draft_.options.floats != Floats::none;
  if (floats && draft_.random.percent(30)) return Scalar::f32;
  return draft_.random.percent(15) ? Scalar::boolean : draft_.random.pick(kIntegers);
}

Type RandomExpr::type() {
  const Scalar scalar = scalar_type();
  const bool can_be_vector = scalar == Scalar::u32 || scalar == Scalar::f32;
  if (!can_be_vector || !draft_.random.percent(25)) return {scalar, 1};
  return {scalar, static_cast<std::uint8_t>(draft_.random.percent(50) ? 2 : 4)};
}

// Whether a value of type `to` may be made of one of type `from`.
bool RandomExpr::may_mix(Scalar from, Scalar to) const {
  if (from != Scalar::f32 || to == Scalar::f32) return true;
  return draft_.options.floats_into_integers;
}

bool RandomExpr::may_use(Op op, Type operand) const {
  if (!ir::is_float(operand)) return true;
  return draft_.options.floats == Floats::all || is_exact(op);
}

ExprId RandomExpr::make(Type type, std::uint32_t depth) {
  if (depth <= 1 || draft_.random.percent(15)) return leaf(type);
  const std::uint32_t choice = draft_.random.below(100);
  if (choice < 20) return load(type, depth - 1);
  if (choice < 45) return structural(type, depth - 1);
  return table_op(type, depth - 1);
}

ExprId RandomExpr::leaf(Type type) {
  std::vector<std::uint32_t> variables;
  for (const std::uint32_t v : draft_.visible) {
    if (draft_.program.variables[v].type == type) variables.push_back(v);
  }
  if (!variables.empty() && draft_.random.percent(50)) {
    return draft_.variable(draft_.random.pick(variables));
  }
  if (ir::is_vector(type)) return vector(type, 1);
  std::vector<std::uint32_t> symbols;
  for (std::uint32_t s = 0; s < draft_.program.symbols.size(); ++s) {
    if (draft_.program.symbols[s].type == type.scalar) symbols.push_back(s);
  }
  if (!symbols.empty() && draft_.random.percent(40)) {
    return draft_.symbol(draft_.random.pick(symbols));
  }
  if (type == kU32 && draft_.random.percent(40)) {
    const auto kind = static_cast<ir::IdKind>(draft_.random.below(ir::kIdKinds));
    return draft_.id(kind, draft_.random.below(3));
  }
  if (type == kU32 && draft_.random.percent(20)) {
    return draft_.add(Op::length, kU32, draft_.random.below(draft_.program.buffers.size()));
  }
  // Constants alone would make most programs the same for all invocations.
  if (draft_.random.percent(50)) return constant(type);
  const ExprId mine = draft_.variable(draft_.global_index);
  return type == kU32 ? mine
                      : draft_.add(Op::cast, type, 0, {mine, ir::kNone, ir::kNone, ir::kNone});
}

ExprId RandomExpr::constant(Type type) { return draft_.constant(type, value(type.scalar)); }

std::uint64_t RandomExpr::value(Scalar scalar) {
  const bool odd = draft_.random.percent(15);
  if (scalar == Scalar::f32) {
    if (odd && draft_.options.floats == Floats::all) return draft_.random.pick(kOddFloats);
    const float eighths = static_cast<float>(draft_.random.below(65)) - 32.0F;
    return std::bit_cast<std::uint32_t>(eighths / 8.0F);
  }
  const std::uint64_t near_zero = draft_.random.below(20) - std::uint64_t{4};
  return (odd ? draft_.random.bits() : near_zero) & mask(scalar);
}

// Everything visible at this place goes into the value, so that no earlier computation goes
// unnoticed.
ExprId RandomExpr::digest(Scalar scalar) {
  ExprId sum = constant({scalar, 1});
  const bool is_bool = scalar == Scalar::boolean;
  for (const std::uint32_t v : draft_.visible) {
    const Type type = draft_.program.variables[v].type;
    if (ir::is_vector(type) || !may_mix(type.scalar, scalar)) continue;
    ExprId term = draft_.variable(v);
    if (type.scalar != scalar)
      term = draft_.add(Op::cast, {scalar, 1}, 0, {term, ir::kNone, ir::kNone, ir::kNone});
    sum =
        draft_.add(is_bool ? Op::xor_ : Op::add, {scalar, 1}, 0, {sum, term, ir::kNone, ir::kNone});
  }
  return sum;
}

ExprId RandomExpr::table_op(Type type, std::uint32_t depth) {
  if (type == Type{Scalar::boolean, 1} && draft_.random.percent(60)) return comparison(depth);
  std::vector<Op> ops;
  for (const Op op : ir::table_ops()) {
    if (gives(op, type, type) && may_use(op, type)) ops.push_back(op);
  }
  const Op op = draft_.random.pick(ops);
  std::array<ExprId, 4> args{ir::kNone, ir::kNone, ir::kNone, ir::kNone};
  for (std::size_t i = 0; i < ir::info(op).arity; ++i) {
    const bool count = i == 1 && ir::info(op).rule == ir::Rule::shift;
    args[i] = make(count ? kU32 : type, depth);
  }
  return draft_.add(op, type, 0, args);
}

ExprId RandomExpr::comparison(std::uint32_t depth) {
  Scalar operand = scalar_type();
  if (!may_mix(operand, Scalar::boolean)) operand = draft_.random.pick(kIntegers);
  constexpr Type boolean{Scalar::boolean, 1};
  std::vector<Op> ops;
  for (const Op op : ir::table_ops()) {
    if (gives(op, {operand, 1}, boolean)) ops.push_back(op);
  }
  const Op op = draft_.random.pick(ops);
  const ExprId a = make({operand, 1}, depth);
  const ExprId b = ir::info(op).arity == 2 ? make({operand, 1}, depth) : ir::kNone;
  return draft_.add(op, boolean, 0, {a, b, ir::kNone, ir::kNone});
}

ExprId RandomExpr::structural(Type type, std::uint32_t depth) {
  if (draft_.random.percent(30)) {
    const ExprId test = make({Scalar::boolean, 1}, depth);
    const ExprId yes = make(type, depth);
    const ExprId no = make(type, depth);
    return draft_.add(Op::select, type, 0, {test, yes, no, ir::kNone});
  }
  if (ir::is_vector(type)) return vector(type, depth);
  const bool in_vectors = type.scalar == Scalar::u32 || type.scalar == Scalar::f32;
  if (in_vectors && draft_.random.percent(40)) return extract(type.scalar, depth);
  return conversion(type.scalar, depth);
}

ExprId RandomExpr::conversion(Scalar to, std::uint32_t depth) {
  Scalar from = scalar_type();
  if (!may_mix(from, to)) from = draft_.random.pick(kIntegers);
  const bool any_bool = from == Scalar::boolean || to == Scalar::boolean;
  const bool same_size = ir::byte_size(from) == ir::byte_size(to);
  // Random bits as a float may be a NaN or a denormal.
  const bool makes_odd = to == Scalar::f32 && draft_.options.floats != Floats::all;
  const bool reinterpret = !any_bool && same_size && !makes_odd && draft_.random.percent(50);
  const ExprId value = make({from, 1}, depth);
  return draft_.add(reinterpret ? Op::bitcast : Op::cast, {to, 1}, 0,
                    {value, ir::kNone, ir::kNone, ir::kNone});
}

ExprId RandomExpr::vector(Type type, std::uint32_t depth) {
  std::array<ExprId, 4> args{ir::kNone, ir::kNone, ir::kNone, ir::kNone};
  for (std::size_t i = 0; i < type.width; ++i) args[i] = make({type.scalar, 1}, depth);
  return draft_.add(Op::vector, type, 0, args);
}

ExprId RandomExpr::extract(Scalar scalar, std::uint32_t depth) {
  const auto width = static_cast<std::uint8_t>(draft_.random.percent(50) ? 2 : 4);
  const ExprId value = make({scalar, width}, depth);
  return draft_.add(Op::extract, {scalar, 1}, draft_.random.below(width),
                    {value, ir::kNone, ir::kNone, ir::kNone});
}

ExprId RandomExpr::below(std::uint32_t end) {
  return draft_.binary(Op::mod, make(kU32, 2), draft_.u32(end));
}

ExprId RandomExpr::own_index(const Own& own, std::uint8_t width) {
  const ExprId mine = draft_.variable(draft_.global_index);
  if (own.stride == 1 || width > 1) return mine;
  const ExprId first = draft_.binary(Op::mul, mine, draft_.u32(own.stride));
  return draft_.binary(Op::add, first, draft_.u32(draft_.random.below(own.stride)));
}

ExprId RandomExpr::load_input(Type type, std::uint32_t depth) {
  std::vector<std::uint32_t> buffers;
  for (const std::uint32_t b : draft_.inputs) {
    if (draft_.program.buffers[b].element == type.scalar) buffers.push_back(b);
  }
  if (buffers.empty()) return leaf(type);
  const std::uint32_t buffer = draft_.random.pick(buffers);
  ExprId index = ir::kNone;
  switch (draft_.random.below(3)) {
    case 0:
      index = draft_.variable(draft_.global_index);
      break;
    case 1:  // may lie outside
      index = make(kU32, depth);
      break;
    default:
      index = make(kU32, depth);
      index = draft_.binary(Op::mod, index, draft_.add(Op::length, kU32, buffer));
  }
  return draft_.add(Op::load, type, buffer, {index, ir::kNone, ir::kNone, ir::kNone});
}

ExprId RandomExpr::load(Type type, std::uint32_t depth) {
  std::vector<Own> own;
  for (const Own& candidate : draft_.own) {
    const bool fits = draft_.program.buffers[candidate.buffer].element == type.scalar &&
                      (type.width == 1 || type.width == candidate.stride);
    if (candidate.readable && fits) own.push_back(candidate);
  }
  if (!own.empty() && draft_.random.percent(30)) {
    const Own chosen = draft_.random.pick(own);
    const ExprId index = own_index(chosen, type.width);
    return draft_.add(Op::load, type, chosen.buffer, {index, ir::kNone, ir::kNone, ir::kNone});
  }
  for (const std::uint32_t b : draft_.privates) {
    if (draft_.program.buffers[b].element != type.scalar || draft_.random.percent(50)) continue;
    const ExprId index = below(kPrivateLength / type.width);
    return draft_.add(Op::load, type, b, {index, ir::kNone, ir::kNone, ir::kNone});
  }
  return load_input(type, depth);
}

}  // namespace vyre::testing
