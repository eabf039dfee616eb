// Observer: what a runtime's own launches say about their speed, and the sizes that follow from it.

#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>

#include "vyre/runtime.h"

namespace vyre {

class Observer {
 public:
  using Clock = std::chrono::steady_clock;
  explicit Observer(ResizePolicy policy) : policy_(policy) {}

  // One launch, from begin to end; `output_elements` is what it has made.
  void observe(const ir::Sequence& sequence, std::uint32_t workgroup_x,
               std::uint64_t output_elements, Clock::time_point begin, Clock::time_point end);

  std::optional<TunerFeedback> feedback(const ir::Fingerprint& fingerprint) const;
  // The size to try next, if it is not the declared one.
  std::optional<std::uint32_t> size(const ir::Fingerprint& fingerprint) const;

 private:
  struct Watched {
    TunerFeedback last;
    SteadyResize resize;
    std::optional<std::uint32_t> size;
    Clock::time_point end;
  };
  ResizePolicy policy_;
  mutable std::mutex mutex_;
  std::map<ir::Fingerprint, Watched> watched_;
};

}  // namespace vyre
