// CSV text, record by record: quoted fields with doubled quotes and line breaks inside, lines that
// end in \n or \r\n, blank lines skipped, a byte order mark skipped.

#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "vyre/error.h"

namespace vyre::recording {

class CsvReader {
 public:
  explicit CsvReader(std::string_view text);

  // Reads the next record; false at the end of the text. Errors do not name the line: line() gives
  // it.
  Expected<bool> next(std::vector<std::string>& fields);

  // The line of the record read last, or of the error; counted from 1.
  std::size_t line() const { return line_; }

 private:
  Expected<std::string> field();
  Expected<std::string> quoted_field();
  bool skip_blank_line();
  void skip_line_end();
  bool at_line_end() const;

  std::string_view rest_;
  std::size_t line_ = 0;
  std::size_t next_line_ = 1;
};

}  // namespace vyre::recording
