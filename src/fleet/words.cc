#include "fleet/words.h"

#include "base/error.h"
#include "base/text.h"

namespace vyre::fleet {

Expected<std::vector<std::string>> split_words(std::string_view command) {
  std::vector<std::string> out;
  bool is_in_word = false;
  char quoted_by = 0;
  for (std::size_t k = 0; k < command.size(); ++k) {
    const char c = command[k];
    const bool is_space = c == ' ' || c == '\t' || c == '\n';
    if (quoted_by == 0 && is_space) {
      is_in_word = false;
      continue;
    }
    if (!is_in_word) out.emplace_back();
    is_in_word = true;
    if (c == quoted_by) {
      quoted_by = 0;
    } else if (quoted_by == 0 && (c == '\'' || c == '"')) {
      quoted_by = c;
    } else if (c == '\\' && quoted_by != '\'' && k + 1 < command.size() &&
               (quoted_by == 0 || command[k + 1] == '"' || command[k + 1] == '\\')) {
      out.back() += command[++k];
    } else {
      out.back() += c;
    }
  }
  if (quoted_by != 0) return bad_inputs("{}: a quote is not closed; close it", quote(command));
  if (out.empty()) return bad_inputs("{}: there is no command; name a program", quote(command));
  return out;
}

}  // namespace vyre::fleet
