// The time that commands of a stream take, by timestamps that the device writes.
//
// One is written before the first command and one behind each, which replaces the one before.
// Commands of other threads that come between count, as they do for the application. A queue
// without a clock is timed by the host's, from an idle queue to an idle queue.

#pragma once

#include <chrono>
#include <memory>
#include <optional>

#include "backend/vulkan/context.h"

namespace vyre::backend::vulkan {

class VulkanTimer final : public Timer {
 public:
  static Expected<std::unique_ptr<Timer>> make(std::shared_ptr<Context> context);

  // Records a command (Stream::record) between the timestamps of the timer, which may be null.
  template <class Command>
  static Expected<void> record(Context& context, Timer* given, std::uint32_t descriptors,
                               const Command& command) {
    auto* timer = dynamic_cast<VulkanTimer*>(given);
    if (timer == nullptr) {
      VYRE_TRY_VOID(context.stream().record(descriptors, command));
      return {};
    }
    VYRE_TRY(timer->serial_, context.stream().record(descriptors, [&](Batch& batch) {
      timer->begin(batch);
      const Expected<void> out = command(batch);
      timer->end(batch);
      return out;
    }));
    return {};
  }

  Expected<std::uint64_t> elapsed_ns() override;

 private:
  explicit VulkanTimer(std::shared_ptr<Context> context) : context_(std::move(context)) {}
  bool has_clock() const { return context_->facts().tick_bits > 0; }
  void begin(Batch& batch);
  void end(Batch& batch);

  std::shared_ptr<Context> context_;
  std::shared_ptr<Owned<VkQueryPool>> queries_;  // two: the beginning and the end
  std::uint64_t serial_ = 0;                     // of the last command
  std::optional<std::chrono::steady_clock::time_point> start_;
};

// The time between two values of a clock that counts with so many bits.
std::uint64_t ticks_to_ns(std::uint64_t begin, std::uint64_t end, std::uint32_t bits,
                          double tick_ns);

}  // namespace vyre::backend::vulkan
