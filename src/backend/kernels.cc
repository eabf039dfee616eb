#include "backend/kernels.h"

#include <cstring>

#include "base/error.h"

namespace vyre::backend {
namespace {

constexpr std::size_t kMostKernels = 4096;

// Programs that differ in names only have one fingerprint; `==` tells them apart.
std::uint64_t hash_of(const ir::Program& program, const Specialisation& specialisation) {
  const ir::Fingerprint print = ir::fingerprint(program);
  std::uint64_t hash = 0;
  std::memcpy(&hash, print.data(), sizeof(hash));
  const auto mix = [&](std::uint64_t word) { hash = (hash ^ word) * 0x9e3779b97f4a7c15U; };
  for (const std::uint64_t bits : specialisation.symbols) mix(bits);
  for (const std::uint32_t size : specialisation.workgroup) mix(size);
  return hash;
}

// Only tunables are part of what is compiled; the other symbols are passed at each launch.
Specialisation without_arguments(const ir::Program& program, Specialisation specialisation) {
  for (std::size_t k = 0; k < program.symbols.size(); ++k) {
    if (program.symbols[k].kind != ir::SymbolKind::tunable) specialisation.symbols[k] = 0;
  }
  return specialisation;
}

}  // namespace

Expected<std::shared_ptr<Kernel>> Kernels::find_or_compile(const ir::Sequence& sequence,
                                                           std::uint32_t program,
                                                           const Specialisation& given) {
  const ir::Program& compiled = sequence.def().programs[program];
  const Specialisation specialisation = without_arguments(compiled, given);
  const std::uint64_t hash = hash_of(compiled, specialisation);
  if (auto known = find(hash, compiled, specialisation)) return known;
  VYRE_TRY(auto kernel, device_->compile(sequence, program, specialisation));
  if (auto meanwhile = find(hash, compiled, specialisation)) return meanwhile;
  const std::lock_guard lock(mutex_);
  if (entries_.size() >= kMostKernels) make_room();
  entries_.emplace(hash, Entry{sequence, program, specialisation, kernel});
  return kernel;
}

std::shared_ptr<Kernel> Kernels::find(std::uint64_t hash, const ir::Program& program,
                                      const Specialisation& specialisation) {
  const std::lock_guard lock(mutex_);
  const auto [first, last] = entries_.equal_range(hash);
  for (auto it = first; it != last; ++it) {
    const Entry& entry = it->second;
    if (entry.specialisation == specialisation &&
        entry.sequence.def().programs[entry.program] == program) {
      return entry.kernel;
    }
  }
  return nullptr;
}

void Kernels::make_room() {
  std::erase_if(entries_, [](const auto& entry) { return entry.second.kernel.use_count() == 1; });
}

}  // namespace vyre::backend
