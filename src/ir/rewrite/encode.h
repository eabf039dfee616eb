// The canonical encoding behind fingerprints: the same bytes for programs that mean the same to
// the tuner, different bytes for all others.
//
// Why two programs with the same bytes mean the same: the bytes can be read back. Every field has
// a fixed width or stands behind its length, every node begins with its tag and a tag says which
// fields and operands follow, and a block ends with a tag that begins no statement. Operations of
// ops.def are written by name, so a new row changes no fingerprint. References are numbers which
// the encoding itself defines (numbering.h). What reading back does not restore is what must not
// count: names (but those of tunables), the workgroup size, and:
//
// - The order of adjacent `let`s. Nothing is written between them, so each may stand anywhere in
//   their run after those it uses. A run is written as the sorted hashes of its members; a member
//   that uses another of the same run contains that one's hash, so the set of hashes determines
//   the run up to that order. Two members with the same hash have the same value, and unless
//   something else writes to them (then they have numbers of their own, and different hashes) it
//   does not matter which of them is used: they share one number.
// - The order of local and private arrays: numbered by first write. Those never written hold zeros,
//   so two of the same type and length are interchangeable, and share one number.
// - The default of a tunable which only the workgroup size uses: it is part of that size.
//
// Near linear in the size of the program. Valid programs only.

#pragma once

#include "base/byte_writer.h"
#include "vyre/program.h"

namespace vyre::ir {

ByteWriter encode(const Program& program);
ByteWriter encode(const SequenceDef& sequence);

}  // namespace vyre::ir
