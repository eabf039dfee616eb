#include "base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

namespace vyre {
namespace {

constexpr std::size_t kMostQuoted = 80;
constexpr std::size_t kLongestName = 64;  // edit distance is quadratic; longer names get no advice

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i + 1);
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t substitute = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({substitute, row[j] + 1, row[j + 1] + 1});
    }
  }
  return row.back();
}

// Control characters are those of ASCII, and U+0080 to U+009F: in UTF-8 a byte c2 and another.
void append_escaped(std::string& out, std::string_view text, std::size_t k) {
  const auto byte_at = [&](std::size_t at) { return static_cast<unsigned char>(text[at]); };
  const unsigned char byte = byte_at(k);
  const bool starts_pair = byte == 0xc2 && k + 1 < text.size() && byte_at(k + 1) < 0xa0;
  const bool ends_pair = k > 0 && byte_at(k - 1) == 0xc2 && byte >= 0x80 && byte < 0xa0;
  if (byte < 0x20 || byte == 0x7f || starts_pair || ends_pair) {
    fmt::format_to(std::back_inserter(out), "\\x{:02x}", byte);
  } else {
    out += text[k];
  }
}

}  // namespace

std::string escaped(std::string_view text) {
  std::string out;
  for (std::size_t k = 0; k < text.size(); ++k) append_escaped(out, text, k);
  return out;
}

std::string quote_if_odd(std::string_view text) {
  std::string quoted = quote(text);
  const bool is_plain = !text.empty() && quoted.size() == text.size() + 2;
  return is_plain ? std::string(text) : quoted;
}

std::string quote(std::string_view text) {
  std::string out = "\"";
  const std::string_view shown = text.substr(0, kMostQuoted);
  for (std::size_t k = 0; k < shown.size(); ++k) {
    if (shown[k] == '"' || shown[k] == '\\') out += '\\';
    append_escaped(out, shown, k);
  }
  return out + (text.size() > kMostQuoted ? "...\"" : "\"");
}

std::optional<std::string> nearest_name(std::string_view name, std::span<const std::string> known) {
  if (name.size() > kLongestName) return std::nullopt;
  std::size_t least = std::max<std::size_t>(1, name.size() / 3) + 1;
  std::optional<std::string> best;
  for (const std::string& candidate : known) {
    if (candidate.size() > kLongestName) continue;
    if (const std::size_t d = edit_distance(name, candidate); d < least) {
      least = d;
      best = candidate;
    }
  }
  return best;
}

std::string did_you_mean(std::string_view name, std::span<const std::string> known) {
  const auto nearest = nearest_name(name, known);
  return nearest ? fmt::format("; did you mean {}?", quote(*nearest)) : std::string();
}

}  // namespace vyre
