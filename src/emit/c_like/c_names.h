// Names: one identifier of the target language for each name of a program.
//
// A name stays as it is unless the language, its built-in functions, its headers or the emitter
// use it; then it gets "v_" in front. Different names stay different, so scopes in the output are
// the program's own.

#pragma once

#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>

namespace vyre::emit {

// The words of a language beyond those of C.
struct ReservedWords {
  std::string_view words;                        // with a space before and after each
  std::span<const std::string_view> prefixes{};  // no name may start like this
  std::span<const std::string_view> numbered{};  // reserved alone and with digits behind: "float4"
};

// Whether the language uses the word: its own words, keywords and names of C that no language of
// the family leaves free, names that start with an underscore or hold two in a row, and words in
// capitals only, since any of them may be a macro.
bool is_reserved(const ReservedWords& language, std::string_view word);

class Names {
 public:
  // Keeps a reference to `language`.
  explicit Names(const ReservedWords& language) : language_(language) {}

  // For a name of the program. Ask for the names of all declarations and variables before the first
  // `derived`, so that derived names give way.
  const std::string& of(const std::string& name);

  // For a name that the emitter makes from a name of the program: "x_length".
  const std::string& derived(const std::string& name, std::string_view suffix);

 private:
  const std::string& unique(std::string key, std::string wish);

  const ReservedWords& language_;
  std::map<std::string, std::string> names_;
  std::set<std::string> taken_;
};

}  // namespace vyre::emit
