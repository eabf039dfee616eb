#include "base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

namespace vyre {
namespace {

constexpr std::size_t kMostQuoted = 80;
constexpr std::size_t kLongestPath = 4096;  // PATH_MAX of Linux
constexpr std::size_t kLongestName = 64;  // edit distance is quadratic; longer names get no advice

// How many letters are to be changed, added, left out or swapped with the next one.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1);  // two rows of the table above `row`
  std::vector<std::size_t> above(b.size() + 1);
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::swap(before, above);
    std::swap(above, row);
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t change = above[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({change, row[j - 1] + 1, above[j] + 1});
      const bool is_swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (is_swapped) row[j] = std::min(row[j], before[j - 2] + 1);
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

std::string quoted_up_to(std::size_t most, std::string_view text) {
  std::string out = "\"";
  const std::string_view shown = text.substr(0, most);
  for (std::size_t k = 0; k < shown.size(); ++k) {
    if (shown[k] == '"' || shown[k] == '\\') out += '\\';
    append_escaped(out, shown, k);
  }
  return out + (text.size() > most ? "...\"" : "\"");
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

std::string quote(std::string_view text) { return quoted_up_to(kMostQuoted, text); }

std::string quote_path(std::string_view path) { return quoted_up_to(kLongestPath, path); }

std::size_t width_of(std::string_view text) {
  // Every byte but the continuation bytes 10xxxxxx starts a character.
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return (static_cast<int>(c) & 0xc0) != 0x80; }));
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
