// Range: the integers from low to high. Ends of plus and minus kMostInt mean that there is no end.

#pragma once

#include "bounds/poly.h"

namespace vyre::bounds {

struct Range {
  Int low = 0;
  Int high = 0;

  bool operator==(const Range&) const = default;
};

Range product(const Range& a, const Range& b);
// All values of factor * x.
Range scaled(const Range& x, Int factor);
// An end that does not exist stays so, whatever is added to it.
Range sum(const Range& a, const Range& b);

Int floor_div(Int a, Int b);

}  // namespace vyre::bounds
