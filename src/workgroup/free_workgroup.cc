#include <algorithm>

#include "ir/ops.h"
#include "vyre/substrate/workgroup.h"

namespace vyre {
namespace {

constexpr std::array<ir::ExprId, 3> kUndeclared{ir::kNone, ir::kNone, ir::kNone};
constexpr auto kGlobalX = static_cast<std::uint32_t>(ir::IdKind::global_id) * 3;

bool is_fixed(const ir::Expr& e) { return e.op == ir::Op::id && e.index != kGlobalX; }
bool is_local(const ir::Buffer& b) { return b.access == ir::Access::local; }
bool is_shared(const ir::Stmt& s) {
  return s.kind == ir::StmtKind::barrier || s.kind == ir::StmtKind::atomic;
}

}  // namespace

bool has_free_workgroup(const ir::Sequence& sequence) {
  const ir::SequenceDef& def = sequence.def();
  if (def.steps.size() != 1 || def.repeat || !sequence.tunables().empty()) return false;
  const ir::Program& program = def.programs[def.steps[0].program];
  return !program.source && program.grid == kUndeclared &&
         std::ranges::none_of(program.exprs, is_fixed) &&
         std::ranges::none_of(program.buffers, is_local) &&
         std::ranges::none_of(program.stmts, is_shared);
}

}  // namespace vyre
