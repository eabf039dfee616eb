#include "bounds/proofs.h"

#include "bounds/walk.h"

namespace vyre::bounds {

Proofs prove(const ir::Program& program, std::span<const std::optional<std::uint64_t>> symbols,
             const std::array<std::uint32_t, 3>& workgroup) {
  Proofs out;
  out.inside.resize(program.exprs.size());
  out.plain.resize(program.exprs.size());
  out.inside_stmt.resize(program.stmts.size());
  out.own_element.resize(program.stmts.size());
  out.counts_up.resize(program.stmts.size());
  Facts facts;
  Walk(program, {.symbols = symbols, .workgroup = workgroup}, facts, out).run();
  return out;
}

}  // namespace vyre::bounds
