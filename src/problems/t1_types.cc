#include "problems/t1_types.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "base/error.h"
#include "base/text.h"

namespace vyre {
namespace {

using Kind = T1Type::Kind;

constexpr T1Type kTypes[] = {{"bool", Kind::natural, 1, 1},   {"int8", Kind::whole, 1, 1},
                             {"uint8", Kind::natural, 1, 1},  {"int16", Kind::whole, 2, 1},
                             {"uint16", Kind::natural, 2, 1}, {"int32", Kind::whole, 4, 1},
                             {"uint32", Kind::natural, 4, 1}, {"int64", Kind::whole, 8, 1},
                             {"uint64", Kind::natural, 8, 1}, {"half", Kind::real, 2, 1},
                             {"half2", Kind::real, 2, 2},     {"half4", Kind::real, 2, 4},
                             {"half8", Kind::real, 2, 8},     {"half16", Kind::real, 2, 16},
                             {"float", Kind::real, 4, 1},     {"float2", Kind::real, 4, 2},
                             {"float4", Kind::real, 4, 4},    {"float8", Kind::real, 4, 8},
                             {"float16", Kind::real, 4, 16},  {"double", Kind::real, 8, 1},
                             {"double2", Kind::real, 8, 2},   {"double4", Kind::real, 8, 4},
                             {"double8", Kind::real, 8, 8},   {"double16", Kind::real, 8, 16}};

// What other languages call these types.
struct OtherName {
  std::string_view other;
  std::string_view name;
};
constexpr OtherName kOtherNames[] = {
    {"char", "int8"},      {"uchar", "uint8"},        {"short", "int16"},   {"ushort", "uint16"},
    {"int", "int32"},      {"uint", "uint32"},        {"long", "int64"},    {"ulong", "uint64"},
    {"integer", "int32"},  {"unsigned", "uint32"},    {"size_t", "uint64"}, {"float32", "float"},
    {"float64", "double"}, {"unsigned int", "uint32"}};

std::string remedy(const std::string& type) {
  const auto* const other = std::ranges::find(kOtherNames, type, &OtherName::other);
  if (other != std::end(kOtherNames)) return fmt::format("write \"{}\"", other->name);
  std::vector<std::string> names;
  for (const T1Type& known : kTypes) names.emplace_back(known.name);
  const std::string meant = did_you_mean(type, names);
  return meant.empty() ? "use one of T1's, as \"float\"" : meant.substr(2);
}

// IEEE binary16, to nearest even; too large is infinity.
std::uint16_t half_bits(double value) {
  const std::uint16_t sign = std::signbit(value) ? 0x8000 : 0;
  const double magnitude = std::fabs(value);
  if (std::isnan(value)) return 0x7e00;
  if (magnitude == 0) return sign;
  if (magnitude >= 65520) return static_cast<std::uint16_t>(sign | 0x7c00);
  int exponent = 0;
  std::frexp(magnitude, &exponent);
  // Steps are 2^-10 of the power of two below, and never finer than 2^-24.
  const int step = std::max(exponent - 11, -24);
  const auto steps = static_cast<std::uint32_t>(std::nearbyint(std::ldexp(magnitude, -step)));
  const auto biased = static_cast<std::uint32_t>(step + 24);
  return static_cast<std::uint16_t>(sign | ((biased << 10U) + steps));
}

}  // namespace

const T1Type* type_named(std::string_view name) {
  const auto* const it = std::ranges::find(kTypes, name, &T1Type::name);
  return it == std::end(kTypes) ? nullptr : it;
}

Expected<T1Type> find_type(const recording::ArgumentSpecification& argument) {
  if (const T1Type* const known = type_named(argument.type)) return *known;
  if (argument.type != "custom") {
    return bad_inputs("argument {}: there is no type {}; {}", quote(argument.name),
                      quote(argument.type), remedy(argument.type));
  }
  const std::int64_t bytes = argument.type_bytes.value_or(0);
  if (bytes < 1 || bytes > 65536) {
    return bad_inputs("argument {}: a custom type needs a TypeSize from 1 to 65536 bytes",
                      quote(argument.name));
  }
  return T1Type{"custom", Kind::custom, static_cast<std::uint32_t>(bytes), 1};
}

std::uint64_t lane_bits(const T1Type& type, double value) {
  if (type.kind == Kind::real) {
    if (type.bytes == 2) return half_bits(value);
    if (type.bytes == 4) return std::bit_cast<std::uint32_t>(static_cast<float>(value));
    return std::bit_cast<std::uint64_t>(value);
  }
  // Beyond these a cast has no meaning in C++.
  const double most = type.kind == Kind::natural ? 18446744073709549568.0 : 9223372036854774784.0;
  const double least = type.kind == Kind::natural ? 0.0 : -9223372036854775808.0;
  const double inside = std::isnan(value) ? 0.0 : std::clamp(value, least, most);
  const auto bits = type.kind == Kind::natural
                        ? static_cast<std::uint64_t>(inside)
                        : static_cast<std::uint64_t>(static_cast<std::int64_t>(inside));
  return type.bytes >= 8 ? bits : bits & ((std::uint64_t{1} << (8 * type.bytes)) - 1);
}

}  // namespace vyre
