// StageAnalysis: what the joins find out about a stage, made when it is first asked for, and kept.
//
// All kinds and all runs of steps that a stage is in ask the same questions about it, and proofs
// are what takes time. An analysis belongs to one program at its place in memory: a copy starts
// empty. Not for several threads at once.

#pragma once

#include <memory>
#include <vector>

#include "fuse/domain.h"
#include "fuse/lazy_accesses.h"
#include "vyre/program.h"

namespace vyre::fuse {

class StageAnalysis {
 public:
  StageAnalysis();
  StageAnalysis(const StageAnalysis& other);
  StageAnalysis& operator=(const StageAnalysis& other);
  ~StageAnalysis();

  // The program must always be the same one, and must not change.
  LazyAccesses& accesses(const ir::Program& program);
  const std::vector<Domain>& domains(const ir::Program& program);

 private:
  struct Made;
  Made& made(const ir::Program& program);

  std::unique_ptr<Made> made_;
};

}  // namespace vyre::fuse
