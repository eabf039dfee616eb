// The facts of a decision, in the words in which people read them: what was chosen, how much faster
// it is, and on which evidence. `vyre explain` prints them, a report shows them.

#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "vyre/decisions.h"

namespace vyre::report {

// A decision, with its file and key.
struct Listed {
  std::filesystem::path file = {};
  Key key = {};
  std::string identity_id = {};  // empty: a line of the original's form
  Identity identity = {};
  Decision decision = {};
  // Whether a device of this machine would be served with it; none: nobody has looked.
  std::optional<bool> is_today = {};
};

struct Fact {
  std::string title;  // one word or two
  std::string text;   // may hold any bytes of names
};

// In the order in which they should be read.
std::vector<Fact> facts_of(const Listed& listed);

// One line for the key and one for each fact, each with its end.
std::string lines_of(const Key& key, const std::vector<Fact>& facts);

}  // namespace vyre::report
