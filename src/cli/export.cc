#include "cli/export.h"

#include <fmt/format.h>

#include "base/json.h"

namespace vyre::cli {
namespace {

void print_v1(const std::vector<Listed>& listed) {
  std::vector<std::string> lines;
  for (const Listed& l : listed) {
    const auto size = workgroup_of(l.decision.config);
    if (l.key.version != 1 || !size) continue;
    lines.push_back(fmt::format("\"{}\" = [{}, {}, {}]\n", to_string(l.key), (*size)[0], (*size)[1],
                                (*size)[2]));
  }
  std::ranges::sort(lines);
  lines.erase(std::unique(lines.begin(), lines.end()), lines.end());
  for (const std::string& line : lines) fmt::print("{}", line);
}

// Only ASCII comes out of print_content, and a literal may not end in an open escape.
std::string c_literal(std::string_view line) {
  std::string out = "\"";
  for (const char c : line) {
    if (c == '"' || c == '\\' || c == '?') out += '\\';
    out += c;
  }
  return out + "\\n\"";
}

void print_header(const std::vector<Listed>& listed) {
  FileContent content;
  for (const Listed& l : listed) {
    content.entries.push_back({l.key, l.identity_id, l.decision});
    if (!l.identity_id.empty()) content.identities.emplace(l.identity_id, l.identity);
  }
  const std::string text = print_content(content);
  fmt::print(
      "/* Decisions of vyre, for CacheOptions::embedded. */\n"
      "static const char kVyreDecisions[] =\n");
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = text.find('\n', at);
    fmt::print("    {}\n", c_literal(std::string_view(text).substr(at, end - at)));
    at = end + 1;
  }
  fmt::print("    ;\n");
}

}  // namespace

Expected<void> print_json(const std::vector<Listed>& listed) {
  Json out = Json::array();
  for (const Listed& l : listed) out.push_back(to_json(l));
  // Paths may be any bytes.
  fmt::print("{}\n", out.dump(2, ' ', false, Json::error_handler_t::replace));
  return {};
}

Expected<void> print_as(const std::string& format, const std::vector<Listed>& listed) {
  if (format == "json") return print_json(listed);
  format == "v1" ? print_v1(listed) : print_header(listed);
  return {};
}

}  // namespace vyre::cli
