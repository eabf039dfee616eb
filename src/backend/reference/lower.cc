#include <algorithm>

#include "backend/reference/lowering.h"
#include "base/error.h"
#include "ir/ops.h"
#include "ir/rewrite/fold.h"

namespace vyre::backend::reference {

using ir::Scalar;
using ir::Type;

Lowering::Lowering(const ir::Program& program, const Specialisation& specialisation,
                   const LoweringOptions& options)
    : program_(program), specialisation_(specialisation), options_(options) {
  const auto& [x, y, z] = specialisation.workgroup;
  code_.lanes = x * y * z;
  code_.blocks = (code_.lanes + kLaneBlock - 1) / kLaneBlock;
  stride_ = code_.blocks * kLaneBlock;
  variables_.resize(program.variables.size());
  has_return_ = std::ranges::any_of(
      program.stmts, [](const ir::Stmt& s) { return s.kind == ir::StmtKind::return_; });
}

Expected<Code> Lowering::run() {
  code_.mask = allocate({Scalar::boolean, 1}, false).offset;
  code_.alive = allocate({Scalar::boolean, 1}, false).offset;
  arrays();
  block(program_.body, code_.mask);
  std::uint64_t bytes = top_;
  for (const Array& a : code_.arrays) bytes += a.bytes;
  if (bytes > options_.most_bytes || top_ > ir::kNone) {
    return rejected(
        "program \"{}\" needs {} bytes for a workgroup of {} invocations, the interpreter gives "
        "{}; "
        "use a smaller workgroup or smaller arrays",
        program_.name, bytes, code_.lanes, options_.most_bytes);
  }
  code_.register_bytes = static_cast<std::uint32_t>(top_);
  return std::move(code_);
}

void Lowering::arrays() {
  std::vector<std::optional<std::uint64_t>> known(program_.symbols.size());
  for (std::size_t k = 0; k < known.size(); ++k) {
    if (program_.symbols[k].kind == ir::SymbolKind::tunable) known[k] = specialisation_.symbols[k];
  }
  for (std::uint32_t k = 0; k < program_.buffers.size(); ++k) {
    const ir::Buffer& b = program_.buffers[k];
    if (ir::is_bound(b.access)) continue;
    const std::uint64_t length = ir::fold(program_, b.length, known).value_or(0);
    const std::uint64_t copies = b.access == ir::Access::private_ ? stride_ : 1;
    code_.arrays.push_back({k, length, length * copies * ir::byte_size(b.element)});
  }
}

// The offset saturates past what a register can name; `run` refuses the program then.
Register Lowering::allocate(Type type, bool temporary) {
  const std::uint32_t size = array_bytes(type.scalar) * type.width;
  if (auto& free = free_[size]; !free.empty()) {
    const std::uint32_t offset = free.back();
    free.pop_back();
    return {offset, type, temporary};
  }
  return fresh(type, temporary);
}

Register Lowering::fresh(Type type, bool temporary) {
  const auto offset = static_cast<std::uint32_t>(std::min<std::uint64_t>(top_, ir::kNone));
  top_ += array_bytes(type.scalar) * type.width;
  return {offset, type, temporary};
}

void Lowering::release(const Register& r) {
  free_[array_bytes(r.type.scalar) * r.type.width].push_back(r.offset);
}

void Lowering::release_if_temporary(const Register& r) {
  if (r.temporary) release(r);
}

Register Lowering::element(const Register& r, std::uint32_t k) const {
  return {r.offset + k * array_bytes(r.type.scalar), {r.type.scalar, 1}, false};
}

Register Lowering::preset(std::vector<Preset>& list, Scalar type, std::uint64_t value) {
  const auto [it, is_new] = presets_.try_emplace({&list, {type, value}});
  if (is_new) {
    // Filled before the code runs, so never a register that the code has used before.
    it->second = fresh({type, 1}, false);
    list.push_back({it->second.offset, type, value});
  }
  return it->second;
}

void Lowering::watch(std::uint32_t buffer, const Register& index, std::uint32_t width,
                     Touch touch) {
  const ir::Access access = program_.buffers[buffer].access;
  if (!options_.detect_races || access == ir::Access::read || access == ir::Access::private_)
    return;
  emit({.run = race_handler(index.type.scalar),
        .dst = static_cast<std::uint32_t>(touch),
        .a = mask_,
        .b = index.offset,
        .c = width,
        .buffer = buffer,
        .target = stmt_});
}

std::uint32_t Lowering::emit(Instr i) {
  code_.instructions.push_back(i);
  return here() - 1;
}

Expected<Code> lower(const ir::Program& program, const Specialisation& specialisation,
                     const LoweringOptions& options) {
  return Lowering(program, specialisation, options).run();
}

}  // namespace vyre::backend::reference
