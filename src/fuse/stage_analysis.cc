#include "fuse/stage_analysis.h"

#include <optional>

#include "base/check.h"

namespace vyre::fuse {

struct StageAnalysis::Made {
  explicit Made(const ir::Program& p) : program(p), accesses(p) {}

  const ir::Program& program;
  LazyAccesses accesses;
  std::optional<std::vector<Domain>> domains;
};

StageAnalysis::StageAnalysis() = default;
StageAnalysis::StageAnalysis(const StageAnalysis& /*other*/) {}
StageAnalysis& StageAnalysis::operator=(const StageAnalysis& /*other*/) {
  made_.reset();
  return *this;
}
StageAnalysis::~StageAnalysis() = default;

StageAnalysis::Made& StageAnalysis::made(const ir::Program& program) {
  if (!made_) made_ = std::make_unique<Made>(program);
  VYRE_CHECK(&made_->program == &program);
  return *made_;
}

LazyAccesses& StageAnalysis::accesses(const ir::Program& program) { return made(program).accesses; }

const std::vector<Domain>& StageAnalysis::domains(const ir::Program& program) {
  Made& all = made(program);
  if (!all.domains) all.domains = find_domains(program, all.accesses.get());
  return *all.domains;
}

}  // namespace vyre::fuse
