// Whether text is XML as our own writers make it: enough to find a tag left open, a character that
// was not escaped, and bytes that XML cannot hold.

#pragma once

#include <string>
#include <string_view>

namespace vyre::testing {

// Empty if well-formed, else the mistake and the text near it. Knows elements, attributes in double
// quotes and the named entities; no comments, CDATA or declarations.
std::string xml_problem(std::string_view text);

}  // namespace vyre::testing
