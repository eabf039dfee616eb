// Text that is safe to show, and names that are nearly right.

#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace vyre {

// The text with its control characters escaped, so that it stays within its line and changes
// nothing on a terminal.
std::string escaped(std::string_view text);

// The text itself if it could stand unquoted in a message, else quoted: for names from files that
// are usually words.
std::string quote_if_odd(std::string_view text);

// The text in double quotes, control characters and quotes escaped, cut after 80 bytes: fit for
// a one-line message whatever the input was.
std::string quote(std::string_view text);

// The same for the name of a file or folder, which is shown whole: a cut one names nothing. Names
// that are longer than any file's can be are cut.
std::string quote_path(std::string_view path);

// How many characters the UTF-8 text has.
std::size_t width_of(std::string_view text);

// The one of `known` that a user who typed `name` most likely meant, if any is near enough.
std::optional<std::string> nearest_name(std::string_view name, std::span<const std::string> known);

// "; did you mean "block_x"?" or an empty string.
std::string did_you_mean(std::string_view name, std::span<const std::string> known);

}  // namespace vyre
