#include "ir/tunable_value.h"

#include <bit>
#include <cmath>
#include <utility>

namespace vyre::ir {
namespace {

template <class T>
std::optional<std::uint64_t> integer_bits(std::int64_t value) {
  if (!std::in_range<T>(value)) return std::nullopt;
  using Unsigned = std::make_unsigned_t<T>;
  return static_cast<Unsigned>(static_cast<T>(value));
}

}  // namespace

vyre::Value value_of(Scalar type, std::uint64_t bits) {
  switch (type) {
    case Scalar::boolean:
      return bits != 0;
    case Scalar::i32:
      return std::int64_t{static_cast<std::int32_t>(bits)};
    case Scalar::f32:
      return double{std::bit_cast<float>(static_cast<std::uint32_t>(bits))};
    default:
      return static_cast<std::int64_t>(bits);
  }
}

std::optional<std::uint64_t> bits_of(const vyre::Value& value, Scalar type) {
  if (const bool* b = std::get_if<bool>(&value)) {
    return type == Scalar::boolean ? std::optional<std::uint64_t>(*b ? 1 : 0) : std::nullopt;
  }
  if (const double* d = std::get_if<double>(&value)) {
    const auto f = static_cast<float>(*d);
    const bool fits = type == Scalar::f32 && (static_cast<double>(f) == *d || std::isnan(*d));
    return fits ? std::optional<std::uint64_t>(std::bit_cast<std::uint32_t>(f)) : std::nullopt;
  }
  const auto* i = std::get_if<std::int64_t>(&value);
  if (i == nullptr) return std::nullopt;
  switch (type) {
    case Scalar::u32:
      return integer_bits<std::uint32_t>(*i);
    case Scalar::i32:
      return integer_bits<std::int32_t>(*i);
    case Scalar::u64:
      return integer_bits<std::uint64_t>(*i);
    case Scalar::i64:
      return integer_bits<std::int64_t>(*i);
    default:
      return std::nullopt;
  }
}

}  // namespace vyre::ir
