#include "report/heatmap.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/check.h"
#include "base/text.h"
#include "report/escape_xml.h"

namespace vyre::report {
namespace {

// Pixels.
constexpr double kNames = 78;       // of rows, beside the grid
constexpr double kGrid = 300;       // width of the grid
constexpr double kCellHeight = 24;  // a cell
constexpr double kWidest = 60;
constexpr double kNeedsForNumber = 30;
constexpr int kShades = 7;

int shade_of(double times) {
  const double share = std::log(std::max(times, 1.0)) / std::log(kPalest);
  return std::clamp(static_cast<int>(share * (kShades - 1) + 0.5), 0, kShades - 1);
}

std::string times_text(double times) {
  return times < 9.95 ? fmt::format("{:.2f}", times)
                      : fmt::format("{:.0f}", std::min(times, 9999.0));
}

struct Place {
  Corner corner = {};
  double width = 0;
};

std::string said_of(const Heatmap& map, std::size_t row, std::size_t column, const Cell& cell) {
  const std::string where =
      fmt::format("{} = {}, {} = {}", map.y_label, map.y[row], map.x_label, map.x[column]);
  if (cell.state == CellState::untried) return where + ": not tried";
  if (cell.state == CellState::failed) return where + ": failed";
  return fmt::format("{}: {} times the fastest", where, times_text(cell.times));
}

std::string cell_svg(const Place& at, const Cell& cell, std::string_view said) {
  const bool is_measured = cell.state == CellState::measured;
  std::string out = fmt::format(
      "<rect class=\"cell {}\" x=\"{}\" y=\"{}\" width=\"{}\" "
      "height=\"{}\"><title>{}</title></rect>\n",
      is_measured ? fmt::format("q{}", shade_of(cell.times)) : "q", number(at.corner.x),
      number(at.corner.y), number(at.width - 1), number(kCellHeight - 1), escape_xml(said));
  const Corner middle{at.corner.x + at.width / 2, at.corner.y + kCellHeight / 2 + 4};
  if (cell.state == CellState::failed) return out + text_at(middle, "×", "text-anchor=\"middle\"");
  if (!is_measured || at.width < kNeedsForNumber) return out;
  return out + text_at(middle, times_text(cell.times), "text-anchor=\"middle\"");
}

// Below narrow columns every so many names are left out, so that the others can be read.
std::string column_names(const Heatmap& map, double left, double y, double width) {
  std::size_t longest = 1;
  for (const std::string& name : map.x) longest = std::max(longest, width_of(name));
  const double needs = std::min(kCharacter * static_cast<double>(longest) + 6, kGrid);
  const auto every = static_cast<std::size_t>(std::max(1.0, std::ceil(needs / width)));
  std::string out;
  for (std::size_t k = 0; k < map.x.size(); k += every) {
    const double middle = left + width * (static_cast<double>(k) + 0.5);
    const double room = width * static_cast<double>(every);
    out += text_at({middle, y}, cut(map.x[k], room), "class=\"dim\" text-anchor=\"middle\"");
  }
  return out;
}

}  // namespace

std::string to_svg(const Heatmap& map, Form form) {
  VYRE_CHECK(map.cells.size() == map.x.size() * map.y.size());
  const double top = form == Form::file ? 64 : 24;
  const double width = std::min(kWidest, kGrid / std::max(1.0, static_cast<double>(map.x.size())));
  std::string body;
  if (form == Form::file) body = text_at({4, 28}, map.title, "class=\"title\"");
  body += text_at({4, top - 8}, cut(map.y_label + " ↓", kNames + kGrid), "");
  for (std::size_t row = 0; row < map.y.size(); ++row) {
    const double y = top + kCellHeight * static_cast<double>(row);
    body += text_at({kNames - 6, y + kCellHeight / 2 + 4}, cut(map.y[row], kNames - 8),
                    "class=\"dim\" text-anchor=\"end\"");
    for (std::size_t column = 0; column < map.x.size(); ++column) {
      const Cell& cell = map.cells[row * map.x.size() + column];
      const Place at{{kNames + width * static_cast<double>(column), y}, width};
      body += cell_svg(at, cell, said_of(map, row, column, cell));
    }
  }
  const double bottom = top + kCellHeight * static_cast<double>(map.y.size());
  body += column_names(map, kNames, bottom + 15, width);
  body += text_at({kNames, bottom + 33}, cut(map.x_label + " →", kGrid), "");
  return drawing({kNames + kGrid + 8, bottom + 40}, map.title, body, form);
}

}  // namespace vyre::report
