// AccessWalk: notes every access of a program, and the facts that hold there, while it walks.

#pragma once

#include <map>
#include <vector>

#include "bounds/accesses.h"
#include "bounds/walk.h"

namespace vyre::bounds {

struct AccessPlace {
  std::vector<FactId> facts;
  std::vector<Poly> guards;
  std::vector<ir::StmtId> loops;
  bool is_certain = false;
  bool is_in_while = false;
};

class AccessWalk : public Walk {
 public:
  AccessWalk(const ir::Program& program, const LaunchKnowledge& launch, Facts& facts,
             Proofs& proofs, std::vector<std::uint32_t> opaque);

  const Facts::Mark base;  // the facts of the launch alone

  // Filled by `run`.
  std::vector<Poly> expr_values;
  std::vector<Poly> variable_values;
  std::vector<std::uint32_t> stmt_places;  // kNone: never reached
  std::vector<MemoryAccess> accesses;
  std::vector<std::uint32_t> load_accesses;  // by expression, of `accesses`; kNone: not reached
  std::vector<std::uint32_t> stmt_accesses;  // by statement: the store or the atomic
  std::vector<AccessPlace> places;
  std::map<Atom, AtomInfo> atoms;
  std::map<ir::StmtId, Atom> turns;  // by `for`
  bool is_complete = true;           // false: there are too many facts to keep

 private:
  void note(ir::ExprId id, const Poly& value);
  void on_stmt(ir::StmtId stmt) override;
  void on_access(ir::StmtId id, const Poly& index) override;
  Poly on_let(std::uint32_t variable, const Poly& value) override;
  Poly turn(ir::StmtId stmt, const Poly& begin, const Poly& step) override;
  void bound_like(Atom atom, const Poly& value);
  std::uint32_t current_place();

  std::vector<std::uint32_t> opaque_;
  ir::StmtId stmt_ = ir::kNone;
  std::uint64_t version_ = 0;
  std::size_t kept_ = 0;
};

}  // namespace vyre::bounds
