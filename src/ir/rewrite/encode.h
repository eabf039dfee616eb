// The canonical encoding behind fingerprints: the same bytes for programs that mean the same to
// the tuner, different bytes for all others.
//
// Two programs with the same bytes mean the same, because the bytes can be read back. Every field
// has a fixed width or stands behind its length. Every node begins with its tag, and the tag says
// which fields and operands follow. A block ends with a tag that begins no statement. Operations of
// ops.def are written by name, so a new row changes no fingerprint. References are numbers that the
// encoding itself defines (numbering.h). Reading back does not restore names (except those of
// tunables), the workgroup size, and these three, none of which may count:
//
// - The order of adjacent `let`s. Nothing is written between them, so each may stand anywhere in
// the
//   run after those that it uses. A run is written as the sorted hashes of its members. A member
//   that uses another member contains the hash of that member, so the set of hashes determines the
//   run up to that order. Two members with the same hash have the same value and share one number,
//   unless another statement writes to them: then each has a number of its own, and the hashes
//   differ.
// - The order of local and private arrays. They are numbered by first write. Arrays that are never
//   written hold zeros, so two of the same type and length are interchangeable and share one
//   number.
// - The default of a tunable that only the workgroup size uses: it is part of that size.
//
// Near linear in the size of the program. Valid programs only.

#pragma once

#include "base/byte_writer.h"
#include "vyre/program.h"

namespace vyre::ir {

ByteWriter encode(const Program& program);
ByteWriter encode(const SequenceDef& sequence);

}  // namespace vyre::ir
