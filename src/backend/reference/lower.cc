#include "backend/reference/lower.h"

#include <optional>

#include "backend/reference/lower_stmt.h"
#include "backend/reference/lowering.h"
#include "base/error.h"
#include "ir/ops.h"
#include "ir/rewrite/fold.h"

namespace vyre::backend::reference {
namespace {

// The memory of local and private buffers.
std::vector<Array> arrays_of(const Lowering& lowering) {
  const ir::Program& program = lowering.program;
  std::vector<std::optional<std::uint64_t>> known(program.symbols.size());
  for (std::size_t k = 0; k < known.size(); ++k) {
    if (program.symbols[k].kind == ir::SymbolKind::tunable) {
      known[k] = lowering.specialisation.symbols[k];
    }
  }
  std::vector<Array> out;
  for (std::uint32_t k = 0; k < program.buffers.size(); ++k) {
    const ir::Buffer& b = program.buffers[k];
    if (ir::is_bound(b.access)) continue;
    const std::uint64_t length = ir::fold(program, b.length, known).value_or(0);
    const std::uint32_t padded_lanes = lowering.code.blocks * kLaneBlock;
    const std::uint64_t copies = b.access == ir::Access::private_ ? padded_lanes : 1;
    out.push_back({k, length, length * copies * ir::byte_size(b.element)});
  }
  return out;
}

}  // namespace

Expected<Code> lower(const ir::Program& program, const Specialisation& specialisation,
                     const LoweringOptions& options) {
  Lowering lowering(program, specialisation, options.detect_races);
  Code& code = lowering.code;
  code.mask = lowering.registers.allocate(ir::kBool, false).offset;
  code.alive = lowering.registers.allocate(ir::kBool, false).offset;
  code.arrays = arrays_of(lowering);
  StmtLowering(lowering).block(program.body, code.mask);
  const std::uint64_t register_bytes = lowering.registers.bytes();
  std::uint64_t bytes = register_bytes;
  for (const Array& a : code.arrays) bytes += a.bytes;
  if (bytes > options.most_bytes || register_bytes > ir::kNone) {
    return rejected(
        "program \"{}\" needs {} bytes for a workgroup of {} invocations, the interpreter gives "
        "{}; use a smaller workgroup or smaller arrays",
        program.name, bytes, code.lanes, options.most_bytes);
  }
  code.register_bytes = static_cast<std::uint32_t>(register_bytes);
  return std::move(code);
}

}  // namespace vyre::backend::reference
