// Sizes of one program in another: polynomials over symbols that both name alike.

#pragma once

#include <optional>
#include <vector>

#include "bounds/accesses.h"
#include "fuse/domain.h"
#include "fuse/stage.h"
#include "ir/rewrite/program_writer.h"

namespace vyre::fuse {

// A stage and what is known of its program. Refers to the stage.
struct Analysed {
  explicit Analysed(const Stage& stage)
      : program(stage.program),
        accesses(stage.accesses().get()),
        domains(stage.analysis.domains(stage.program)) {}
  const ir::Program& program;
  bounds::Accesses& accesses;
  const std::vector<Domain>& domains;
};

// The same size over the symbols of the other program; none if the size is made of anything but
// symbols, or the other program does not have one of them.
std::optional<bounds::Poly> translate(const bounds::Poly& size, const Analysed& from,
                                      const Analysed& to);

// The size as a u32 expression of a program that is being made; none if it is made of anything but
// integer symbols.
std::optional<ir::ExprId> write_size(const bounds::Poly& size, const Analysed& from,
                                     ir::ProgramWriter& to);

}  // namespace vyre::fuse
