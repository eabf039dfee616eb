// LazyAccesses: the analysis of a program's accesses, made when it is first asked for, and kept.
// Most joins are refused for reasons that need no proofs, and proofs are what takes time.

#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "bounds/accesses.h"
#include "vyre/program.h"

namespace vyre::fuse {

class LazyAccesses {
 public:
  explicit LazyAccesses(const ir::Program& program) : program_(program) {}

  bounds::Accesses& get() { return with({}); }

  // With these variables as atoms (bounds::Assumptions::opaque). References stay valid.
  bounds::Accesses& with(const std::vector<std::uint32_t>& opaque) {
    auto& made = made_[opaque];
    if (!made) {
      bounds::Assumptions assumptions;
      assumptions.opaque = opaque;
      made = std::make_unique<bounds::Accesses>(program_, assumptions);
    }
    return *made;
  }

 private:
  const ir::Program& program_;
  std::map<std::vector<std::uint32_t>, std::unique_ptr<bounds::Accesses>> made_;
};

}  // namespace vyre::fuse
