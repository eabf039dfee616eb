// Work: what one launch of a program reads, writes and computes, counted from its text.
//
// The count is an estimate for a prediction, not a measurement. It knows the turns of a loop whose
// bounds follow from sizes. Of two branches it takes the one that the first invocation takes (a
// whole strip, not the rest of one), or the dearer one if that is not known. It assumes that what
// is read again is found in a cache: a buffer counts at most once. Pure, and linear in the size of
// the program.

#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "vyre/device.h"
#include "vyre/program.h"

namespace vyre::fuse {

struct Work {
  double read_bytes = 0;
  double written_bytes = 0;
  // Additions of floats; slower operations count as several. A load and a store are one each, but
  // those of private arrays, which are registers, are free.
  double operations = 0;
  // By buffer of the program: elements that all invocations together load and store, with
  // repetitions.
  std::vector<double> loads = {};
  std::vector<double> stores = {};

  double bytes() const { return read_bytes + written_bytes; }
};

// `symbols`: the bits of every symbol of the program. `lengths`: the elements of each bound buffer,
// in the order of declaration. A source program counts as reading and writing each buffer once.
Work work_of(const ir::Program& program, std::span<const std::uint64_t> symbols,
             const Extent& workgroup, const Extent& groups, std::span<const std::uint64_t> lengths);

}  // namespace vyre::fuse
