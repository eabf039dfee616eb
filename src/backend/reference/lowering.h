// Lowering: the state that the lowering of expressions and of statements share.

#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "backend/reference/code.h"
#include "backend/reference/race_detector.h"
#include "backend/reference/registers.h"
#include "vyre/program.h"

namespace vyre::backend::reference {

struct Lowering {
  Lowering(const ir::Program& lowered, const Specialisation& fixed, bool detects_races);

  // The register for a value that is known before the code runs. `list` is one of `code`.
  Register preset(std::vector<Preset>& list, ir::Scalar type, std::uint64_t value);

  // Reports an access by the statement at hand to the race detector, if there is one.
  void watch(std::uint32_t buffer, const Register& index, std::uint32_t width, Touch touch);

  std::uint32_t emit(Instr i);  // its index
  std::uint32_t here() const { return static_cast<std::uint32_t>(code.instructions.size()); }
  std::uint32_t cost_since(std::uint32_t first) const { return here() - first + 1; }

  const ir::Program& program;
  const Specialisation& specialisation;
  bool detect_races;
  Code code;
  Registers registers;
  std::vector<Register> variables;
  // The statement at hand, and the mask of the lanes that run it.
  std::uint32_t mask = 0;
  ir::StmtId stmt = 0;

 private:
  std::map<std::pair<const void*, std::pair<ir::Scalar, std::uint64_t>>, Register> presets_;
};

}  // namespace vyre::backend::reference
