// Any bytes into the readers of T4 and of Kernel Tuner's cache files; what they accept must survive
// being written and read again.

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/check.h"
#include "vyre/recording.h"

namespace {

void try_kernel_tuner(std::string_view text) {
  const auto recording = vyre::recording::parse_kernel_tuner(text, "fuzz");
  if (!recording) {
    VYRE_CHECK(recording.error().message.find('\n') == std::string::npos);
    return;
  }
  const auto written = vyre::recording::to_kernel_tuner(*recording);
  if (!written) return;  // it names no kernel, or a sum of times overflows
  const auto again = vyre::recording::parse_kernel_tuner(*written, "again");
  VYRE_CHECK(again.has_value());
  VYRE_CHECK(again->rows.size() == recording->rows.size());
  VYRE_CHECK(again->parameters == recording->parameters);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  try_kernel_tuner(text);
  const auto recording = vyre::recording::parse_t4(text, "fuzz");
  if (!recording) {
    VYRE_CHECK(recording.error().message.find('\n') == std::string::npos);
    return 0;
  }
  const auto written = vyre::recording::to_t4(*recording);
  if (!written) return 0;  // a sum of times may overflow
  const auto again = vyre::recording::parse_t4(*written, "again");
  VYRE_CHECK(again.has_value());
  VYRE_CHECK(*again == *recording);
  return 0;
}
