// Resizing workgroups while an application runs, by what its own launches show.

#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace vyre {

struct TunerFeedback {
  // How often each operation is written in the program's text. An operation in a loop counts once,
  // however often it is executed. The policies here do not use it.
  std::map<std::string, std::uint64_t> written_op_counts = {};
  std::uint64_t wall_time_us = 0;
  std::uint64_t idle_us = 0;
  std::uint32_t observed_workgroup_size_x = 0;
  double observed_throughput_per_us = 0;  // elements
};

struct ResizePolicy {
  std::uint32_t adapter_max = 1024;
  std::uint32_t minimum = 32;
  double saturation_per_us = 1.0;
  std::uint64_t idle_shrink_us = 100'000;

  // Half the size if the device was idle too long, twice the size if it is below saturation, else
  // nothing. Never 0. The policy remembers nothing, so it may go back and forth for ever;
  // SteadyResize does not.
  std::optional<std::uint32_t> suggest(const TunerFeedback& feedback) const;
};

// ResizePolicy with hysteresis. After a suggestion it waits until that size was observed. A size
// that was observed is suggested again only if it did better than the present one by `gain`. So it
// settles: every size is tried at most once until the work itself changes.
class SteadyResize {
 public:
  explicit SteadyResize(ResizePolicy policy = {}, double gain = 0.05)
      : policy_(policy), gain_(gain) {}

  std::optional<std::uint32_t> suggest(const TunerFeedback& feedback);

 private:
  void remember(std::uint32_t size, double throughput);
  std::optional<std::uint32_t> better_than(std::uint32_t size) const;

  ResizePolicy policy_;
  double gain_;
  std::optional<std::uint32_t> awaited_;
  std::map<std::uint32_t, double> throughput_;  // the last one seen at each size
};

}  // namespace vyre
