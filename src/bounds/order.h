// StmtOrder: which statement of a program comes before which, and what lies around it.

#pragma once

#include <cstdint>
#include <vector>

#include "vyre/program.h"

namespace vyre::bounds {

class StmtOrder {
 public:
  explicit StmtOrder(const ir::Program& program);

  // Numbers of the statements in the order of the text. All statements inside a statement have
  // numbers from its own up to `last`.
  std::uint32_t number(ir::StmtId stmt) const { return nodes_[stmt].number; }
  std::uint32_t last(ir::StmtId stmt) const { return nodes_[stmt].last; }
  // The statement around it, or kNone.
  ir::StmtId around(ir::StmtId stmt) const { return nodes_[stmt].around; }

  bool is_inside(ir::StmtId stmt, ir::StmtId outer) const {
    return number(stmt) >= number(outer) && number(stmt) <= last(outer);
  }
  // Whether every run of `later` comes behind a run of `earlier` in the same turns of all loops
  // around `earlier`: its block is that of `later` or one around it, and it stands before.
  bool dominates(ir::StmtId earlier, ir::StmtId later) const;
  // Loops around the expressions of `inner` that are not around `other`.
  std::vector<ir::StmtId> loops_around(ir::StmtId inner, ir::StmtId other) const;

 private:
  struct Node {
    std::uint32_t number = 0;
    std::uint32_t last = 0;
    ir::StmtId around = ir::kNone;
    bool is_otherwise = false;  // it stands in the `else` of the statement around it
  };
  void visit(const ir::Block& block, ir::StmtId around, bool is_otherwise);

  const ir::Program& program_;
  std::vector<Node> nodes_;
  std::uint32_t next_ = 0;
};

}  // namespace vyre::bounds
