#include "fuse/reside.h"

#include <algorithm>
#include <optional>

#include "bounds/accesses.h"
#include "bounds/order.h"
#include "fuse/groups.h"
#include "ir/ops.h"
#include "ir/rewrite/rewriter.h"

namespace vyre::fuse {
namespace {

using bounds::AccessKind;
using bounds::MemoryAccess;
using ir::ExprId;
using ir::StmtId;

bounds::Assumptions with_numbers(const RowOwner& owner) {
  bounds::Assumptions out;
  out.opaque = owner.numbers;
  return out;
}

class Residence {
 public:
  Residence(const ir::Program& program, const RowOwner& owner)
      : program_(program),
        owner_(owner),
        order_(program),
        accesses_(program, with_numbers(owner)),
        launch_(program) {}

  // An output that the scratch buffer can live in.
  std::optional<std::uint32_t> find_home(std::uint32_t scratch) {
    for (std::uint32_t k = 0; k < program_.buffers.size(); ++k) {
      if (k != scratch && is_like(scratch, k) && is_home(scratch, k)) return k;
    }
    return std::nullopt;
  }

 private:
  bool is_like(std::uint32_t scratch, std::uint32_t output) {
    const ir::Buffer& a = program_.buffers[scratch];
    const ir::Buffer& b = program_.buffers[output];
    return b.access == ir::Access::write && a.access == ir::Access::write &&
           a.element == b.element && accesses_.length(scratch) == accesses_.length(output);
  }

  // The output has one store, which covers it: so nothing of the scratch buffer is left in it. For
  // each number of the frame, that store must come behind all accesses to the scratch buffer but
  // those to the same element in the same turn. The same holds for each workgroup.
  bool is_home(std::uint32_t scratch, std::uint32_t output) {
    const MemoryAccess* store = only_store(output);
    if (store == nullptr || store->width != 1) return false;
    const MemoryAccess* same = launch_.find_stmt(store->stmt);
    if (same == nullptr || !launch_.covers(*same) || !launch_.is_injective(*same)) return false;
    if (!stays_with_owner(*store, scratch)) return false;
    return std::ranges::all_of(accesses_.all(), [&](const MemoryAccess& a) {
      return a.buffer != scratch || comes_first(a, *store);
    });
  }

  const MemoryAccess* only_store(std::uint32_t buffer) {
    const MemoryAccess* out = nullptr;
    for (const MemoryAccess& a : accesses_.all()) {
      if (a.buffer != buffer) continue;
      if (out != nullptr || a.kind != AccessKind::store) return nullptr;
      out = &a;
    }
    return out;
  }

  std::vector<bounds::Atom> owner_atoms() {
    if (owner_.is_group) return group_atoms(accesses_);
    std::vector<bounds::Atom> out;
    for (const std::uint32_t variable : owner_.numbers) {
      if (const auto atom = bounds::as_atom(accesses_.variable(variable))) out.push_back(*atom);
    }
    return out;
  }

  // The output's element belongs to the same numbers as the scratch buffer's element.
  bool stays_with_owner(const MemoryAccess& store, std::uint32_t scratch) {
    const auto digits = accesses_.digits(store, owner_atoms());
    return digits && std::ranges::all_of(accesses_.all(), [&](const MemoryAccess& a) {
             return a.buffer != scratch || accesses_.has_digits(a, *digits);
           });
  }

  // Behind the output's store nothing may touch the scratch element. An access in a loop around
  // that store (inside the frame) must be to the element of its turn.
  bool comes_first(const MemoryAccess& a, const MemoryAccess& store) {
    if (a.kind == AccessKind::atomic || a.width != 1) return false;
    const bool is_before = a.stmt == store.stmt ? a.kind == AccessKind::load
                                                : order_.number(a.stmt) < order_.number(store.stmt);
    if (!is_before) return false;
    if (owner_.is_group) {
      return has_barrier_between(a.stmt, store.stmt) ||
             accesses_.equal(a.place, a.index, store.index);
    }
    return !shares_a_loop(a.stmt, store.stmt) || accesses_.equal(a.place, a.index, store.index);
  }

  // A barrier outside of all conditions and loops, which all invocations reach once.
  bool has_barrier_between(StmtId a, StmtId b) const {
    return std::ranges::any_of(program_.body, [&](StmtId id) {
      return program_.stmts[id].kind == ir::StmtKind::barrier &&
             order_.number(a) < order_.number(id) && order_.number(id) < order_.number(b);
    });
  }

  // Whether a loop inside the frame is around both.
  bool shares_a_loop(StmtId a, StmtId b) const {
    for (StmtId at = order_.around(b); at != ir::kNone; at = order_.around(at)) {
      const ir::StmtKind kind = program_.stmts[at].kind;
      const bool is_loop = kind == ir::StmtKind::for_ || kind == ir::StmtKind::while_;
      if (is_loop && order_.is_inside(a, at) && !is_frame(at)) return true;
    }
    return false;
  }

  // The frame's numbers are named inside of its loops.
  bool is_frame(StmtId loop) const {
    for (StmtId id = 0; id < program_.stmts.size(); ++id) {
      const ir::Stmt& s = program_.stmts[id];
      const bool is_number = s.kind == ir::StmtKind::let &&
                             std::ranges::find(owner_.numbers, s.variable) != owner_.numbers.end();
      if (is_number && order_.is_inside(id, loop)) return true;
    }
    return false;
  }

  const ir::Program& program_;
  const RowOwner& owner_;
  bounds::StmtOrder order_;
  bounds::Accesses accesses_;
  bounds::Accesses launch_;  // with the numbers as they are made of ids
};

// The same program with one buffer's accesses in another buffer.
class Mover : public ir::Rewriter {
 public:
  Mover(const ir::Program& from, ir::ProgramWriter& to, std::uint32_t scratch, std::uint32_t home)
      : Rewriter(from, to), scratch_(scratch), home_(home) {}

  void run() {
    for (std::uint32_t k = 0; k < buffers.size(); ++k) {
      if (k == scratch_) continue;
      const ExprId length = rewrite(from().buffers[k].length);
      buffers[k] = to().buffer(from().buffers[k], length);
    }
    buffers[scratch_] = buffers[home_];
    declare_launch();
    rewrite(from().body);
  }

 private:
  std::uint32_t scratch_;
  std::uint32_t home_;
};

}  // namespace

ir::Program reside(const ir::Program& program, const RowOwner& owner,
                   const std::vector<bool>& may_drop) {
  for (std::uint32_t k = 0; k < program.buffers.size(); ++k) {
    if (!may_drop[k]) continue;
    const auto home = Residence(program, owner).find_home(k);
    if (!home) continue;
    ir::ProgramWriter to(program.name);
    for (const ir::Buffer& b : program.buffers) to.reserve(b.name);
    Mover(program, to, k, *home).run();
    return std::move(to).finish();
  }
  return program;
}

}  // namespace vyre::fuse
