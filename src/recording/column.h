// Column: the values of one parameter, gathered row by row while a recording is read.

#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "recording/text_value.h"
#include "vyre/recording.h"

namespace vyre::recording {

class Column {
 public:
  explicit Column(std::string name) : name_(std::move(name)) {}

  const std::string& name() const { return name_; }

  // A provisional index, the same for the same value; `finish` maps it to the final one.
  std::uint32_t add(Value value);

  struct Finished {
    space::Parameter parameter;
    std::vector<std::uint32_t> index_of;  // by provisional index
  };
  // Puts the values into the form that Recording promises. `numbers_from_text`: if each text of
  // the column is a number, they are numbers.
  Expected<Finished> finish(bool numbers_from_text) &&;

 private:
  std::string name_;
  std::vector<Value> values_;  // by first appearance
  std::unordered_map<Value, std::uint32_t> index_;
};

// Finishes the columns and puts their final indices into the recording's rows.
Expected<void> finish_columns(std::vector<Column> columns, bool numbers_from_text,
                              Recording& recording);

struct Repeated {
  std::size_t row;
  std::size_t first;
};
// The first row, in order, whose configuration an earlier one has.
std::optional<Repeated> find_repeated(const std::vector<Row>& rows);

}  // namespace vyre::recording
