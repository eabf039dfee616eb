// Rules for ids and counts. They trust nothing and never recurse, so they run first.

#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "ir/validate/inspection.h"

namespace vyre::ir {

// V001 to V006. In no particular order.
std::vector<Error> check_structure(const Program& program, std::string_view kind = "program",
                                   std::span<const Root> extra = {});

}  // namespace vyre::ir
