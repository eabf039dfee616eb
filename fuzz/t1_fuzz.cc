// Any bytes into the T1 reader: a Problem or an error, never a crash, and one line of message.

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/check.h"
#include "vyre/recording.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto problem = vyre::recording::parse_t1(text, "fuzz");
  if (!problem) {
    VYRE_CHECK(problem.error().message.find('\n') == std::string::npos);
    return 0;
  }
  VYRE_CHECK(!problem->space.parameters.empty());
  for (const auto& warning : problem->warnings) {
    VYRE_CHECK(warning.find('\n') == std::string::npos);
  }
  return 0;
}
