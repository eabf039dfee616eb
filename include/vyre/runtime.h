// Runtime: launches programs the way that was decided for them.
//
//   auto runtime = tuner::Runtime::open(device, {.cache = {.folder =
//   *tuner::from_env().cache_folder}}); runtime.launch(saxpy, {.inputs = inputs, .arguments =
//   arguments}, outputs);
//
// A launch looks up the decision for the program and its shape; a shape that was never tuned gets
// that of the nearest one as a seed, else the default. A configuration that the device refuses is
// replaced by the default, with one event. Results never depend on what is remembered.
//
// Thread-safe. Works on every backend; keeps its device alive.

#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "vyre/decisions.h"
#include "vyre/dispatch.h"
#include "vyre/tuner.h"

namespace vyre::tuner {

enum class Source : std::uint8_t {
  untuned,   // the default
  decision,  // made for this program, shape, identity and space
  seed,      // made for this program and shape, under another identity or over another space
  nearest,   // made for another shape of this program
};
std::string_view to_string(Source source);

struct Resolved {
  DecisionRef decision = {};
  Source source = Source::untuned;
};

enum class Feedback : std::uint8_t {
  none,
  gather,  // time every launch
  resize,  // and let SteadyResize choose the workgroup size where nothing was decided and the
           // program means the same with any size
};

struct RuntimeOptions {
  // What a miss may do. Nothing here tunes on a miss yet: all modes serve what is remembered.
  Mode mode = Mode::off;
  // An empty adapter is the device's name; the identity is always the device's.
  CacheOptions cache = {};
  Feedback feedback = Feedback::none;
  ResizePolicy resize = {};
};

class Runtime {
 public:
  static Runtime open(std::shared_ptr<backend::Device> device, RuntimeOptions options);
  Runtime(Runtime&&) noexcept;
  Runtime& operator=(Runtime&&) noexcept;
  ~Runtime();

  // Never tunes, never compiles. A hit takes about 20 ns and no lock.
  Resolved resolve(const ir::Sequence& sequence, std::span<const std::uint64_t> shape) const;

  // The numbers that key_of takes: what a call says about its sizes.
  Expected<std::vector<std::uint64_t>> shape_of(const ir::Sequence& sequence,
                                                const backend::Call& call) const;

  // Values of the sequence's tunables, in declaration order; empty: the defaults. What the sequence
  // does not declare is left out.
  Config config_of(const ir::Sequence& sequence, const Resolved& resolved) const;

  // As Dispatcher::dispatch; a config in the call is used as it is, and nothing looked up.
  Expected<void> launch(const ir::Sequence& sequence, const backend::Call& call,
                        backend::Outputs& outputs);
  Expected<backend::Outputs> launch(const ir::Sequence& sequence, const backend::Call& call);

  // Of the last launch of this sequence. None: not gathered.
  std::optional<TunerFeedback> feedback(const ir::Sequence& sequence) const;

  Mode mode() const;
  DecisionCache& cache();
  const DecisionCache& cache() const;

 private:
  struct Content;
  explicit Runtime(std::unique_ptr<Content> content);
  std::unique_ptr<Content> content_;
};

// Whether results are the same with every workgroup size: one program that declares no grid, has no
// tunables, barriers, atomics or local memory, and asks for nothing but its global id on axis 0.
bool has_free_workgroup(const ir::Sequence& sequence);

// Workgroup sizes by key, as the original's tuner kept them.
class Tuner {
 public:
  Tuner(CacheOptions cache, Mode mode, const backend::DeviceLimits& limits)
      : cache_(DecisionCache::open(std::move(cache))), mode_(mode), limits_(limits) {}

  Mode mode() const { return mode_; }
  std::vector<backend::Extent> candidates() const {
    return candidates_for(limits_.workgroup_items);
  }
  // What is remembered, else the default; never tunes.
  backend::Extent resolve(const Key& key) const;
  // In memory only.
  Offer record_decision(const V1Shape& shape, const backend::Extent& size);
  Offer record_key_decision(const Key& key, const backend::Extent& size);
  Expected<void> persist() { return cache_.save(); }
  DecisionCache& cache() { return cache_; }

 private:
  DecisionCache cache_;
  Mode mode_;
  backend::DeviceLimits limits_;
};

}  // namespace vyre::tuner
