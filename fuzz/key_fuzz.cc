// Any bytes as a key: what is accepted is spelled in one way only. Any shape makes a key that can
// be written and read.

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

#include "base/check.h"
#include "vyre/decisions.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace vyre;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto key = parse_key(text);
  if (key) VYRE_CHECK(to_string(*key) == text);
  if (!key) VYRE_CHECK(key.error().message.find('\n') == std::string::npos);

  vyre::ir::Fingerprint fingerprint{};
  std::memcpy(fingerprint.data(), data, size < fingerprint.size() ? size : fingerprint.size());
  std::vector<std::uint64_t> shape(size / sizeof(std::uint64_t));
  if (!shape.empty()) std::memcpy(shape.data(), data, shape.size() * sizeof(std::uint64_t));
  const Key made = key_of(fingerprint, shape);
  VYRE_CHECK(*parse_key(to_string(made)) == made);
  if (shape.empty()) return 0;
  // One number that differs is another key.
  shape[size % shape.size()] += 1;
  VYRE_CHECK(key_of(fingerprint, shape) != made);
  return 0;
}
