// Reside: a scratch buffer lives in an output instead of in memory of its own.
//
// A row of exponentials that is summed up and then divided needs no buffer besides the output: each
// element of the output is written behind the last use of the same scratch element. So the scratch
// buffer's elements can be stored in the output until then.
//
// Invocations of a workgroup run side by side. So where a workgroup owns a row, "behind" means
// behind a barrier, or the same invocation and the same element.

#pragma once

#include <cstdint>
#include <vector>

#include "vyre/program.h"

namespace vyre::fuse {

// To whom the elements of a row belong.
struct RowOwner {
  // Variables of the frame: for two different values of these, no element of a buffer that may be
  // dropped is touched by both.
  std::vector<std::uint32_t> numbers{};
  bool is_group = false;  // the same for two different workgroups, and there are no numbers
};

// `may_drop`: by buffer of the program. The program must be valid.
ir::Program reside(const ir::Program& program, const RowOwner& owner,
                   const std::vector<bool>& may_drop);

}  // namespace vyre::fuse
