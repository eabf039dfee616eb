// Any bytes into the CSV reader; what it accepts has indices in range.

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/check.h"
#include "vyre/recording.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto recording = vyre::recording::parse_csv(text, "fuzz");
  if (!recording) {
    VYRE_CHECK(recording.error().message.find('\n') == std::string::npos);
    return 0;
  }
  for (const auto& row : recording->rows) {
    VYRE_CHECK(row.point.size() == recording->parameters.size());
    for (std::size_t i = 0; i < row.point.size(); ++i) {
      VYRE_CHECK(row.point[i] < recording->parameters[i].values.size());
    }
    VYRE_CHECK(row.time_ms.has_value() == (row.status == vyre::recording::Status::ok));
  }
  return 0;
}
