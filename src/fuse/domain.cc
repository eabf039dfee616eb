#include "fuse/domain.h"

#include <algorithm>
#include <iterator>

#include "ir/structure.h"

namespace vyre::fuse {
namespace {

using bounds::Poly;
using bounds::RadixAxis;
using ir::Block;
using ir::Stmt;
using ir::StmtId;
using ir::StmtKind;

bool loads(const ir::Program& program, ir::ExprId id) {
  const ir::Expr& e = program.exprs[id];
  if (e.op == ir::Op::load) return true;
  return std::ranges::any_of(ir::operands(e), [&](ir::ExprId k) { return loads(program, k); });
}

bool loads_in_head(const ir::Program& program, const Stmt& s) {
  return std::ranges::any_of(ir::operands(s), [&](ir::ExprId k) { return loads(program, k); });
}

// A statement of a frame: it only names a value that no other invocation can change.
bool is_frame_let(const ir::Program& program, StmtId id) {
  const Stmt& s = program.stmts[id];
  return s.kind == StmtKind::let && !program.variables[s.variable].is_mutable &&
         !loads(program, s.args[0]);
}

class DomainSearch {
 public:
  DomainSearch(const ir::Program& program, bounds::Accesses& accesses)
      : program_(program), accesses_(accesses) {}

  std::vector<Domain> run() {
    const Block* block = &program_.body;
    while (block != nullptr) block = level(*block);
    return std::move(out_);
  }

 private:
  // Splits the block into frame and core. Returns the block inside the core if the core is nothing
  // but one condition or loop, which may belong to the frame.
  const Block* level(const Block& block) {
    const std::size_t first = frame_size(program_, block);
    std::copy_if(block.begin(), block.begin() + static_cast<std::ptrdiff_t>(first),
                 std::back_inserter(lets_),
                 [&](StmtId id) { return program_.stmts[id].kind == StmtKind::let; });
    if (first == block.size()) return nullptr;
    add({block.begin() + static_cast<std::ptrdiff_t>(first), block.end()});
    const Stmt& s = program_.stmts[block[first]];
    if (first + 1 != block.size() || !s.otherwise.empty() || loads_in_head(program_, s)) {
      return nullptr;
    }
    const bool is_frame =
        s.kind == StmtKind::if_ || s.kind == StmtKind::for_ || s.kind == StmtKind::region;
    return is_frame ? &s.body : nullptr;
  }

  void add(Block core) {
    const auto place = accesses_.place_of(core.front());
    if (!place || !accesses_.is_certain(*place)) return;
    const std::vector<RadixAxis> axes = find_axes(*place);
    if (!axes.empty()) out_.push_back({axes, lets_, std::move(core)});
  }

  // Numbers that the guards bound, and ids. One number is tried first, then two.
  std::vector<RadixAxis> find_axes(std::uint32_t place) {
    std::vector<RadixAxis> numbers = accesses_.bounded(place);
    for (const RadixAxis& axis : accesses_.launch_axes()) numbers.push_back(axis);
    for (const RadixAxis& a : numbers) {
      if (accesses_.covers(place, std::span(&a, 1)) && accesses_.is_injective(place, a.number)) {
        return {a};
      }
    }
    for (const RadixAxis& inner : numbers) {
      for (const RadixAxis& outer : numbers) {
        const RadixAxis both[] = {inner, outer};
        if (inner.number == outer.number || !accesses_.covers(place, both)) continue;
        const Poly number = inner.number + inner.count * outer.number;
        if (accesses_.is_injective(place, number)) return {inner, outer};
      }
    }
    return {};
  }

  const ir::Program& program_;
  bounds::Accesses& accesses_;
  std::vector<StmtId> lets_;
  std::vector<Domain> out_;
};

}  // namespace

bool is_return_guard(const ir::Program& program, StmtId id) {
  const Stmt& s = program.stmts[id];
  return s.kind == StmtKind::if_ && s.otherwise.empty() && s.body.size() == 1 &&
         program.stmts[s.body[0]].kind == StmtKind::return_;
}

std::size_t frame_size(const ir::Program& program, const Block& block) {
  const bool is_body = block == program.body;
  const auto core = std::ranges::find_if(block, [&](StmtId id) {
    return !is_frame_let(program, id) && !(is_body && is_return_guard(program, id));
  });
  return static_cast<std::size_t>(core - block.begin());
}

std::vector<Domain> find_domains(const ir::Program& program, bounds::Accesses& accesses) {
  return DomainSearch(program, accesses).run();
}

}  // namespace vyre::fuse
