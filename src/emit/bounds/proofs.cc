#include "emit/bounds/proofs.h"

#include "ir/fold.h"

namespace vyre::emit {

Proofs prove(const ir::Program& program, std::span<const std::optional<std::uint64_t>> symbols,
             const std::array<std::uint32_t, 3>& workgroup) {
  (void)symbols;
  (void)workgroup;
  Proofs out;
  out.inside.resize(program.exprs.size());
  out.plain.resize(program.exprs.size());
  out.inside_stmt.resize(program.stmts.size());
  out.counts_up.resize(program.stmts.size());
  return out;
}

}  // namespace vyre::emit
