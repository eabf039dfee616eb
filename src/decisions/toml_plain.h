// A fast reader for the spelling of print_toml.
//
// A text that it accepts means the same to any TOML reader. It gives up at the first byte that
// print_toml would not have written there: another spelling, names out of order (so that no name
// can be there twice), anything beyond ASCII that is not escaped. It takes every text that
// print_toml writes: a text that it does not take is somebody else's, and has a lower limit.

#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "decisions/toml.h"

namespace vyre::toml {

// What a sink made of an entry.
enum class Taken : std::uint8_t {
  wholly,
  partly,    // some of its nodes are kept
  too_many,  // reading ends here
};

// Given the entries of the tables [outer.inner] of one `outer`, each as soon as it is read. A table
// without a name keeps its own. The sink may move from the value; the reader uses what it leaves
// there, emptied, for the next one.
struct EntrySink {
  std::string_view outer = {};
  std::function<Taken(const std::string& inner, const std::string& name, Node& value)> take = {};
  // Nodes take many times the memory of their text, and a file may have 256 MiB. So there are never
  // more than this, the ones counted that the sink has taken only partly.
  std::uint64_t most_nodes = UINT64_MAX;
};

// None: print_toml would not have written this text, or the sink has set an end to it; the sink may
// have been given entries by then. Tables whose entries went to the sink stay empty.
std::optional<Table> read_plain(std::string_view text, const EntrySink& sink = {});

}  // namespace vyre::toml
