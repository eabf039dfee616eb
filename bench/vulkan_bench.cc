// What a launch costs on a Vulkan device on top of Vulkan's own calls, and the bundled kernels in
// our language on lavapipe beside PoCL.

#include <fmt/format.h>

#include <array>
#include <chrono>
#include <nlohmann/json.hpp>

#include "backend/vulkan/build.h"
#include "backend/vulkan/devices.h"
#include "base/check.h"
#include "base/statistics.h"
#include "testing/bench.h"
#include "testing/run_command.h"
#include "testing/temporary_folder.h"
#include "vyre/builder.h"
#include "vyre/problem.h"
#include "vyre/vulkan.h"

namespace vyre::testing {
namespace {

using namespace backend::vulkan;

constexpr const char* kTouch = R"(#version 450
layout(local_size_x = 1) in;
layout(std430, binding = 0) buffer Data { uint x[]; };
layout(push_constant) uniform Values { uint n; };
void main() { if (n == 0) x[0] = 1; }
)";

ir::Sequence touch() {
  auto program = ir::from_source("touch",
                                 {.language = ir::Language::glsl,
                                  .text = kTouch,
                                  .entry = "main",
                                  .arguments = {{"x"}, {"n"}}},
                                 [](ir::Builder& b) {
                                   const auto n = b.shape("n");
                                   b.read_write(ir::Scalar::u32, "x", n);
                                   b.workgroup(1);
                                 });
  VYRE_CHECK(program);
  auto sequence = ir::Sequence::make(*std::move(program));
  VYRE_CHECK(sequence);
  return *std::move(sequence);
}

// The calls that an application would make itself: a command buffer that is recorded again for each
// submission, a descriptor set that is written once.
class BareCalls {
 public:
  BareCalls(Context& context, std::shared_ptr<const Pipeline> pipeline, VkBuffer buffer)
      : call_(context.call()),
        device_(context.device()->get()),
        pipeline_(std::move(pipeline)),
        batch_(Batch::make(context.device(), context.facts().queue_family).value()) {
    call_.vkGetDeviceQueue(device_, context.facts().queue_family, 0, &queue_);
    const VkDescriptorPoolSize size{VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1};
    VkDescriptorPoolCreateInfo pool{};
    pool.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO;
    pool.maxSets = 1;
    pool.poolSizeCount = 1;
    pool.pPoolSizes = &size;
    pool_ = make_object(context.device(), call_.vkCreateDescriptorPool, pool, "pool").value();
    const VkDescriptorSetLayout layout = pipeline_->set_layout();
    VkDescriptorSetAllocateInfo allocate{};
    allocate.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO;
    allocate.descriptorPool = pool_.get();
    allocate.descriptorSetCount = 1;
    allocate.pSetLayouts = &layout;
    VYRE_CHECK(call_.vkAllocateDescriptorSets(device_, &allocate, &set_) == VK_SUCCESS);
    const VkDescriptorBufferInfo bound{buffer, 0, VK_WHOLE_SIZE};
    VkWriteDescriptorSet write{};
    write.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET;
    write.dstSet = set_;
    write.descriptorCount = 1;
    write.descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
    write.pBufferInfo = &bound;
    call_.vkUpdateDescriptorSets(device_, 1, &write, 0, nullptr);
  }

  // So many launches in one submission, up to its end.
  void run(int launches) {
    VYRE_CHECK(batch_->begin(1));
    VkCommandBuffer commands = batch_->commands();
    const std::uint32_t one = 1;
    for (int k = 0; k < launches; ++k) {
      call_.vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline_->handle());
      call_.vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline_->layout(),
                                    0, 1, &set_, 0, nullptr);
      call_.vkCmdPushConstants(commands, pipeline_->layout(), VK_SHADER_STAGE_COMPUTE_BIT, 0, 4,
                               &one);
      call_.vkCmdDispatch(commands, 1, 1, 1);
      batch_->end_command();
    }
    VYRE_CHECK(batch_->submit(queue_));
    VYRE_CHECK(batch_->wait());
    VYRE_CHECK(batch_->reset());
  }

 private:
  const DeviceFunctions& call_;
  VkDevice device_;
  VkQueue queue_ = nullptr;
  std::shared_ptr<const Pipeline> pipeline_;
  std::shared_ptr<Batch> batch_;
  Owned<VkDescriptorPool> pool_;
  VkDescriptorSet set_ = nullptr;
};

