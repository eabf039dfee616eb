// Any bytes as text of an XML document.

#pragma once

#include <string>
#include <string_view>

namespace vyre::report {

// For the inside of elements and attributes. Bytes that XML cannot hold are replaced.
std::string escape_xml(std::string_view text);

}  // namespace vyre::report
