#include "runtime/calls.h"

#include <algorithm>
#include <bit>

#include "backend/plan.h"
#include "base/error.h"
#include "ir/ops.h"

namespace vyre {

CallName name_of(const ir::Sequence& sequence, const Call& call) {
  CallName out{std::bit_cast<std::uint64_t>(sequence.identity()), call.inputs.size()};
  for (const Input& input : call.inputs) out.push_back(input.size());
  const auto& symbols = sequence.def().symbols;
  for (const Argument& argument : call.arguments) {
    const auto it = std::ranges::find(symbols, argument.name, &ir::Symbol::name);
    out.push_back(static_cast<std::uint64_t>(it - symbols.begin()));
    out.push_back(argument.bits);
  }
  if (call.grid) out.insert(out.end(), call.grid->begin(), call.grid->end());
  return out;
}

Expected<Prepared> prepare(const ir::Sequence& sequence, const Call& call,
                           const DeviceLimits& limits) {
  Call plain = call;
  plain.config = nullptr;
  plain.workgroup.reset();
  VYRE_TRY(const backend::Plan plan, backend::make_plan(sequence, plain, limits));
  Prepared out{.sequence = sequence};
  const ir::SequenceDef& def = sequence.def();
  for (std::size_t k = 0; k < def.buffers.size(); ++k) {
    if (!ir::is_bound(def.buffers[k].access)) continue;
    out.shape.push_back(plan.lengths[k]);
    if (ir::gives_output(def.buffers[k].access)) out.output_elements += plan.lengths[k];
  }
  for (std::size_t k = 0; k < def.symbols.size(); ++k) {
    if (def.symbols[k].kind == ir::SymbolKind::shape) out.shape.push_back(plan.symbols[k]);
  }
  out.key = key_of(sequence.fingerprint(), out.shape);
  return out;
}

std::vector<std::vector<std::byte>> copies_of(std::span<const Input> inputs) {
  std::vector<std::vector<std::byte>> out;
  for (const Input& input : inputs) out.emplace_back(input.begin(), input.end());
  return out;
}

}  // namespace vyre
