#include "backend/reference/registers.h"

#include <algorithm>

namespace vyre::backend::reference {

Register Registers::allocate(ir::Type type, bool temporary) {
  const std::uint32_t size = array_bytes(type.scalar) * type.width;
  if (auto& free = free_[size]; !free.empty()) {
    const std::uint32_t offset = free.back();
    free.pop_back();
    return {offset, type, temporary};
  }
  return fresh(type, temporary);
}

// The offset saturates at the largest that a register can name.
Register Registers::fresh(ir::Type type, bool temporary) {
  const auto offset = static_cast<std::uint32_t>(std::min<std::uint64_t>(top_, ir::kNone));
  top_ += array_bytes(type.scalar) * type.width;
  return {offset, type, temporary};
}

void Registers::release(const Register& r) {
  free_[array_bytes(r.type.scalar) * r.type.width].push_back(r.offset);
}

void Registers::release_if_temporary(const Register& r) {
  if (r.temporary) release(r);
}

Register Registers::element(const Register& r, std::uint32_t k) const {
  return {r.offset + k * array_bytes(r.type.scalar), {r.type.scalar, 1}, false};
}

}  // namespace vyre::backend::reference
