// Table: rows of text in aligned columns, as every subcommand prints them.

#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace vyre::cli {

enum class Align : bool { left, right };

struct Column {
  std::string title;
  Align align = Align::left;
};

class Table {
 public:
  explicit Table(std::vector<Column> columns) : columns_(std::move(columns)) {}

  // Missing cells are empty, surplus ones are dropped.
  void add(std::vector<std::string> cells);

  // Titles, then the rows, two spaces between columns, no space at the end of a line. Aligned by
  // characters, not bytes, so that "12 µs" takes five.
  std::string text() const;

 private:
  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;
};

// How many characters the UTF-8 text has.
std::size_t width_of(std::string_view text);

}  // namespace vyre::cli
