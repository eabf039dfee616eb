// Groups: what joins must know of programs in which a workgroup does the work of a row.

#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "bounds/accesses.h"
#include "vyre/program.h"

namespace vyre::fuse {

// Whether invocations of the program work together: it has a barrier or a local array.
bool is_cooperative(const ir::Program& program);
// The same, or its work depends on the number of the workgroup.
bool works_by_groups(const ir::Program& program);
bool has_return(const ir::Program& program);

// The numbers of the workgroup, on each axis that has more than one.
std::vector<bounds::Atom> group_atoms(const bounds::Accesses& accesses);

// A launch with one workgroup for each row, whose lanes are on one axis.
struct GroupLaunch {
  std::uint32_t row_axis = 0;
  std::uint32_t lane_axis = 0;
  bounds::Poly rows{};
};
// None if workgroups or lanes are counted on several axes, or there is one workgroup only.
std::optional<GroupLaunch> find_group_launch(const bounds::Accesses& accesses);

}  // namespace vyre::fuse
