#include "emit/c_like/c_names.h"

#include <algorithm>
#include <array>
#include <cstdint>

namespace vyre::emit {
namespace {

constexpr std::array<std::string_view, 46> kWords{
    "auto",   "break",    "case",     "char",   "const",    "continue", "default", "do",
    "double", "else",     "enum",     "extern", "float",    "for",      "goto",    "if",
    "inline", "int",      "long",     "main",   "register", "restrict", "return",  "short",
    "signed", "sizeof",   "static",   "struct", "switch",   "typedef",  "union",   "unsigned",
    "void",   "volatile", "while",    "asm",    "typeof",   "bool",     "true",    "false",
    "class",  "template", "operator", "this",   "linux",    "unix"};

// A single capital is a usual name for a shape, and no macro.
bool in_capitals(std::string_view word) {
  const bool lower = std::ranges::any_of(word, [](char c) { return c >= 'a' && c <= 'z'; });
  return word.size() > 1 && !lower;
}

// No underscore at the start, no two in a row.
std::string without_odd_underscores(std::string_view word) {
  std::string out;
  for (const char c : word) {
    if (c != '_' || (!out.empty() && out.back() != '_')) out += c;
  }
  return out;
}

bool is_reserved_in_c(std::string_view word) {
  if (word.starts_with('_') || word.find("__") != std::string_view::npos) return true;
  if (word.starts_with("vyre_") || in_capitals(word)) return true;
  return std::ranges::find(kWords, word) != kWords.end();
}

}  // namespace

bool is_reserved(const ReservedWords& language, std::string_view word) {
  if (is_reserved_in_c(word)) return true;
  const std::string_view stem = word.substr(0, word.find_last_not_of("0123456789") + 1);
  if (std::ranges::find(language.numbered, stem) != language.numbered.end()) return true;
  const auto begins = [&](std::string_view prefix) { return word.starts_with(prefix); };
  if (std::ranges::any_of(language.prefixes, begins)) return true;
  return language.words.find(" " + std::string(word) + " ") != std::string_view::npos;
}

const std::string& Names::of(const std::string& name) { return unique(name, name); }

const std::string& Names::derived(const std::string& name, std::string_view suffix) {
  // No name of a program has a space.
  return unique(name + " " + std::string(suffix), name + "_" + std::string(suffix));
}

const std::string& Names::unique(std::string key, std::string wish) {
  if (const auto it = names_.find(key); it != names_.end()) return it->second;
  if (is_reserved(language_, wish)) wish = "v_" + without_odd_underscores(wish);
  std::string name = wish;
  for (std::uint32_t count = 2; taken_.contains(name); ++count) {
    name = wish + "_" + std::to_string(count);
  }
  taken_.insert(name);
  return names_.emplace(std::move(key), std::move(name)).first->second;
}

}  // namespace vyre::emit
