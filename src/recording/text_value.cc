#include "recording/text_value.h"

#include <charconv>
#include <cmath>

namespace vyre::recording {
namespace {

template <class T>
std::optional<T> parse_whole(std::string_view text) {
  T out{};
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, out);
  if (error != std::errc() || stop != end) return std::nullopt;
  return out;
}

// from_chars knows no leading plus; Python and the tuners do.
std::string_view without_plus(std::string_view text) {
  if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.remove_prefix(1);
  return text;
}

}  // namespace

std::optional<double> parse_real(std::string_view text) {
  const auto out = parse_whole<double>(without_plus(text));
  return out && std::isfinite(*out) ? out : std::nullopt;
}

std::optional<Value> parse_number(std::string_view text) {
  if (const auto integer = parse_whole<std::int64_t>(without_plus(text))) return Value(*integer);
  if (const auto real = parse_real(text)) return Value(*real);
  return std::nullopt;
}

}  // namespace vyre::recording
