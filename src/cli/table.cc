#include "cli/table.h"

#include <algorithm>

#include "base/text.h"

namespace vyre::cli {
namespace {

void append_cell(std::string& line, const std::string& cell, std::size_t width, Align align) {
  const std::string padding(width - width_of(cell), ' ');
  line += align == Align::right ? padding + cell : cell + padding;
}

}  // namespace

std::size_t width_of(std::string_view text) {
  // Every byte but the continuation bytes 10xxxxxx starts a character.
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return (static_cast<int>(c) & 0xc0) != 0x80; }));
}

void Table::add(std::vector<std::string> cells) {
  cells.resize(columns_.size());
  for (std::string& cell : cells) cell = escaped(cell);
  rows_.push_back(std::move(cells));
}

std::string Table::text() const {
  std::vector<std::vector<std::string>> lines(1);
  for (const Column& column : columns_) lines[0].push_back(column.title);
  lines.insert(lines.end(), rows_.begin(), rows_.end());

  std::vector<std::size_t> widths(columns_.size(), 0);
  for (const auto& line : lines) {
    for (std::size_t i = 0; i < line.size(); ++i) {
      widths[i] = std::max(widths[i], width_of(line[i]));
    }
  }
  std::string out;
  for (const auto& line : lines) {
    std::string row;
    for (std::size_t i = 0; i < line.size(); ++i) {
      if (i > 0) row += "  ";
      append_cell(row, line[i], widths[i], columns_[i].align);
    }
    row.erase(row.find_last_not_of(' ') + 1);
    out += row + "\n";
  }
  return out;
}

}  // namespace vyre::cli