double elapsed_us(const std::function<void()>& body) {
  const auto start = std::chrono::steady_clock::now();
  body();
  return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start)
      .count();
}

struct Cost {
  double more_us = 0;  // of ours, for one launch
  double bare_us = 0;
};

// In turn, each up to an empty queue.
Cost compare(const std::function<void()>& ours, const std::function<void()>& bare, int launches) {
  std::vector<double> more;
  std::vector<double> bare_us;
  const int pairs = 40'000 / (launches + 9);
  for (int k = 0; k < pairs; ++k) {
    const bool ours_first = k % 2 == 0;
    const double first = elapsed_us(ours_first ? ours : bare);
    const double second = elapsed_us(ours_first ? bare : ours);
    more.push_back(((ours_first ? first - second : second - first)) / launches);
    bare_us.push_back((ours_first ? second : first) / launches);
  }
  return {median(more), median(bare_us)};
}

VYRE_BENCHMARK(vulkan_launch) {
  const auto devices = open_vulkan();
  if (!devices) {
    report.add({.name = "vulkan: a launch", .unit = "us", .note = devices.error().message});
    return;
  }
  const auto& device = devices->front();
  const ir::Sequence sequence = touch();
  const auto kernel = device->compile(sequence, 0, {.symbols = {0}, .workgroup = {1, 1, 1}});
  const auto buffer = device->allocate(4);
  VYRE_CHECK(kernel && buffer);
  const auto context = context_of(*device).value();
  const auto memory = context->allocate(4).value();
  BareCalls calls(*context,
                  build_pipeline(context, {.name = "touch",
                                           .text = kTouch,
                                           .is_ours = false,
                                           .buffers = {"x"},
                                           .values = {{"n", 4}}})
                      .value(),
                  memory->buffer());
  const std::array<Buffer*, 1> buffers{buffer->get()};
  const std::array<std::uint64_t, 1> symbols{1};
  for (const int launches : {1, 64}) {
    const auto ours = [&] {
      for (int k = 0; k < launches; ++k) {
        VYRE_CHECK((*kernel)->launch({.buffers = buffers, .symbols = symbols}));
      }
      VYRE_CHECK(device->finish());
    };
    const Cost cost = compare(ours, [&] { calls.run(launches); }, launches);
    report.add({.name = fmt::format("vulkan: a launch on top of Vulkan's calls, {} per submission",
                                    launches),
                .value = cost.more_us,
                .unit = "us",
                .goal = at_most(2),
                .note = fmt::format("bare: {:.2f} us, to an empty queue", cost.bare_us)});
  }
}

// ms of the tuned kernel; 0: the campaign failed.
double tuned_ms(const char* device, std::string_view kernel) {
  const TemporaryFolder folder;
  const auto result = run_command(
      {VYRE_CLI, "tune", std::string(kernel), "--device", device, "--budget", "8", "--json"},
      {.timeout = std::chrono::milliseconds(120'000),
       .environment = {"XDG_CACHE_HOME=" + folder.path().string()}});
  const auto json = nlohmann::json::parse(result.out, nullptr, false);
  if (!json.is_array() || json.empty()) return 0;
  return json[0]["tuned"]["ns"].get<double>() / 1e6;
}

VYRE_BENCHMARK(vulkan_kernels) {
  if (!open_vulkan()) return;
  for (const auto& bundled : bundled_problems()) {
    const double vulkan = tuned_ms("vulkan", bundled.name);
    if (vulkan == 0) continue;  // written in OpenCL C only
    const double pocl = tuned_ms("opencl", bundled.name);
    report.add({.name = fmt::format("tuned {} on Vulkan, against OpenCL", bundled.name),
                .value = vulkan,
                .unit = "ms",
                .baseline = pocl,
                .ratio = pocl / vulkan});
  }
}

}  // namespace
}  // namespace vyre::testing
