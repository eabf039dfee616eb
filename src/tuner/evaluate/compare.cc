#include "tuner/evaluate/compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "ir/ops.h"

namespace vyre::tuner {
namespace {

using Bytes = std::span<const std::byte>;

float float_at(Bytes bytes, std::size_t index) {
  float value = 0;
  std::memcpy(&value, bytes.data() + index * sizeof(value), sizeof(value));
  return value;
}

bool close(float got, float wanted, const Tolerance& tolerance) {
  if (std::isnan(got) || std::isnan(wanted)) return std::isnan(got) && std::isnan(wanted);
  if (got == wanted) return true;
  return std::fabs(double{got} - double{wanted}) <=
         tolerance.absolute + tolerance.relative * std::fabs(double{wanted});
}

std::optional<std::string> difference(const ir::Buffer& buffer, Bytes got, Bytes wanted,
                                      const Tolerance& tolerance) {
  if (got.size() != wanted.size()) {
    return fmt::format("{} has {} bytes, not {}", buffer.name, got.size(), wanted.size());
  }
  const std::size_t size = ir::element_bytes(buffer);
  const bool is_float = buffer.opaque_bytes == 0 && buffer.element == ir::Scalar::f32;
  if (is_float) {
    for (std::size_t k = 0; k < got.size() / size; ++k) {
      if (close(float_at(got, k), float_at(wanted, k), tolerance)) continue;
      return fmt::format("{}[{}] is {}, not {}", buffer.name, k, float_at(got, k),
                         float_at(wanted, k));
    }
    return std::nullopt;
  }
  const auto [at, other] = std::ranges::mismatch(got, wanted);
  if (at == got.end()) return std::nullopt;
  return fmt::format("{}[{}] differs", buffer.name,
                     static_cast<std::size_t>(at - got.begin()) / size);
}

}  // namespace

std::optional<std::string> first_difference(const ir::Sequence& sequence,
                                            const backend::Outputs& got,
                                            const backend::Outputs& wanted,
                                            const Tolerance& tolerance) {
  std::size_t next = 0;
  for (const ir::Buffer& buffer : sequence.def().buffers) {
    if (!ir::gives_output(buffer.access)) continue;
    if (next >= got.size() || next >= wanted.size()) return buffer.name + " is missing";
    if (auto found = difference(buffer, got[next], wanted[next], tolerance)) return found;
    ++next;
  }
  return std::nullopt;
}

}  // namespace vyre::tuner
