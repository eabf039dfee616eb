#include "testing/xml.h"

#include <array>
#include <optional>
#include <regex>
#include <vector>

namespace vyre::testing {
namespace {

constexpr std::array<std::string_view, 5> kEntities{"&amp;", "&lt;", "&gt;", "&quot;", "&apos;"};

std::string near(std::string_view what, std::string_view text) {
  return std::string(what) + " near " + std::string(text.substr(0, 40));
}

std::optional<std::string> text_problem(std::string_view text) {
  for (std::size_t k = 0; k < text.size(); ++k) {
    const auto byte = static_cast<unsigned char>(text[k]);
    if (byte < 0x20 && byte != '\n') return near("a control character", text);
    if (text[k] != '&') continue;
    bool is_entity = false;
    for (const std::string_view entity : kEntities) {
      is_entity = is_entity || text.substr(k).starts_with(entity);
    }
    if (!is_entity) return near("a bare &", text.substr(k));
  }
  return std::nullopt;
}

}  // namespace

std::string xml_problem(std::string_view text) {
  static const std::regex kTag(R"re(<(/?)([A-Za-z]+)((?: [A-Za-z-]+="[^"<]*")*)(/?)>)re");
  if (const auto problem = text_problem(text)) return *problem;
  std::vector<std::string> open;
  bool has_root = false;
  std::size_t at = 0;
  for (at = text.find('<'); at != std::string_view::npos; at = text.find('<', at + 1)) {
    std::cmatch tag;
    const char* begin = text.data() + at;
    const std::size_t length = std::min(text.find('>', at), text.size() - 1) - at + 1;
    if (!std::regex_match(begin, begin + length, tag, kTag)) return near("no tag", text.substr(at));
    if (tag[1].length() == 0) {
      if (open.empty() && has_root) return near("a second root", text.substr(at));
      has_root = true;
      if (tag[4].length() == 0) open.push_back(tag[2]);
    } else {
      if (open.empty() || open.back() != tag[2]) return near("a stray end", text.substr(at));
      open.pop_back();
    }
  }
  if (!open.empty()) return "not closed: " + open.back();
  return has_root ? "" : "no element";
}

}  // namespace vyre::testing
