#include "backend/vulkan/timer.h"

#include <array>
#include <cmath>

namespace vyre::backend::vulkan {

Expected<std::unique_ptr<Timer>> VulkanTimer::make(std::shared_ptr<Context> context) {
  std::unique_ptr<VulkanTimer> timer(new VulkanTimer(std::move(context)));
  if (!timer->has_clock()) {
    VYRE_TRY_VOID(timer->context_->finish());
    return timer;
  }
  const VkQueryPoolCreateInfo info{.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
                                   .pNext = nullptr,
                                   .flags = 0,
                                   .queryType = VK_QUERY_TYPE_TIMESTAMP,
                                   .queryCount = 2,
                                   .pipelineStatistics = 0};
  const Context& of = *timer->context_;
  VYRE_TRY(auto pool, make_object(of.device(), of.call().vkCreateQueryPool, info,
                                  "no timestamps can be made"));
  timer->queries_ = std::make_shared<Owned<VkQueryPool>>(std::move(pool));
  return timer;
}

// At the bottom of the pipe, so that commands before the first one are over.
void VulkanTimer::begin(Batch& batch) {
  const bool is_first = !start_;
  if (is_first) start_ = std::chrono::steady_clock::now();
  if (!has_clock()) return;
  const DeviceFunctions& call = context_->call();
  batch.keep(queries_);
  call.vkCmdResetQueryPool(batch.commands(), queries_->get(), is_first ? 0 : 1, is_first ? 2 : 1);
  if (is_first) {
    call.vkCmdWriteTimestamp(batch.commands(), VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT,
                             queries_->get(), 0);
  }
}

void VulkanTimer::end(Batch& batch) {
  if (!has_clock()) return;
  context_->call().vkCmdWriteTimestamp(batch.commands(), VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT,
                                       queries_->get(), 1);
}

Expected<std::uint64_t> VulkanTimer::elapsed_ns() {
  if (!start_) return 0;
  VYRE_TRY_VOID(context_->stream().wait(serial_));
  if (!has_clock()) {
    const std::chrono::nanoseconds taken = std::chrono::steady_clock::now() - *start_;
    return static_cast<std::uint64_t>(taken.count());
  }
  std::array<std::uint64_t, 2> ticks{};
  DeviceHandle& device = *context_->device();
  const VkResult code = context_->call().vkGetQueryPoolResults(
      device.get(), queries_->get(), 0, 2, sizeof(ticks), ticks.data(), sizeof(ticks[0]),
      VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT);
  VYRE_TRY_VOID(device.check(code, "the device's clock cannot be read"));
  return ticks_to_ns(ticks[0], ticks[1], context_->facts().tick_bits, context_->facts().tick_ns);
}

std::uint64_t ticks_to_ns(std::uint64_t begin, std::uint64_t end, std::uint32_t bits,
                          double tick_ns) {
  constexpr std::uint32_t kAllBits = 64;
  const std::uint64_t mask = bits >= kAllBits ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1;
  const std::uint64_t ticks = (end - begin) & mask;
  if (ticks > mask / 2) return 0;  // the clock went back
  return static_cast<std::uint64_t>(std::llround(static_cast<double>(ticks) * tick_ns));
}

}  // namespace vyre::backend::vulkan
