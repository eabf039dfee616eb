// Any bytes into the parser. What it accepts prints as a text that reads back as the same sequence
// and prints the same again.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/check.h"
#include "vyre/program.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace vyre;
  const auto first = ir::parse({reinterpret_cast<const char*>(data), size});
  if (!first) {
    VYRE_CHECK(first.error().message.find('\n') == std::string::npos);
    return 0;
  }
  const std::string text = ir::print(*first);
  const auto second = ir::parse(text);
  VYRE_CHECK(second);
  VYRE_CHECK(*second == *first);
  VYRE_CHECK(ir::print(*second) == text);
  return 0;
}
