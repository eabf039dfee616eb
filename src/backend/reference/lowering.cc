#include "backend/reference/lowering.h"

#include "backend/reference/handlers_memory.h"

namespace vyre::backend::reference {
namespace {

std::uint32_t lanes_of(const Specialisation& fixed) {
  const auto& [x, y, z] = fixed.workgroup;
  return x * y * z;
}

std::uint32_t blocks_of(const Specialisation& fixed) {
  return (lanes_of(fixed) + kLaneBlock - 1) / kLaneBlock;
}

}  // namespace

Lowering::Lowering(const ir::Program& lowered, const Specialisation& fixed, bool detects_races)
    : program(lowered),
      specialisation(fixed),
      detect_races(detects_races),
      registers(blocks_of(fixed) * kLaneBlock),
      variables(lowered.variables.size()) {
  code.lanes = lanes_of(fixed);
  code.blocks = blocks_of(fixed);
}

Register Lowering::preset(std::vector<Preset>& list, ir::Scalar type, std::uint64_t value) {
  const auto [it, is_new] = presets_.try_emplace({&list, {type, value}});
  if (is_new) {
    // Presets are filled before the code runs, so no other value may have used the register.
    it->second = registers.fresh({type, 1}, false);
    list.push_back({it->second.offset, type, value});
  }
  return it->second;
}

void Lowering::watch(std::uint32_t buffer, const Register& index, std::uint32_t width,
                     Touch touch) {
  const ir::Access access = program.buffers[buffer].access;
  if (!detect_races || access == ir::Access::read || access == ir::Access::private_) return;
  emit({.run = race_handler(index.type.scalar),
        .dst = static_cast<std::uint32_t>(touch),
        .a = mask,
        .b = index.offset,
        .c = width,
        .buffer = buffer,
        .target = stmt});
}

std::uint32_t Lowering::emit(Instr i) {
  code.instructions.push_back(i);
  return here() - 1;
}

}  // namespace vyre::backend::reference
