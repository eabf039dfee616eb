#include "emit/c_like/translation_unit.h"

#include <algorithm>
#include <set>

#include "base/error.h"
#include "base/text.h"
#include "emit/c_like/kernel_writer.h"
#include "emit/c_like/prelude.h"
#include "emit/c_like/unrolling.h"
#include "ir/names.h"

namespace vyre::emit {
namespace {

// An entry that is made of a program's name may hold two underscores in a row, and compilers accept
// that; so they count as one here.
bool can_be_entry(const Dialect& dialect, std::string_view name) {
  std::string checked(name);
  for (std::size_t at = 0; (at = checked.find("__", at)) != std::string::npos;)
    checked.erase(at, 1);
  return ir::is_identifier(name) && !is_reserved(dialect.reserved, checked);
}

Expected<void> check_size(const KernelSource& kernel) {
  const ir::Program& program = *kernel.program;
  std::vector<std::optional<std::uint64_t>> known(program.symbols.size());
  for (std::size_t k = 0; k < known.size(); ++k) {
    if (program.symbols[k].kind == ir::SymbolKind::tunable) known[k] = kernel.symbols[k];
  }
  const std::uint64_t own = program.exprs.size() + program.stmts.size();
  if (unrolled_nodes(program, known) <= std::max(own, kMostUnrolledNodes)) return {};
  return rejected(
      "program {} has more than {} expressions and statements after unrolling; unroll its loops "
      "less often",
      quote(program.name), kMostUnrolledNodes);
}

Expected<void> check(const Dialect& dialect, std::span<const KernelSource> kernels) {
  std::set<std::string_view> seen;
  for (const KernelSource& kernel : kernels) {
    if (kernel.program->source) {
      return bad_inputs("program {} is source text already; compile that",
                        quote(kernel.program->name));
    }
    if (!can_be_entry(dialect, kernel.entry)) {
      return bad_inputs("{} cannot be the name of {}; choose another entry name",
                        quote(kernel.entry), dialect.a_kernel);
    }
    if (!seen.insert(kernel.entry).second) {
      return bad_inputs("two kernels are called {}; give each its own entry name",
                        quote(kernel.entry));
    }
    VYRE_TRY_VOID(check_size(kernel));
  }
  return {};
}

}  // namespace

Expected<std::string> translation_unit(const Dialect& dialect,
                                       std::span<const KernelSource> kernels) {
  VYRE_TRY_VOID(check(dialect, kernels));
  Prelude prelude(dialect);
  std::string bodies;
  for (const KernelSource& kernel : kernels) {
    bodies += "\n" + kernel_text(dialect, kernel, prelude);
  }
  return std::string(dialect.head) + prelude.text() + bodies;
}

}  // namespace vyre::emit
