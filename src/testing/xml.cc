#include "testing/xml.h"

#include <array>
#include <optional>
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

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

// Takes as many characters as `belongs` says from the front.
template <class Belongs>
std::string_view take_while(std::string_view& text, const Belongs& belongs) {
  std::size_t end = 0;
  while (end < text.size() && belongs(text[end])) ++end;
  const std::string_view out = text.substr(0, end);
  text.remove_prefix(end);
  return out;
}

bool take(std::string_view& text, std::string_view word) {
  if (!text.starts_with(word)) return false;
  text.remove_prefix(word.size());
  return true;
}

struct Tag {
  std::string name;
  bool is_end = false;
  bool is_empty = false;
};

// `text` from "<" to ">". By hand: a regular expression recurses for each character of a value.
std::optional<Tag> read_tag(std::string_view text) {
  Tag out;
  if (!take(text, "<")) return std::nullopt;
  out.is_end = take(text, "/");
  if (text.empty() || !is_letter(text[0])) return std::nullopt;
  out.name = take_while(text, [](char c) { return is_letter(c) || (c >= '0' && c <= '9'); });
  while (take(text, " ")) {
    if (take_while(text, [](char c) { return is_letter(c) || c == '-'; }).empty())
      return std::nullopt;
    if (!take(text, "=\"")) return std::nullopt;
    take_while(text, [](char c) { return c != '"' && c != '<'; });
    if (!take(text, "\"")) return std::nullopt;
  }
  out.is_empty = take(text, "/");
  return text == ">" ? std::optional(out) : std::nullopt;
}

}  // namespace

std::string xml_problem(std::string_view text) {
  if (const auto problem = text_problem(text)) return *problem;
  std::vector<std::string> open;
  bool has_root = false;
  std::size_t at = 0;
  for (at = text.find('<'); at != std::string_view::npos; at = text.find('<', at + 1)) {
    const std::size_t length = std::min(text.find('>', at), text.size() - 1) - at + 1;
    const auto tag = read_tag(text.substr(at, length));
    if (!tag) return near("no tag", text.substr(at));
    if (!tag->is_end) {
      if (open.empty() && has_root) return near("a second root", text.substr(at));
      has_root = true;
      if (!tag->is_empty) open.push_back(tag->name);
    } else {
      if (open.empty() || open.back() != tag->name) return near("a stray end", text.substr(at));
      open.pop_back();
    }
  }
  if (!open.empty()) return "not closed: " + open.back();
  return has_root ? "" : "no element";
}

}  // namespace vyre::testing
