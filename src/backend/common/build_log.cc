#include "backend/common/build_log.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <vector>

namespace vyre::backend {
namespace {

// Compilers made of clang stop after 20 errors, and those are shown.
constexpr std::size_t kShownBytes = 8800;
constexpr std::size_t kShownOfLine = 400;

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

// "k.cl:3:4: error: ...", "error: k.cl:3:4: ..." and "ptxas error   : ...", but neither a warning
// of error.cl nor "2 errors generated.".
bool tells_error(std::string_view line) {
  constexpr std::string_view kWord = "error";
  for (std::size_t at = line.find(kWord); at != line.npos; at = line.find(kWord, at + 1)) {
    const std::size_t next = line.find_first_not_of(' ', at + kWord.size());
    if (next != line.npos && line[next] == ':') return true;
  }
  return false;
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
  std::ranges::copy_if(all, std::back_inserter(lines), tells_error);
  const auto says_error = [](std::string_view line) { return line.find("error") != line.npos; };
  if (lines.empty()) std::ranges::copy_if(all, std::back_inserter(lines), says_error);
  if (lines.empty()) lines = all;
  if (lines.empty()) return "the compiler says nothing";
  std::string out;
  std::size_t shown = 0;
  for (; shown < lines.size() && out.size() + kShownOfLine <= kShownBytes; ++shown) {
    if (shown > 0) out += "; ";
    append_printable(out, lines[shown].substr(0, kShownOfLine));
  }
  if (shown < lines.size()) out += fmt::format("; and {} more lines", lines.size() - shown);
  return out;
}

}  // namespace vyre::backend
