// Figure: panels of curves and marks, drawn as an SVG that needs no fonts and no scripts, with
// colours for a light and a dark page.
//
// The same figure gives the same bytes everywhere. Text may be any bytes: it is escaped, and bytes
// that XML cannot hold are replaced. Points that are not finite are left out; points outside the
// axes are moved to the edge.

#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "report/plot_axis.h"
#include "report/svg.h"

namespace vyre::report {

struct Vertex {
  double x = 0;
  double y = 0;
};

struct Span {
  double x = 0;
  double low = 0;
  double high = 0;
};

// People who do not see all colours can tell these apart too. The first is for the series that
// others are compared with.
enum class Ink : std::uint8_t { grey, blue, orange, green, purple, red };
inline constexpr std::size_t kInks = 6;

enum class Draw : std::uint8_t { steps, dashed_steps, dots, faint_dots, crosses };

struct Series {
  std::string label = {};  // in the legend once, even if several panels have it; empty: not there
  Ink ink = Ink::grey;
  Draw draw = Draw::steps;          // steps: each y holds until the next x
  std::vector<Vertex> points = {};  // by ascending x
  std::vector<Span> band = {};      // behind all lines; by ascending x
};

struct Panel {
  std::string title;
  Axis x = {};
  Axis y = {};
  std::vector<Series> series = {};  // later ones in front
  double height = 220;              // of the inner part
};

struct Figure {
  std::string title;
  std::string caption = {};  // below; lines end with '\n'
  std::vector<Panel> panels = {};
  std::size_t columns = 1;
  double panel_width = 280;  // of the inner part
};

// In a page the title is what a screen reader says, and the caption is left out: the page has both
// as text.
std::string to_svg(const Figure& figure, Form form = Form::file);

}  // namespace vyre::report
