// What the parts of one kernel's emission share.

#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <set>
#include <vector>

#include "bounds/proofs.h"
#include "emit/c_like/names.h"
#include "emit/opencl/prelude.h"
#include "vyre/program.h"

namespace vyre::emit::opencl {

struct Kernel {
  const ir::Program& program;
  std::array<std::uint32_t, 3> workgroup;
  std::vector<std::optional<std::uint64_t>> symbols;  // tunables only
  bounds::Proofs proofs;
  Names names;
  Prelude& prelude;
  // What the body turned out to need at the kernel's top.
  std::set<std::uint32_t> lengths_used{};   // bound buffers
  std::set<std::uint32_t> tunables_used{};  // symbols
};

}  // namespace vyre::emit::opencl
