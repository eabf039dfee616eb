// The original's tuner: workgroup sizes to try, the policies that choose between them, and the size
// that is remembered for a key.
//
// This header includes those of the policies: best_of.h, natural_policy.h, natural_search.h and
// resize.h. docs/from_the_original.md maps each item of the original to its place here.

#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "vyre/decisions.h"
#include "vyre/device.h"
#include "vyre/error.h"
#include "vyre/program.h"
#include "vyre/substrate/best_of.h"
#include "vyre/substrate/natural_policy.h"
#include "vyre/substrate/natural_search.h"
#include "vyre/substrate/resize.h"

namespace vyre {

// --- Workgroup sizes. ---

// Whether results are the same with every workgroup size: one program that declares no grid, has no
// tunables, barriers, atomics or local memory, and asks for nothing but its global id on axis 0.
bool has_free_workgroup(const ir::Sequence& sequence);

// The workgroup size that the program declares, with tunables at their defaults. None: the program
// declares no size, or the sequence has several steps.
std::optional<Extent> declared_workgroup(const ir::Sequence& sequence);

// 32, 64, ... 1024: those that have at most `most_items` invocations, ascending; possibly none.
std::vector<Extent> candidates_for(std::uint32_t most_items);

// The sizes that a campaign may choose from, as a space over kWorkgroupNames.
struct WorkgroupChoice {
  space::Space space;
  std::uint64_t default_index = 0;
};
// Those of candidates_for that fit the device, and the size that the program has without any
// choice. None: results may depend on the size (has_free_workgroup), or there is only one.
std::optional<WorkgroupChoice> workgroup_choice(const ir::Sequence& sequence,
                                                const DeviceLimits& limits);

// [64,1,1], or the largest power of two that the device allows.
Extent default_workgroup_size(const DeviceLimits& limits);

// The original's shape of a dispatch, for v1_key. `shape` is as key_of takes it
// (Runtime::shape_of). The workgroup size is the declared one, or [64,1,1]. The workgroup count is
// the declared grid if it depends on no shape and no scalar, else none. bad_inputs: the sequence
// has several steps, or `shape` has too few numbers for its buffers.
Expected<V1Shape> v1_shape_of(const ir::Sequence& sequence, std::span<const std::uint64_t> shape);

// --- Sizes by key. ---

// Workgroup sizes by key, as the original's tuner kept them. Threads: as DecisionCache.
class Tuner {
 public:
  Tuner(CacheOptions cache, Mode mode, const DeviceLimits& limits)
      : cache_(DecisionCache::open(std::move(cache))), mode_(mode), limits_(limits) {}

  Mode mode() const { return mode_; }
  std::vector<Extent> candidates() const { return candidates_for(limits_.workgroup_items); }
  // The remembered size, else the default. Never tunes.
  Extent resolve(const Key& key) const;
  // In memory only. A size of 0 on any axis is Offer::no_workgroup_size.
  Offer record_decision(const V1Shape& shape, const Extent& size);
  Offer record_key_decision(const Key& key, const Extent& size);
  // Writes the file, and makes its folders.
  Expected<void> persist() { return cache_.save(); }
  DecisionCache& cache() { return cache_; }

 private:
  DecisionCache cache_;
  Mode mode_;
  DeviceLimits limits_;
};

}  // namespace vyre
