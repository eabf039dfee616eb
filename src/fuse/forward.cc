#include "fuse/forward.h"

#include <algorithm>
#include <map>
#include <utility>

#include "bounds/accesses.h"
#include "bounds/order.h"
#include "ir/ops.h"
#include "ir/rewrite/rewriter.h"

namespace vyre::fuse {
namespace {

using bounds::AccessKind;
using bounds::MemoryAccess;
using ir::ExprId;
using ir::kNone;
using ir::StmtId;

// Which store each load gets its value from.
class Sources {
 public:
  Sources(const ir::Program& program, const std::vector<std::uint32_t>& opaque)
      : program_(program), order_(program), accesses_(program, with_opaque(opaque)) {}

  // By node of a load: the store.
  std::map<ExprId, StmtId> find() {
    std::map<ExprId, StmtId> out;
    for (const MemoryAccess& load : accesses_.all()) {
      const bool is_bound = ir::is_bound(program_.buffers[load.buffer].access);
      if (load.kind != AccessKind::load || !is_bound) continue;
      const StmtId store = last_store(load);
      if (store != kNone) out.emplace(load.load, store);
    }
    return out;
  }

 private:
  static bounds::Assumptions with_opaque(const std::vector<std::uint32_t>& opaque) {
    bounds::Assumptions out;
    out.opaque = opaque;
    return out;
  }

  // The last store to the buffer in front of the load, if it is to the same element. A load outside
  // the buffer gives 0, so the element must be inside.
  StmtId last_store(const MemoryAccess& load) {
    const MemoryAccess* last = nullptr;
    for (const MemoryAccess& a : accesses_.all()) {
      const bool is_before = order_.number(a.stmt) < order_.number(load.stmt);
      if (a.buffer != load.buffer || a.kind == AccessKind::load || !is_before) continue;
      if (last == nullptr || order_.number(a.stmt) > order_.number(last->stmt)) last = &a;
    }
    if (last == nullptr || last->kind != AccessKind::store || last->width != load.width) {
      return kNone;
    }
    const bool is_same =
        order_.dominates(last->stmt, load.stmt) && !changes_in_turn(load, last->stmt) &&
        accesses_.equal(load.place, load.index, last->index) && accesses_.is_inside(load);
    return is_same ? last->stmt : kNone;
  }

  // Whether a loop around the load, but not around the store, stores to the buffer: the next turn
  // would see that.
  bool changes_in_turn(const MemoryAccess& load, StmtId store) {
    const auto loops = order_.loops_around(load.stmt, store);
    return std::ranges::any_of(accesses_.all(), [&](const MemoryAccess& a) {
      return a.buffer == load.buffer && a.kind != AccessKind::load &&
             std::ranges::any_of(loops, [&](StmtId l) { return order_.is_inside(a.stmt, l); });
    });
  }

  const ir::Program& program_;
  bounds::StmtOrder order_;
  bounds::Accesses accesses_;
};

class Forwarder : public ir::Rewriter {
 public:
  Forwarder(const ir::Program& from, ir::ProgramWriter& to, std::map<ExprId, StmtId> sources,
            std::vector<bool> dropped)
      : Rewriter(from, to), sources_(std::move(sources)), dropped_(std::move(dropped)) {}

  void run() {
    for (std::uint32_t k = 0; k < buffers.size(); ++k) {
      if (dropped_[k]) continue;
      const ExprId length = rewrite(from().buffers[k].length);
      buffers[k] = to().buffer(from().buffers[k], length);
    }
    declare_launch();
    rewrite(from().body);
  }

 protected:
  ExprId replace_expr(ExprId id) override {
    const ir::Expr& e = from().exprs[id];
    if (e.op == ir::Op::length && dropped_[e.index]) return rewrite(from().buffers[e.index].length);
    const auto source = sources_.find(id);
    if (source == sources_.end()) return kNone;
    return to().variable_value(kept_.at(source->second));
  }

  bool replace_stmt(StmtId id) override {
    const ir::Stmt& s = from().stmts[id];
    if (s.kind != ir::StmtKind::store) return false;
    const bool is_source =
        std::ranges::any_of(sources_, [&](const auto& entry) { return entry.second == id; });
    if (!is_source) return dropped_[s.buffer];
    kept_[id] = to().let("kept_" + from().buffers[s.buffer].name, rewrite(s.args[1]));
    if (dropped_[s.buffer]) return true;
    const ExprId index = rewrite(s.args[0]);
    to().store(buffers[s.buffer], index, to().variable_value(kept_[id]));
    return true;
  }

 private:
  std::map<ExprId, StmtId> sources_;
  std::vector<bool> dropped_;
  std::map<StmtId, std::uint32_t> kept_;  // by store: the variable with its value
};

// A buffer is dropped if it may be and all its loads get their values from variables.
std::vector<bool> find_dropped(const ir::Program& program, const std::vector<bool>& may_drop,
                               const std::map<ExprId, StmtId>& sources) {
  std::vector<bool> out = may_drop;
  for (ExprId id = 0; id < program.exprs.size(); ++id) {
    const ir::Expr& e = program.exprs[id];
    if (e.op == ir::Op::load && !sources.contains(id)) out[e.index] = false;
  }
  for (const ir::Stmt& s : program.stmts) {
    if (s.kind == ir::StmtKind::atomic) out[s.buffer] = false;
  }
  return out;
}

}  // namespace

ir::Program forward(const ir::Program& program, const ForwardOptions& options) {
  // Behind a barrier, an element may hold what another invocation has stored.
  const auto is_barrier = [](const ir::Stmt& s) { return s.kind == ir::StmtKind::barrier; };
  if (std::ranges::any_of(program.stmts, is_barrier)) return program;
  auto sources = Sources(program, options.opaque).find();
  auto dropped = find_dropped(program, options.may_drop, sources);
  ir::ProgramWriter to(program.name);
  for (const ir::Buffer& b : program.buffers) to.reserve(b.name);
  Forwarder(program, to, std::move(sources), std::move(dropped)).run();
  return std::move(to).finish();
}

}  // namespace vyre::fuse
