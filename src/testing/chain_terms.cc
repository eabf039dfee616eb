#include "testing/chain_terms.h"

#include <fmt/format.h>

#include "ir/ops.h"

namespace vyre::testing {

using ir::Scalar;

std::string ChainTerms::constant(Scalar type) {
  if (type == Scalar::u32) return fmt::format("{}u", below(5));
  if (type == Scalar::i32) return fmt::format("{}i", static_cast<std::int64_t>(below(7)) - 3);
  static constexpr const char* kFloats[] = {"0.0f", "0.5f", "-1.25f", "3.0f", "f32(0xff800000)"};
  return kFloats[below(std::size(kFloats))];
}

// Mostly a load, cast where its type is another; else a constant or a scalar of the chain.
std::string ChainTerms::leaf(Scalar type) {
  if (loads_.empty() || chance(6)) {
    if (chance(2)) return constant(type);
    if (type == Scalar::f32) return "s";
    return type == Scalar::u32 ? "t" : "i32(t)";
  }
  const Load& load = loads_[below(loads_.size())];
  return load.type == type ? load.text : fmt::format("{}({})", ir::name_of(type), load.text);
}

std::string ChainTerms::expr(Scalar type, int depth) {
  if (depth == 0 || chance(5)) return leaf(type);
  const std::string a = expr(type, depth - 1);
  if (type == Scalar::f32 && chance(6)) {
    static constexpr const char* kFunctions[] = {"exp", "abs", "sqrt", "rsqrt", "floor"};
    return fmt::format("{}({})", kFunctions[below(std::size(kFunctions))], a);
  }
  const std::string b = expr(type, depth - 1);
  if (chance(8)) {
    const std::string low = leaf(type);
    return fmt::format("select({} < {}, {}, {})", low, leaf(type), a, b);
  }
  if (chance(5)) return fmt::format("{}({}, {})", chance(2) ? "min" : "max", a, b);
  const std::string_view operators = type == Scalar::f32 ? "+-*/" : "+-*/%&^";
  return fmt::format("({} {} {})", a, operators[below(operators.size())], b);
}

}  // namespace vyre::testing
