// Any bytes into the T4 reader; what it accepts must survive being written and read again.

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/check.h"
#include "vyre/recording.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
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
