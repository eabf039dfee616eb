// Emission: the state that the writers of one kernel share.

#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <set>
#include <vector>

#include "bounds/proofs.h"
#include "emit/c_like/c_names.h"
#include "emit/c_like/dialect.h"
#include "emit/c_like/prelude.h"
#include "vyre/program.h"

namespace vyre::emit {

struct Emission {
  const Dialect& dialect;
  const ir::Program& program;
  std::array<std::uint32_t, 3> workgroup;
  std::vector<std::optional<std::uint64_t>> symbols;  // values of tunables; no others
  bounds::Proofs proofs;
  Names names;
  Prelude& prelude;
  // Names that the body uses and that the kernel must therefore declare at its top.
  std::set<std::uint32_t> lengths_used{};   // bound buffers
  std::set<std::uint32_t> tunables_used{};  // symbols
};

}  // namespace vyre::emit
