// Which words may be names in the text form. `validate` allows exactly the names that `parse` can
// read back.

#pragma once

#include <string_view>

namespace vyre::ir {

// [A-Za-z_][A-Za-z0-9_]*, reserved or not.
bool is_identifier(std::string_view text);

// Words that begin a declaration or a statement, type names, `true`, `false`, `else` and `_`.
// Functions (`min`, `length`, `global_id`) and words inside a statement (`step`, `limit`) are known
// by their place, so they stay free for names.
bool is_reserved(std::string_view text);

}  // namespace vyre::ir
