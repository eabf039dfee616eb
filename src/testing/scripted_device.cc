#include "testing/scripted_device.h"

#include <gtest/gtest.h>

#include <array>

#include "backend/cuda/devices.h"
#include "vyre/builder.h"

namespace vyre::testing {
namespace {

ir::Sequence counting() {
  auto program = ir::build("counting", [](ir::Builder& b) {
    auto y = b.write(ir::u32, "y", 256);
    const auto i = b.global_id(0);
    y[i] = i + 1;
  });
  EXPECT_TRUE(program) << program.error().message;
  return *ir::Sequence::make(*std::move(program));
}

ir::Sequence filtering(std::uint32_t tile_bytes) {
  auto program = ir::from_source("filtering",
                                 {.language = ir::Language::cuda,
                                  .text = "// scripted",
                                  .entry = "mine::filter<float>",
                                  .options = "-w \"-Dname=a b\"",
                                  .arguments = {{"y"}, {"weights", 0, "d_weights"}, {"tile"}}},
                                 [&](ir::Builder& b) {
                                   b.write(ir::f32, "y", 64);
                                   b.read(ir::f32, "weights", 4);
                                   b.local(ir::opaque(1), "tile", tile_bytes);
                                   b.workgroup(64);
                                 });
  EXPECT_TRUE(program) << program.error().message;
  return *ir::Sequence::make(*std::move(program));
}

}  // namespace

Expected<std::shared_ptr<Device>> opened_scripted(const DeviceOptions& options,
                                                  backend::cuda::Api api) {
  auto devices = backend::cuda::open_all(
      scripted_driver(api), [&] { return scripted_compilers(api); }, options);
  if (!devices) return std::unexpected(devices.error());
  return devices->front();
}

std::shared_ptr<Device> open_scripted(const DeviceOptions& options, backend::cuda::Api api) {
  auto device = opened_scripted(options, api);
  EXPECT_TRUE(device) << device.error().message;
  return device ? *device : nullptr;
}

Expected<std::shared_ptr<Kernel>> compile_counting(Device& device, const Extent& workgroup) {
  return device.compile(counting(), 0, {.symbols = {}, .workgroup = workgroup});
}

Expected<void> use_everything(Device& device) {
  VYRE_TRY(const auto kernel, compile_counting(device, {64, 1, 1}));
  VYRE_TRY(const auto y, device.allocate(1024));
  VYRE_TRY(const auto other, device.allocate(1024));
  std::vector<std::byte> bytes(1024);
  VYRE_TRY_VOID(y->write(0, bytes));
  VYRE_TRY_VOID(other->copy_from(*y, 1024));
  VYRE_TRY(const auto timer, device.make_timer());
  const std::array<Buffer*, 1> buffers{y.get()};
  VYRE_TRY_VOID(kernel->launch(
      {.buffers = buffers, .symbols = {}, .groups = {4, 1, 1}, .timer = timer.get()}));
  VYRE_TRY_VOID(timer->elapsed_ns());
  VYRE_TRY_VOID(y->read(0, bytes));
  return device.finish();
}

Expected<void> run_filter(Device& device, std::uint32_t tile_bytes) {
  VYRE_TRY(const auto kernel,
           device.compile(filtering(tile_bytes), 0, {.symbols = {}, .workgroup = {64, 1, 1}}));
  VYRE_TRY(const auto y, device.allocate(256));
  VYRE_TRY(const auto weights, device.allocate(16));
  const std::array<Buffer*, 2> buffers{y.get(), weights.get()};
  return kernel->launch({.buffers = buffers, .symbols = {}});
}

std::string message_of(const Expected<void>& result) {
  return result ? "" : result.error().message;
}

}  // namespace vyre::testing
