// The plain sweep: measure every workgroup size once, keep the fastest.
//
// Elapsed times are whole nanoseconds.

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "vyre/device.h"
#include "vyre/error.h"
#include "vyre/program.h"

namespace vyre {

// The seam between the policies and the device that is measured.
class BackendTimer {
 public:
  virtual ~BackendTimer() = default;
  // An error reaches the caller of the policy unchanged.
  virtual Expected<std::uint64_t> measure_candidate_ns(const ir::Sequence& program,
                                                       const Extent& workgroup_size) = 0;
};

struct Measurement {
  Extent workgroup_size{1, 1, 1};
  std::uint64_t elapsed_ns = 0;

  bool operator==(const Measurement&) const = default;
};

struct FailedCandidate {
  std::size_t index = 0;
  Error error = {};
};

enum class OnFailure : std::uint8_t {
  skip,  // go on; the first error is returned only if all candidates fail
  stop,  // return the first error and measure nothing after it
};

struct Sweep {
  std::optional<Measurement> best = {};  // none: there were no candidates
  std::vector<FailedCandidate> failed = {};
};

// Measures the candidates in order. A candidate must be strictly faster to win, so the first of
// equals stays.
Expected<Sweep> best_of(BackendTimer& timer, const ir::Sequence& program,
                        std::span<const Extent> candidates, OnFailure on_failure = OnFailure::skip);

}  // namespace vyre
