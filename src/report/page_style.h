// The look of a report's page, and its one script, which sorts tables.

#pragma once

#include <string_view>

namespace vyre::report {

// CSS for a light and a dark page, from the width of a phone on. Text has a contrast of 4.5 or more
// in both.
std::string_view page_style();

// The page allows this script by its hash and no other: text from outside cannot run, even if it
// were not escaped.
std::string_view page_script();
std::string_view page_script_hash();  // SHA-256 in base64

}  // namespace vyre::report
