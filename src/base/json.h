// JSON from outside: parsed without exceptions, and within limits of depth and size.

#pragma once

#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "vyre/error.h"

namespace vyre {

using Json = nlohmann::ordered_json;

// A member of a document's outermost object, or one element of the member that is read in pieces.
struct JsonMember {
  std::string_view name;
  std::optional<std::size_t> index;
  Json value;
};

// Gives the outermost object's members to `take` one after the other. The elements of the array
// `in_pieces`, if any, are given singly, so that a large document is never in memory as a whole.
// Stops at the first error, of the text ("line 3, column 7: ...") or of `take`. Of two members of
// the same name in one object, the first counts.
Expected<void> stream_json(std::string_view text, std::optional<std::string_view> in_pieces,
                           const std::function<Expected<void>(JsonMember)>& take);

// The whole document, which must be an object.
Expected<Json> parse_json(std::string_view text);

}  // namespace vyre
