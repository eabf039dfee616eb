// Any bytes as a file of decisions; what is accepted must mean the same when written and read
// again.

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/check.h"
#include "decisions/file_content.h"
#include "decisions/toml_full.h"
#include "decisions/toml_plain.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace vyre;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  // Both readers agree on what the first one takes.
  if (const auto plain = toml::read_plain(text)) {
    const auto full = toml::read_full(text, "fuzz");
    VYRE_CHECK(full.has_value());
    VYRE_CHECK(toml::print_toml(*plain) == toml::print_toml(*full));
  }
  auto content = parse_content(text, "fuzz");
  if (!content) {
    VYRE_CHECK(content.error().message.find('\n') == std::string::npos);
    return 0;
  }
  const std::string written = print_content(*content);
  auto again = parse_content(written, "again");
  VYRE_CHECK(again.has_value());
  VYRE_CHECK(again->entries.size() == content->entries.size());
  VYRE_CHECK(again->warnings.size() == content->warnings.size());
  VYRE_CHECK(print_content(*again) == written);
  return 0;
}
