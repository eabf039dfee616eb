#include "fuse/keep_local.h"

#include <algorithm>

#include "bounds/accesses.h"
#include "fuse/groups.h"
#include "ir/rewrite/rewriter.h"

namespace vyre::fuse {
namespace {

using bounds::AccessKind;
using bounds::MemoryAccess;
using bounds::Poly;
using ir::ExprId;
using ir::kNone;
using ir::StmtId;

// Whether all invocations and turns of a workgroup have the same value.
bool is_of_group(const bounds::Accesses& accesses, const Poly& value) {
  const std::vector<bounds::Atom> groups = group_atoms(accesses);
  return value.is_known() && std::ranges::all_of(value.terms(), [&](const bounds::Term& t) {
           return std::all_of(t.monomial.atoms.begin(),
                              t.monomial.atoms.begin() + t.monomial.degree, [&](bounds::Atom atom) {
                                return std::ranges::find(groups, atom) != groups.end() ||
                                       accesses.is_uniform(Poly::of(atom));
                              });
         });
}

// A load outside the buffer gives 0 and a store there does nothing, so all must be inside.
bool is_number_of_group(bounds::Accesses& accesses, std::uint32_t buffer) {
  const MemoryAccess* first = nullptr;
  for (const MemoryAccess& a : accesses.all()) {
    if (a.buffer != buffer) continue;
    if (first == nullptr) first = &a;
    const bool is_one = a.kind != AccessKind::atomic && a.width == 1 && a.index == first->index;
    if (!is_one || !accesses.is_inside(a)) return false;
  }
  return first != nullptr && is_of_group(accesses, first->index) &&
         accesses.digits(*first, group_atoms(accesses)).has_value();
}

class LocalRewriter : public ir::Rewriter {
 public:
  LocalRewriter(const ir::Program& from, ir::ProgramWriter& to, const std::vector<bool>& kept)
      : Rewriter(from, to), kept_(kept) {}

  void run() {
    for (std::uint32_t k = 0; k < buffers.size(); ++k) {
      ir::Buffer b = from().buffers[k];
      if (kept_[k]) {
        b.access = ir::Access::local;
        b.name = to().free_name("kept_" + b.name);
      }
      const ExprId length = kept_[k] ? to().u32(1) : rewrite(b.length);
      buffers[k] = to().buffer(b, length);
    }
    declare_launch();
    rewrite(from().body);
  }

 protected:
  ExprId replace_expr(ExprId id) override {
    const ir::Expr& e = from().exprs[id];
    const bool is_kept = (e.op == ir::Op::load || e.op == ir::Op::length) && kept_[e.index];
    if (!is_kept) return kNone;
    if (e.op == ir::Op::length) return rewrite(from().buffers[e.index].length);
    return to().load(buffers[e.index], to().u32(0));
  }

  bool replace_stmt(StmtId id) override {
    const ir::Stmt& s = from().stmts[id];
    if (s.kind != ir::StmtKind::store || !kept_[s.buffer]) return false;
    const ExprId value = rewrite(s.args[1]);
    to().store(buffers[s.buffer], to().u32(0), value);
    return true;
  }

 private:
  const std::vector<bool>& kept_;
};

}  // namespace

ir::Program keep_local(const ir::Program& program, const std::vector<bool>& may_drop) {
  bounds::Accesses accesses(program);
  std::vector<bool> kept = may_drop;
  for (std::uint32_t k = 0; k < kept.size(); ++k) {
    kept[k] = may_drop[k] && is_number_of_group(accesses, k);
  }
  if (std::ranges::find(kept, true) == kept.end()) return program;
  ir::ProgramWriter to(program.name);
  for (const ir::Buffer& b : program.buffers) to.reserve(b.name);
  for (const ir::Symbol& s : program.symbols) to.reserve(s.name);
  LocalRewriter(program, to, kept).run();
  return std::move(to).finish();
}

}  // namespace vyre::fuse
