// Table: rows of text in aligned columns, as every subcommand prints them.

#pragma once

#include <cstddef>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace vyre::cli {

// Characters in a line of a terminal that nobody has made wider.
inline constexpr std::size_t kTerminalWidth = 80;
inline constexpr std::size_t kAnyWidth = std::numeric_limits<std::size_t>::max();

enum class Align : bool { left, right };

struct Column {
  std::string title;
  Align align = Align::left;
};

class Table {
 public:
  // `width`: most characters of a line. Where the columns need more, the first cell of each row
  // gets a line of its own, and the others stand below it.
  explicit Table(std::vector<Column> columns, std::size_t width = kAnyWidth)
      : columns_(std::move(columns)), width_(width) {}

  // Missing cells are empty, surplus ones are dropped.
  void add(std::vector<std::string> cells);
  // A sentence below the last row, indented, in as many lines as the width asks for. Empty: none.
  void note(std::string text);

  // Titles, then the rows, two spaces between columns, no space at the end of a line. Aligned by
  // characters, not bytes, so that "12 µs" takes five. A word that is longer than a line stays
  // whole.
  std::string text() const;

 private:
  struct Row {
    std::vector<std::string> cells;
    std::vector<std::string> notes = {};
  };

  std::vector<std::size_t> widths(const std::vector<Row>& rows) const;
  std::string line_of(const Row& row, const std::vector<std::size_t>& widths, bool is_wide) const;

  std::vector<Column> columns_;
  std::size_t width_;
  std::vector<Row> rows_;
};

// The text in lines of at most `width` characters, broken at spaces. A word that is longer stays
// whole.
std::vector<std::string> broken_at(std::string_view text, std::size_t width);

}  // namespace vyre::cli
