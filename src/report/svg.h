// The elements that all drawings are made of, and the colours that they share.
//
// A drawing is an SVG that needs no fonts and no scripts, for a light and a dark page. Any text is
// safe in it: it is escaped, and bytes that XML cannot hold are replaced.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace vyre::report {

inline constexpr double kCharacter = 6.6;  // pixels, a wide guess: what is too long is cut by it

// Where a drawing is used: as a file of its own, which has the style in it; or within an HTML page,
// which has drawing_style() once for all its drawings.
enum class Form : std::uint8_t { file, page };

// A place of the drawing, or its size, in pixels.
struct Corner {
  double x = 0;
  double y = 0;
};

// In pixels, to a tenth of one.
std::string number(double value);

// `attributes` is written as it is.
std::string text_at(const Corner& at, std::string_view text, std::string_view attributes);

// As much of the text as fits into so many pixels, counted in characters.
std::string cut(std::string_view text, double width);

std::string_view drawing_style();

// The whole element around `body`. `title` says to people who cannot see it what is drawn.
std::string drawing(const Corner& size, std::string_view title, std::string_view body, Form form);

}  // namespace vyre::report
