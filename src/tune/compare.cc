#include "tune/compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "ir/ops.h"

namespace vyre {
namespace {

using Bytes = std::span<const std::byte>;

template <class T>
T value_at(Bytes bytes, std::size_t index) {
  T value{};
  std::memcpy(&value, bytes.data() + index * sizeof(value), sizeof(value));
  return value;
}

// IEEE half: 5 bits of exponent, 10 of fraction.
double half_at(Bytes bytes, std::size_t index) {
  const auto bits = value_at<std::uint16_t>(bytes, index);
  const int exponent = bits >> 10U & 31U;
  const double fraction = bits & 1023U;
  double value = std::ldexp(exponent == 0 ? fraction : fraction + 1024, std::max(exponent, 1) - 25);
  if (exponent == 31) value = fraction == 0 ? HUGE_VAL : NAN;
  return (bits >> 15U) != 0 ? -value : value;
}

double float_at(Bytes bytes, std::size_t index) { return double{value_at<float>(bytes, index)}; }
double double_at(Bytes bytes, std::size_t index) { return value_at<double>(bytes, index); }

bool close(double got, double wanted, const Tolerance& tolerance) {
  if (std::isnan(got) || std::isnan(wanted)) return std::isnan(got) && std::isnan(wanted);
  if (got == wanted) return true;
  if (std::isinf(wanted)) return false;  // everything is near it, relatively
  return std::fabs(got - wanted) <= tolerance.absolute + tolerance.relative * std::fabs(wanted);
}

using Reader = double (*)(Bytes bytes, std::size_t index);

// How elements are read as numbers; null: they must be equal bit by bit.
Reader reader_of(const ir::Buffer& buffer, Opaque opaque) {
  if (buffer.opaque_bytes == 0) return buffer.element == ir::Scalar::f32 ? float_at : nullptr;
  if (opaque == Opaque::f16 && buffer.opaque_bytes == 2) return half_at;
  return opaque == Opaque::f64 && buffer.opaque_bytes == 8 ? double_at : nullptr;
}

// An element as a person would write it.
std::string text_of(const ir::Buffer& buffer, Reader read, Bytes bytes, std::size_t index) {
  // As many digits as tell the number apart from its neighbours: two that differ must not look
  // the same.
  if (read == float_at) return fmt::format("{}", value_at<float>(bytes, index));
  if (read == double_at) return fmt::format("{}", value_at<double>(bytes, index));
  if (read != nullptr) return fmt::format("{:.6g}", read(bytes, index));
  if (buffer.opaque_bytes == 0) {
    switch (buffer.element) {
      case ir::Scalar::i32:
        return fmt::format("{}", value_at<std::int32_t>(bytes, index));
      case ir::Scalar::i64:
        return fmt::format("{}", value_at<std::int64_t>(bytes, index));
      case ir::Scalar::u64:
        return fmt::format("{}", value_at<std::uint64_t>(bytes, index));
      default:  // a bool takes four bytes, too
        return fmt::format("{}", value_at<std::uint32_t>(bytes, index));
    }
  }
  constexpr std::size_t kMostShown = 16;
  const std::size_t size = ir::element_bytes(buffer);
  std::string out = "0x";
  for (const std::byte b : bytes.subspan(index * size, std::min(size, kMostShown))) {
    out += fmt::format("{:02x}", static_cast<unsigned>(b));
  }
  return size > kMostShown ? out + "..." : out;
}

Opaque opaque_of(const Problem& problem, std::size_t output) {
  return output < problem.opaque_outputs.size() ? problem.opaque_outputs[output] : Opaque::bits;
}

std::optional<std::string> difference(const ir::Buffer& buffer, Reader read, Bytes got,
                                      Bytes wanted, const Tolerance& tolerance) {
  if (got.size() != wanted.size()) {
    return fmt::format("{} has {} bytes, not {}", buffer.name, got.size(), wanted.size());
  }
  const bool is_same = got.empty() || std::memcmp(got.data(), wanted.data(), got.size()) == 0;
  if (is_same) return std::nullopt;  // as most are
  const std::size_t size = ir::element_bytes(buffer);
  const auto is_same_at = [&](std::size_t k) {
    if (read != nullptr) return close(read(got, k), read(wanted, k), tolerance);
    return std::memcmp(got.data() + k * size, wanted.data() + k * size, size) == 0;
  };
  for (std::size_t k = 0; k < got.size() / size; ++k) {
    if (is_same_at(k)) continue;
    return fmt::format("{}[{}] is {}, not {}", buffer.name, k, text_of(buffer, read, got, k),
                       text_of(buffer, read, wanted, k));
  }
  return std::nullopt;
}

}  // namespace

bool compares_outputs(const Problem& problem) {
  const auto& buffers = problem.sequence.def().buffers;
  const auto outputs = static_cast<std::size_t>(
      std::ranges::count_if(buffers, ir::gives_output, &ir::Buffer::access));
  for (std::size_t k = 0; k < outputs; ++k) {
    if (opaque_of(problem, k) != Opaque::ignored) return true;
  }
  return false;
}

std::optional<std::string> first_difference(const Problem& problem, const Outputs& got,
                                            const Outputs& wanted) {
  std::size_t next = 0;
  for (const ir::Buffer& buffer : problem.sequence.def().buffers) {
    if (!ir::gives_output(buffer.access)) continue;
    if (next >= got.size() || next >= wanted.size()) return buffer.name + " is missing";
    const Opaque opaque = opaque_of(problem, next);
    if (opaque != Opaque::ignored) {
      if (auto found = difference(buffer, reader_of(buffer, opaque), got[next], wanted[next],
                                  problem.tolerance)) {
        return found;
      }
    }
    ++next;
  }
  return std::nullopt;
}

}  // namespace vyre
