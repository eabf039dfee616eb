#include "fuse/domain.h"

#include <algorithm>

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

// Names a value that is never changed.
bool is_let(const ir::Program& program, StmtId id) {
  const Stmt& s = program.stmts[id];
  return s.kind == StmtKind::let && !program.variables[s.variable].is_mutable;
}

// The same, of a value that no other invocation can change.
bool is_frame_let(const ir::Program& program, StmtId id) {
  return is_let(program, id) && !loads(program, program.stmts[id].args[0]);
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
  // but names of values and one condition or loop, which may belong to the frame.
  const Block* level(const Block& block) {
    const std::size_t first = frame_size(program_, block);
    if (first == block.size()) return nullptr;
    add_lets(block, 0, first);
    add({block.begin() + static_cast<std::ptrdiff_t>(first), block.end()});
    const std::size_t last = block.size() - 1;
    const bool only_names =
        std::all_of(block.begin() + static_cast<std::ptrdiff_t>(first), block.end() - 1,
                    [&](StmtId id) { return is_let(program_, id); });
    const Stmt& s = program_.stmts[block[last]];
    if (!only_names || !s.otherwise.empty() || loads_in_head(program_, s)) return nullptr;
    add_lets(block, first, last);
    frame_loads_ = frame_loads_ || first < last;
    const bool is_frame =
        s.kind == StmtKind::if_ || s.kind == StmtKind::for_ || s.kind == StmtKind::region;
    return is_frame ? &s.body : nullptr;
  }

  void add_lets(const Block& block, std::size_t first, std::size_t last) {
    for (std::size_t k = first; k < last; ++k) {
      if (program_.stmts[block[k]].kind == StmtKind::let) lets_.push_back(block[k]);
    }
  }

  void add(Block core) {
    const auto place = accesses_.place_of(core.front());
    if (!place || !accesses_.is_certain(*place)) return;
    const std::vector<RadixAxis> axes = find_axes(*place);
    if (!axes.empty()) out_.push_back({axes, lets_, std::move(core), frame_loads_});
  }

  // Numbers that the guards bound, and ids, with counts that are sizes of the problem.
  std::vector<RadixAxis> candidates(std::uint32_t place) const {
    std::vector<RadixAxis> all = accesses_.bounded(place);
    for (const RadixAxis& axis : accesses_.launch_axes()) all.push_back(axis);
    for (std::uint32_t axis = 0; axis < 3; ++axis) {
      const Poly number = accesses_.id(ir::IdKind::group_id, axis);
      if (number != Poly(0)) all.push_back({number, accesses_.id(ir::IdKind::groups, axis)});
    }
    std::vector<RadixAxis> out;
    for (const RadixAxis& axis : all) {
      const bool is_new = std::ranges::none_of(out, [&](const RadixAxis& o) {
        return o.number == axis.number && o.count == axis.count;
      });
      if (is_new && is_problem_size(axis.count)) out.push_back(axis);
    }
    return out;
  }

  bool is_problem_size(const Poly& count) const {
    return std::ranges::all_of(count.terms(), [&](const bounds::Term& t) {
      return std::all_of(t.monomial.atoms.begin(), t.monomial.atoms.begin() + t.monomial.degree,
                         [&](bounds::Atom atom) {
                           const bounds::AtomInfo info = accesses_.atom(atom);
                           return info.kind == bounds::AtomKind::symbol &&
                                  program_.symbols[info.index].kind != ir::SymbolKind::tunable;
                         });
    });
  }

  // Whether the core runs once for each combination of the axes' numbers.
  bool is_domain(std::uint32_t place, std::span<const RadixAxis> axes) {
    return accesses_.is_injective(place, axes) && accesses_.covers(place, axes);
  }

  // One number is tried first, then two.
  std::vector<RadixAxis> find_axes(std::uint32_t place) {
    const std::vector<RadixAxis> numbers = candidates(place);
    for (const RadixAxis& a : numbers) {
      if (is_domain(place, std::span(&a, 1))) return {a};
    }
    for (std::size_t k = 0; k < numbers.size(); ++k) {
      for (std::size_t l = k + 1; l < numbers.size(); ++l) {
        const RadixAxis both[] = {numbers[k], numbers[l]};
        if (is_domain(place, both)) return {numbers[k], numbers[l]};
      }
    }
    return {};
  }

  const ir::Program& program_;
  bounds::Accesses& accesses_;
  std::vector<StmtId> lets_;
  bool frame_loads_ = false;
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
