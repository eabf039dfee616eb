// Walk: visits the statements of a program in the order in which they run.
//
// It assumes the facts of a branch or loop on entering it and releases them on leaving, so that
// each visit of an expression sees exactly the facts that hold there. `prove` notes guards that are
// not needed; Accesses derives from it to note what the program touches.

#pragma once

#include <functional>
#include <vector>

#include "bounds/values.h"

namespace vyre::bounds {

class Walk {
 public:
  // Keeps references to program, facts and proofs, and the spans of `launch`.
  Walk(const ir::Program& program, const LaunchKnowledge& launch, Facts& facts, Proofs& proofs);
  virtual ~Walk() = default;
  Walk(const Walk&) = delete;
  Walk& operator=(const Walk&) = delete;

  void run() { statements(program_.body); }

  Values& values() { return values_; }

 protected:
  // Called in front of each statement.
  virtual void on_stmt(ir::StmtId /*stmt*/) {}
  // Called for each store and atomic.
  virtual void on_access(ir::StmtId /*stmt*/, const Poly& /*index*/) {}
  // The value of a variable that a `let` introduces.
  virtual Poly on_let(std::uint32_t /*variable*/, const Poly& value) { return value; }
  // The variable of a loop, when a turn starts.
  virtual Poly turn(ir::StmtId stmt, const Poly& begin, const Poly& step);

  // Facts of the conditions and loops around the current place.
  const std::vector<Poly>& guards() const { return guards_; }
  // Whether the place is reached if and only if the guards hold: no condition around it is on data,
  // and no invocation may have ended before.
  bool is_certain() const { return certain_ && !may_have_ended_; }
  const std::vector<ir::StmtId>& loops() const { return loops_; }  // `for`, outermost first
  bool is_in_while() const { return whiles_ > 0; }

  const ir::Program& program() const { return program_; }
  Facts& facts() { return facts_; }

 private:
  void statements(const ir::Block& block);
  void stmt(ir::StmtId id);
  void let(const ir::Stmt& s);
  void access(ir::StmtId id);
  void assume(const std::vector<Poly>& facts, bool is_exact);
  void branch(const ir::Block& body, const std::vector<Poly>& facts, bool is_exact);
  void if_(const ir::Stmt& s);
  void end_some(const ir::Stmt& s, const Condition& condition);
  void loop(const ir::Block& body, const std::function<void()>& enter);
  void for_(ir::StmtId id);
  void while_(const ir::Stmt& s);
  std::vector<std::uint32_t> assigned(const ir::Block& block) const;
  bool returns(const ir::Block& block) const;
  bool has_return(const ir::Block& block) const;

  const ir::Program& program_;
  Facts& facts_;
  Proofs& proofs_;
  Values values_;
  std::vector<Poly> guards_;
  std::vector<ir::StmtId> loops_;
  std::uint32_t whiles_ = 0;
  bool certain_ = true;
  bool may_have_ended_ = false;
};

}  // namespace vyre::bounds
