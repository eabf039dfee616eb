// Stage: one step of a sequence as a program over the sequence's own names.
//
// Every bound buffer is a buffer of the sequence, with its name and length. Every shape and scalar
// of the step is replaced by the expression that the step gives, or by the length of the buffer
// that it is found from. So two sizes of two stages are equal where their expressions are.
// Variables and arrays of the program have names of their own ("step2_acc"), which no other stage
// has.
//
// Workgroup and grid are explicit. A grid that is not declared covers the largest written buffer,
// and a workgroup that is not declared either is the tunable `fused_block` on axis 0.

#pragma once

#include <cstdint>
#include <expected>
#include <string_view>
#include <vector>

#include "fuse/refusal.h"
#include "fuse/stage_analysis.h"
#include "ir/rewrite/program_writer.h"
#include "vyre/program.h"

namespace vyre::fuse {

struct Stage {
  ir::Program program;                  // symbols: those of the sequence that it uses, and tunables
  std::vector<std::uint32_t> buffers;   // the sequence's, for each bound buffer of the program
  mutable StageAnalysis analysis = {};  // of the program

  LazyAccesses& accesses() const { return analysis.accesses(program); }
};

// What a join must know of the sequence around it.
struct JoinContext {
  const ir::SequenceDef& sequence;
  // By buffer of the sequence: a step outside producer and consumer reads it, or it is an output or
  // the repeat's flag. Its content must be stored.
  std::vector<bool> is_needed;
};

// The sequence must be valid. Refuses programs in another language ("stage.source") and what
// exceeds the limits of a program ("too-large").
std::expected<Stage, Refusal> instantiate(const ir::SequenceDef& sequence, std::uint32_t step);

// The sequence's index of a stage's buffer: `buffer` indexes Program::buffers. kNone for arrays.
std::uint32_t sequence_buffer(const Stage& stage, std::uint32_t buffer);
// The program's index of a buffer of the sequence, or kNone.
std::uint32_t find_in(const Stage& stage, std::uint32_t sequence_buffer);

// The stage of a finished program: finds its bound buffers in the sequence by name. Refuses a
// program that `validate` does not accept because of its size or depth ("too-large").
std::expected<Stage, Refusal> make_stage(const ir::SequenceDef& sequence, ir::Program program);

// A new program in which no variable can get a name that the sequence has.
ir::ProgramWriter start_program(const ir::SequenceDef& sequence, std::string_view name);

}  // namespace vyre::fuse
