// Cores: two stages as one program, with both cores in the frame of one of them.
//
// Where two stages run their cores for the same numbers, the second core follows the first one in
// the first one's frame. Where one stage runs for each row and the other one for each element of
// the rows, the latter's core runs in a loop over the elements of a row. Each core still runs
// exactly once for each of its numbers. What changes is the order between the two cores: a number's
// consumer no longer waits for the producers of all other numbers. `check_sharing` proves that no
// element is shared between two numbers of the frame.

#pragma once

#include <expected>
#include <optional>
#include <string>
#include <vector>

#include "fuse/core_plan.h"
#include "fuse/sizes.h"
#include "fuse/stage.h"

namespace vyre::fuse {

struct JoinedCores {
  ir::Program program;
  std::vector<std::uint32_t> numbers;  // variables: the frame's numbers in front of the cores
  ir::StmtId first_moved = 0;          // statements from here to last_moved - 1 were moved
  ir::StmtId last_moved = 0;
  bool by_group = false;  // a row belongs to a workgroup, and there are no numbers
};

struct CoreParts {
  const ir::SequenceDef& sequence;
  const Analysed& producer;
  const Analysed& consumer;
  std::string kind;  // "merge" or "rows": the rules of refusals begin with it
};

std::expected<JoinedCores, Refusal> write_cores(const CoreParts& parts, const CorePlan& plan);

// Refuses where an element that one core writes may be touched by the other core for another
// number, or by another invocation or workgroup if there are no numbers. Returns whether some
// buffer is shared in segments of more than one element.
std::expected<bool, Refusal> check_sharing(const CoreParts& parts, const JoinedCores& joined);

// Refuses what cannot stand in another frame: barriers, early ends, arrays.
std::optional<Refusal> refuse_parts(const CoreParts& parts);
std::optional<Refusal> refuse_side(const CoreParts& parts, const Analysed& side);
// Refuses a consumer that starts a buffer as zeros which the producer touches.
std::optional<Refusal> refuse_zeroed(const CoreParts& parts);

}  // namespace vyre::fuse
