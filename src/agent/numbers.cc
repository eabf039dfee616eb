#include "agent/numbers.h"

#include <charconv>

namespace vyre::agent {

std::optional<std::uint64_t> to_number(std::string_view text) {
  std::uint64_t out = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, code] = std::from_chars(text.data(), end, out);
  if (code != std::errc() || stop != end) return std::nullopt;
  return out;
}

}  // namespace vyre::agent
