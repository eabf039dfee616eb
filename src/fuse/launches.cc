#include "fuse/launches.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "fuse/same_expr.h"
#include "ir/rewrite/rewriter.h"

namespace vyre::fuse {
namespace {

// An axis of the workgroup or the grid that is left out is 1.
bool is_same_axis(const ir::Program& a, ir::ExprId x, const ir::Program& b, ir::ExprId y) {
  if (x == ir::kNone || y == ir::kNone) return x == y;
  return same_expr(a, x, b, y);
}

}  // namespace

bool have_same_launch(const ir::Program& a, const ir::Program& b) {
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (!is_same_axis(a, a.workgroup[axis], b, b.workgroup[axis])) return false;
    if (!is_same_axis(a, a.grid[axis], b, b.grid[axis])) return false;
  }
  return true;
}

std::expected<JoinedCores, Refusal> write_bodies(const CoreParts& parts) {
  const ir::Program& first = parts.producer.program;
  const ir::Program& second = parts.consumer.program;
  const auto ends = [](const ir::Stmt& s) { return s.kind == ir::StmtKind::return_; };
  if (std::ranges::any_of(first.stmts, ends)) {
    return std::unexpected(
        Refusal{parts.kind + ".return",
                fmt::format("an invocation of {} may end early", quote(first.name))});
  }
  ir::ProgramWriter to =
      start_program(parts.sequence, fmt::format("{}_{}", first.name, second.name));
  ir::Rewriter producer(first, to);
  ir::Rewriter consumer(second, to);
  producer.declare_buffers();
  consumer.declare_buffers();
  producer.declare_launch();
  JoinedCores out;
  producer.rewrite(first.body);
  out.first_moved = static_cast<ir::StmtId>(to.program().stmts.size());
  consumer.rewrite(second.body);
  out.last_moved = static_cast<ir::StmtId>(to.program().stmts.size());
  out.program = std::move(to).finish();
  return out;
}

}  // namespace vyre::fuse
