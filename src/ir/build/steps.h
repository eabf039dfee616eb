// The steps of a sequence while the SequenceBuilder writes it.

#pragma once

#include <initializer_list>

#include "ir/build/recorder.h"

namespace vyre::ir {

// Appends one run of `program` to `def`. The values of its shapes and scalars, and its condition
// `when` (kNone: none), stay nodes of the recorder until `write_sizes`.
void add_step(Recorder& recorder, SequenceDef& def, const Program& program,
              std::initializer_list<Array> buffers, std::initializer_list<Operand> symbols,
              NodeId when, const Location& at);

// Symbols and buffers of the draft, and every node that a buffer or a step uses, as expressions.
void write_sizes(const Draft& draft, SequenceDef& def);

}  // namespace vyre::ir
