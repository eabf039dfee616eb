#include "cli/table.h"

#include <algorithm>
#include <numeric>

#include "base/text.h"

namespace vyre::cli {
namespace {

constexpr std::string_view kGap = "  ";  // between columns, and before what belongs to a row

void append_cell(std::string& line, const std::string& cell, std::size_t width, Align align) {
  const std::string padding(width - width_of(cell), ' ');
  line += align == Align::right ? padding + cell : cell + padding;
}

std::string without_end(std::string line) {
  line.erase(line.find_last_not_of(' ') + 1);
  return line;
}

}  // namespace

std::vector<std::string> broken_at(std::string_view text, std::size_t width) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, end);
    const bool fits = !lines.empty() && width_of(lines.back()) + 1 + width_of(word) <= width;
    if (fits) {
      lines.back().append(" ").append(word);
    } else {
      lines.emplace_back(word);
    }
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

void Table::add(std::vector<std::string> cells) {
  cells.resize(columns_.size());
  for (std::string& cell : cells) cell = escaped(cell);
  rows_.push_back({std::move(cells)});
}

void Table::note(std::string text) {
  if (!text.empty()) rows_.back().notes.push_back(escaped(text));
}

std::vector<std::size_t> Table::widths(const std::vector<Row>& rows) const {
  std::vector<std::size_t> out(columns_.size(), 0);
  for (const Row& row : rows) {
    for (std::size_t i = 0; i < out.size(); ++i) {
      out[i] = std::max(out[i], width_of(row.cells[i]));
    }
  }
  return out;
}

// In a table that is too wide the first cell stands alone.
std::string Table::line_of(const Row& row, const std::vector<std::size_t>& widths,
                           bool is_wide) const {
  std::string out;
  std::string line;
  for (std::size_t i = 0; i < row.cells.size(); ++i) {
    if (is_wide && i == 0) {
      out += without_end(row.cells[0]) + "\n";
      continue;
    }
    if (i > 0) line += kGap;
    append_cell(line, row.cells[i], widths[i], columns_[i].align);
  }
  return out + without_end(line) + "\n";
}

std::string Table::text() const {
  std::vector<Row> rows(1);
  for (const Column& column : columns_) rows[0].cells.push_back(column.title);
  rows.insert(rows.end(), rows_.begin(), rows_.end());

  const std::vector<std::size_t> each = widths(rows);
  const std::size_t gaps = each.empty() ? 0 : kGap.size() * (each.size() - 1);
  const bool is_wide = std::accumulate(each.begin(), each.end(), gaps) > width_;
  std::string out;
  for (const Row& row : rows) {
    out += line_of(row, each, is_wide);
    for (const std::string& note : row.notes) {
      for (const std::string& line : broken_at(note, width_ - kGap.size())) {
        out.append(kGap).append(line).append("\n");
      }
    }
  }
  return out;
}

}  // namespace vyre::cli
