#include "fuse/groups.h"

#include <algorithm>

#include "bounds/radix.h"
#include "ir/ops.h"

namespace vyre::fuse {
namespace {

using bounds::Poly;
using ir::IdKind;

constexpr std::uint32_t kAxes = 3;

bool has_stmt(const ir::Program& program, ir::StmtKind kind) {
  return std::ranges::any_of(program.stmts, [&](const ir::Stmt& s) { return s.kind == kind; });
}

// Axes on which there is more than one of a kind.
std::vector<std::uint32_t> axes_of(const bounds::Accesses& accesses, IdKind count) {
  std::vector<std::uint32_t> out;
  for (std::uint32_t axis = 0; axis < kAxes; ++axis) {
    if (accesses.id(count, axis) != Poly(1)) out.push_back(axis);
  }
  return out;
}

}  // namespace

bool is_cooperative(const ir::Program& program) {
  const auto is_local = [](const ir::Buffer& b) { return b.access == ir::Access::local; };
  return has_stmt(program, ir::StmtKind::barrier) || std::ranges::any_of(program.buffers, is_local);
}

bool works_by_groups(const ir::Program& program) {
  return is_cooperative(program) || std::ranges::any_of(program.exprs, [](const ir::Expr& e) {
           return e.op == ir::Op::id && ir::id_kind(e.index) == IdKind::group_id;
         });
}

bool has_return(const ir::Program& program) { return has_stmt(program, ir::StmtKind::return_); }

std::vector<bounds::Atom> group_atoms(const bounds::Accesses& accesses) {
  std::vector<bounds::Atom> out;
  for (std::uint32_t axis = 0; axis < kAxes; ++axis) {
    const auto atom = bounds::as_atom(accesses.id(IdKind::group_id, axis));
    if (atom) out.push_back(*atom);
  }
  return out;
}

std::optional<GroupLaunch> find_group_launch(const bounds::Accesses& accesses) {
  const auto rows = axes_of(accesses, IdKind::groups);
  const auto lanes = axes_of(accesses, IdKind::local_size);
  if (rows.size() != 1 || lanes.size() > 1) return std::nullopt;
  return GroupLaunch{rows[0], lanes.empty() ? 0 : lanes[0], accesses.id(IdKind::groups, rows[0])};
}

}  // namespace vyre::fuse
