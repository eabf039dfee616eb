// Element rules: what a number over all elements becomes in a frame of rows and columns.

#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "fuse/reindex.h"
#include "fuse/sizes.h"

namespace vyre::fuse {

// number = row * row_size + column, all in the values of `of`.
struct ElementNumber {
  const Analysed& of;
  bounds::Poly number;
  bounds::Poly row_size;
};

// Names the element in the open block of `to`, where `row` and `column` are variables. Quotient and
// remainder of the number by the size become the row and the column. None if the size cannot be
// written there.
std::optional<std::vector<ReindexRule>> element_rules(const ElementNumber& element,
                                                      std::uint32_t row, std::uint32_t column,
                                                      ir::ProgramWriter& to);

}  // namespace vyre::fuse
