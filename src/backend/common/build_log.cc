#include "backend/common/build_log.h"

#include <fmt/format.h>

#include <vector>

namespace vyre::backend {
namespace {

constexpr std::size_t kShownBytes = 400;

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    if (line.find_first_not_of(" \t\r") != std::string_view::npos) lines.push_back(line);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

void append_printable(std::string& out, std::string_view line) {
  line.remove_prefix(line.find_first_not_of(" \t\r"));
  for (const char c : line) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte != '\r') out += byte < 0x20 || byte == 0x7f ? ' ' : c;
  }
}

}  // namespace

std::string shortened_log(std::string_view log) {
  std::vector<std::string_view> lines;
  const std::vector<std::string_view> all = lines_of(log);
  for (const std::string_view line : all) {
    if (line.find("error") != std::string_view::npos) lines.push_back(line);
  }
  if (lines.empty()) lines = all;
  if (lines.empty()) return "the compiler says nothing";
  std::string out;
  std::size_t shown = 0;
  for (; shown < lines.size() && out.size() < kShownBytes / 2; ++shown) {
    if (shown > 0) out += "; ";
    append_printable(out, lines[shown].substr(0, kShownBytes / 2));
  }
  if (shown < lines.size()) out += fmt::format("; and {} more lines", lines.size() - shown);
  return out;
}

}  // namespace vyre::backend
