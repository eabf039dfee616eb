#include "backend/vulkan/vulkan_kernel.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "backend/common/kernel_plan.h"
#include "backend/vulkan/buffer.h"
#include "backend/vulkan/build.h"
#include "backend/vulkan/request.h"
#include "backend/vulkan/timer.h"
#include "base/small_array.h"
#include "base/text.h"

namespace vyre::backend::vulkan {
namespace {

// A value that a launch copies into the push constants.
struct PushedValue {
  std::uint32_t symbol = 0;
  std::uint32_t offset = 0;
  std::uint32_t bytes = 0;
};

// A buffer that a launch binds.
struct BoundBuffer {
  std::uint32_t index = 0;  // among Launch::buffers
  std::string name{};       // for messages
};

class VulkanKernel final : public Kernel {
 public:
  VulkanKernel(std::shared_ptr<Context> context, std::shared_ptr<const Pipeline> pipeline,
               const KernelPlan& plan, bool is_ours)
      : context_(std::move(context)),
        pipeline_(std::move(pipeline)),
        name_(plan.source.name),
        buffer_count_(plan.buffers),
        symbol_count_(plan.symbols),
        is_ours_(is_ours) {
    for (const Parameter& parameter : plan.parameters) {
      if (parameter.kind == Parameter::Kind::buffer) {
        buffers_.push_back({parameter.index, parameter.name});
      } else {
        values_.push_back({parameter.index, pipeline_->offsets()[values_.size()],
                           static_cast<std::uint32_t>(parameter.bytes)});
      }
    }
  }

  Expected<void> launch(const Launch& launch) override {
    if (launch.buffers.size() != buffer_count_ || launch.symbols.size() != symbol_count_) {
      return bad_inputs("launch of {}: {} buffers and {} symbols given, {} and {} wanted",
                        quote(name_), launch.buffers.size(), launch.symbols.size(), buffer_count_,
                        symbol_count_);
    }
    if (!is_ours_) VYRE_TRY_VOID(check_grid(launch.groups));
    SmallArray<BoundMemory, 16> bound(buffers_.size());
    SmallArray<const VulkanBuffer*, 16> used(buffers_.size());
    for (std::size_t k = 0; k < buffers_.size(); ++k) {
      VYRE_TRY(used[k], buffer_of(buffers_[k], launch));
      bound[k] = {used[k]->memory()->buffer(), used[k]->offset(), used[k]->size()};
    }
    std::array<std::byte, kMostPushBytes> push;
    std::memset(push.data(), 0, pipeline_->push_bytes());
    for (const PushedValue& value : values_) {
      std::memcpy(push.data() + value.offset, &launch.symbols[value.symbol], value.bytes);
    }
    const auto descriptors = static_cast<std::uint32_t>(buffers_.size());
    const auto command = [&](Batch& batch) -> Expected<void> {
      VYRE_TRY_VOID(pipeline_->bind(batch, bound.view()));
      batch.keep(pipeline_);
      for (const VulkanBuffer* buffer : used.view()) {
        batch.keep(buffer->memory());
        buffer->memory()->note_use(batch.serial());
      }
      dispatch(batch, launch.groups, push);
      return {};
    };
    return VulkanTimer::record(*context_, launch.timer, descriptors, command);
  }

 private:
  Expected<void> check_grid(const Extent& groups) const {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const std::uint32_t most = context_->facts().grid[axis];
      if (groups[axis] <= most) continue;
      return rejected(
          "launch of {}: {} workgroups along {} are more than the {} that the device takes; use a "
          "larger workgroup or another axis",
          quote(name_), groups[axis], "xyz"[axis], most);
    }
    return {};
  }

  Expected<const VulkanBuffer*> buffer_of(const BoundBuffer& wanted, const Launch& launch) const {
    const auto* buffer = dynamic_cast<const VulkanBuffer*>(launch.buffers[wanted.index]);
    if (buffer == nullptr || buffer->device() != context_->device().get()) {
      return bad_inputs(
          "launch of {}: buffer {} is missing or of another device; pass the bound buffers in "
          "declaration order",
          quote(name_), quote(wanted.name));
    }
    const std::uint64_t most = context_->facts().storage_range;
    if (buffer->size() <= most) return buffer;
    return rejected(
        "launch of {}: buffer {} has {} bytes, but kernels of the device reach {} of a buffer "
        "(maxStorageBufferRange); use smaller buffers",
        quote(name_), quote(wanted.name), buffer->size(), most);
  }

  // Grids that are larger than the device takes at once go in pieces. A kernel of ours adds the
  // offset of its piece to its group id.
  void dispatch(const Batch& batch, const Extent& groups,
                std::array<std::byte, kMostPushBytes>& push) const {
    const Extent& most = context_->facts().grid;
    const auto pushed = std::span(push).first(pipeline_->push_bytes());
    if (is_ours_) std::memcpy(push.data() + kGridBytes / 2, groups.data(), sizeof(groups));
    Extent at{};
    for (at[2] = 0; at[2] < groups[2];) {
      const std::uint32_t z = std::min(groups[2] - at[2], most[2]);
      for (at[1] = 0; at[1] < groups[1];) {
        const std::uint32_t y = std::min(groups[1] - at[1], most[1]);
        for (at[0] = 0; at[0] < groups[0];) {
          const std::uint32_t x = std::min(groups[0] - at[0], most[0]);
          if (is_ours_) std::memcpy(push.data(), at.data(), sizeof(at));
          pipeline_->push(batch, pushed);
          context_->call().vkCmdDispatch(batch.commands(), x, y, z);
          at[0] += x;
        }
        at[1] += y;
      }
      at[2] += z;
    }
  }

  std::shared_ptr<Context> context_;
  std::shared_ptr<const Pipeline> pipeline_;
  std::string name_;
  std::size_t buffer_count_;
  std::size_t symbol_count_;
  bool is_ours_;
  std::vector<BoundBuffer> buffers_;
  std::vector<PushedValue> values_;
};

}  // namespace

Expected<std::shared_ptr<Kernel>> compile_kernel(const std::shared_ptr<Context>& context,
                                                 const ir::Sequence& sequence,
                                                 std::uint32_t program,
                                                 const Specialisation& specialisation) {
  const ir::Program& of = sequence.def().programs[program];
  VYRE_TRY(const KernelPlan plan, plan_kernel(of, specialisation, kGlsl));
  VYRE_TRY(const PipelineRequest request, request_for(of, specialisation, plan, context->quirks()));
  VYRE_TRY(auto pipeline, build_pipeline(context, request));
  return std::make_shared<VulkanKernel>(context, std::move(pipeline), plan, !of.source);
}

}  // namespace vyre::backend::vulkan
