#include "emit/c_like/starting_zeros.h"

#include <algorithm>
#include <vector>

#include "ir/structure.h"

namespace vyre::emit {
namespace {

using ir::Block;
using ir::ExprId;
using ir::Stmt;
using ir::StmtId;
using ir::StmtKind;

class Search {
 public:
  Search(const ir::Program& program, const bounds::Proofs& proofs, std::uint32_t buffer)
      : program_(program), proofs_(proofs), buffer_(buffer) {}

  bool is_read() const {
    const auto loads = [&](const ir::Expr& e) {
      return e.op == ir::Op::load && e.index == buffer_;
    };
    const auto updates = [&](const Stmt& s) {
      return s.kind == StmtKind::atomic && s.buffer == buffer_;
    };
    return std::ranges::any_of(program_.exprs, loads) ||
           std::ranges::any_of(program_.stmts, updates);
  }

  // Whether the block fills the array before any other access to it. The first statement that
  // touches the array must be the store of each invocation to its own element, or hold it inside.
  // All invocations run all of a block that has a barrier (V070, V071).
  bool fills_first(const Block& block) const {
    const std::vector<StmtId> stmts = without_regions(block);
    const auto touches = [&](StmtId id) { return accesses(id); };
    const auto first = std::ranges::find_if(stmts, touches);
    if (first == stmts.end()) return false;
    if (proofs_.own_element[*first] && program_.stmts[*first].buffer == buffer_) {
      const auto barrier = std::find_if(first, stmts.end(), [&](StmtId id) {
        return program_.stmts[id].kind == StmtKind::barrier;
      });
      return barrier != stmts.end() && !loads(program_.stmts[*first]) &&
             std::none_of(first + 1, barrier, touches);
    }
    return std::none_of(first + 1, stmts.end(), touches) && fills_inside(program_.stmts[*first]);
  }

 private:
  bool fills_inside(const Stmt& s) const {
    if (loads(s)) return false;
    const auto touches = [&](StmtId id) { return accesses(id); };
    const bool in_body = std::ranges::any_of(s.body, touches);
    const bool in_otherwise = std::ranges::any_of(s.otherwise, touches);
    if (in_body == in_otherwise) return false;
    return fills_first(in_body ? s.body : s.otherwise);
  }

  std::vector<StmtId> without_regions(const Block& block) const {
    std::vector<StmtId> out;
    for (const StmtId id : block) {
      const Stmt& s = program_.stmts[id];
      if (s.kind != StmtKind::region) {
        out.push_back(id);
        continue;
      }
      const std::vector<StmtId> inner = without_regions(s.body);
      out.insert(out.end(), inner.begin(), inner.end());
    }
    return out;
  }

  // Whether the statement, or one inside it, accesses the array.
  bool accesses(StmtId id) const {
    const Stmt& s = program_.stmts[id];
    const auto inside = [&](StmtId inner) { return accesses(inner); };
    return s.buffer == buffer_ || loads(s) || std::ranges::any_of(s.body, inside) ||
           std::ranges::any_of(s.otherwise, inside);
  }

  // Whether the statement's own operands load from the array.
  bool loads(const Stmt& s) const {
    return std::ranges::any_of(ir::operands(s), [&](ExprId e) { return loads(e); });
  }

  bool loads(ExprId id) const {
    const ir::Expr& e = program_.exprs[id];
    if (e.op == ir::Op::load && e.index == buffer_) return true;
    return std::ranges::any_of(ir::operands(e), [&](ExprId operand) { return loads(operand); });
  }

  const ir::Program& program_;
  const bounds::Proofs& proofs_;
  std::uint32_t buffer_;
};

}  // namespace

bool sees_starting_zeros(const ir::Program& program, const bounds::Proofs& proofs,
                         std::uint32_t buffer, std::uint64_t length, std::uint64_t invocations) {
  const Search search(program, proofs, buffer);
  if (!search.is_read()) return false;
  return length > invocations || !search.fills_first(program.body);
}

}  // namespace vyre::emit
