// Heatmap: a number for each pair of values of two parameters, as a grid of shaded cells.

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "report/svg.h"

namespace vyre::report {

enum class CellState : std::uint8_t { untried, failed, measured };

struct Cell {
  CellState state = CellState::untried;
  double times = 1;  // of `measured`: how many times the least number of the grid; 1 or more
};

struct Heatmap {
  std::string title;
  std::string x_label = {};
  std::string y_label = {};
  std::vector<std::string> x = {};  // a name for each column
  std::vector<std::string> y = {};  // and for each row
  std::vector<Cell> cells = {};     // row after row: y.size() * x.size()
};

// Shades go by the logarithm, from 1 to kPalest times and more. Numbers stand in the cells where
// there is room.
inline constexpr double kPalest = 4;
std::string to_svg(const Heatmap& heatmap, Form form = Form::file);

}  // namespace vyre::report
