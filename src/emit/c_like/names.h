// Names: one identifier of the target language for each name of a program.
//
// A name stays as it is unless the language, its built-in functions, its headers or the emitter
// use it; then it starts with "v_". Different names stay different, so scopes in the output are the
// program's own.

#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>

namespace vyre::emit {

class Names {
 public:
  // Whether the target language uses the word.
  using IsReserved = bool (*)(std::string_view word);

  explicit Names(IsReserved is_reserved) : is_reserved_(is_reserved) {}

  // For a name of the program. The names of all declarations and variables are to be asked for
  // before the first `derived`, so that those give way.
  const std::string& of(const std::string& name);

  // For something of the emitter's own that belongs to a name: "x_length".
  const std::string& derived(const std::string& name, std::string_view suffix);

 private:
  const std::string& unique(std::string key, std::string wish);

  IsReserved is_reserved_;
  std::map<std::string, std::string> names_;
  std::set<std::string> taken_;
};

// Keywords and names of C that no language of the family leaves free; names that start with an
// underscore or hold two in a row; words in capitals only, since any of them may be a macro.
bool is_reserved_in_c(std::string_view word);

}  // namespace vyre::emit
