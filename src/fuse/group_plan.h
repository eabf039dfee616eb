// GroupPlan: how the work of a stage fits into the workgroups of another one.

#pragma once

#include <cstdint>
#include <expected>
#include <optional>
#include <vector>

#include "fuse/cores.h"
#include "fuse/groups.h"

namespace vyre::fuse {

enum class GroupForm : std::uint8_t { bodies, elements, numbers };

struct GroupPlan {
  GroupForm form = GroupForm::bodies;
  bool keeps_producer = true;  // the launch that stays; its body stays as it is
  GroupLaunch launch{};        // not for bodies
  Domain moved{};              // not for bodies: of the other stage
  // Of elements: the count of columns, in the moved stage's symbols. A moved domain with two
  // numbers has the row as number `row_axis`; one with one number has row * row_size + column.
  std::optional<bounds::Poly> row_size{};
  std::size_t row_axis = 0;
};

// All ways that launches and domains allow. The plans are not checked for sharing. The refusal
// says why there is none; no refusal and no plan means that no form fits.
struct GroupPlans {
  std::vector<GroupPlan> plans{};
  std::optional<Refusal> refusal{};
};
GroupPlans plan_groups(const CoreParts& parts);

// Both halves with a barrier between them. The result may have barriers that not all invocations
// reach, so it must be validated.
std::expected<JoinedCores, Refusal> write_groups(const CoreParts& parts, const GroupPlan& plan);

}  // namespace vyre::fuse
