// The backend over a scripted driver: order of calls, threads, memory, limits.

#include "vyre/cuda.h"

#include <gtest/gtest.h>

#include <array>
#include <thread>

#include "testing/scripted_device.h"

namespace vyre::backend::cuda {
namespace {

using testing::compile_counting;
using testing::CudaScript;
using testing::message_of;
using testing::new_cuda_script;
using testing::open_scripted;
using testing::use_everything;

TEST(cuda_device, DescribesItself) {
  new_cuda_script().device_name = "NVIDIA \x1b[1mCard";
  const auto device = open_scripted();
  const DeviceInfo& info = device->info();
  EXPECT_EQ(info.backend, "cuda");
  EXPECT_EQ(info.platform, "NVIDIA CUDA, NVRTC 13.0");
  EXPECT_EQ(info.name, "NVIDIA \\x1b[1mCard");
  EXPECT_EQ(info.driver, "CUDA 13.0");
  EXPECT_EQ(info.language, "CUDA C++, sm_80");
  EXPECT_EQ(info.selector, "cuda:0");
  EXPECT_FALSE(info.shares_host_cores);
  EXPECT_EQ(info.kind, DeviceKind::gpu);
  EXPECT_EQ(info.hardware.uuid, "00112233445566778899aabbccddeeff");
  EXPECT_EQ(info.hardware.pci, "0000:0a:00.0");
  EXPECT_EQ(info.clock_step_ns, 500U);
  EXPECT_NE(info.untried, "");
  EXPECT_EQ(info.limits.workgroup_items, 1024U);
  EXPECT_EQ(info.limits.workgroup_size, (Extent{1024, 1024, 64}));
  EXPECT_EQ(info.limits.local_bytes, 101376U);
  EXPECT_EQ(info.limits.compute_units, 4U);
  EXPECT_EQ(info.limits.buffer_bytes, 1U << 30U);
}

TEST(cuda_device, AnInterpreterSharesTheHostsCores) {
  new_cuda_script().device_name = "vyre PTX interpreter";
  const auto device = open_scripted();
  EXPECT_TRUE(device->info().shares_host_cores);
  EXPECT_EQ(device->info().kind, DeviceKind::interpreter);
  EXPECT_EQ(device->info().hardware.pci, "");
}

TEST(cuda_device, HipFindsItsArchitecture) {
  CudaScript& script = new_cuda_script();
  script.device_properties = "gfx90a:sramecc+:xnack-";
  const auto device = open_scripted({}, Api::hip);
  EXPECT_EQ(device->info().platform, "AMD HIP, hipRTC 13.0");
  EXPECT_EQ(device->info().language, "HIP C++, gfx90a:sramecc+:xnack-");
  ASSERT_TRUE(compile_counting(*device, {64, 1, 1}));
  EXPECT_EQ(script.options, (std::vector<std::string>{"-ffp-contract=off",
                                                      "--offload-arch=gfx90a:sramecc+:xnack-"}));
  script.device_properties = "";
  const auto nameless = testing::opened_scripted({}, Api::hip);
  ASSERT_FALSE(nameless);
  EXPECT_EQ(nameless.error().message,
            "the HIP device does not name its architecture; install AMD's ROCm 5.2 or newer");
}

TEST(cuda_device, CallsComeInOrder) {
  CudaScript& script = new_cuda_script();
  {
    const auto device = open_scripted();
    EXPECT_EQ(script.count("primary_context_retain"), 0U) << "only when it is used";
    script.calls.clear();
    const auto kernel = compile_counting(*device, {64, 1, 1});
    ASSERT_TRUE(kernel) << kernel.error().message;
    EXPECT_EQ(script.calls, (std::vector<std::string>{"primary_context_retain",
                                                      "context_get",
                                                      "context_set",
                                                      "stream_create",
                                                      "context_set",
                                                      "context_get",
                                                      "context_set",
                                                      "create",
                                                      "add_name",
                                                      "compile",
                                                      "lowered_name",
                                                      "ptx_size",
                                                      "ptx",
                                                      "code_size",
                                                      "code",
                                                      "destroy",
                                                      "module_load",
                                                      "module_function",
                                                      "function_attribute",
                                                      "function_attribute",
                                                      "function_attribute",
                                                      "function_attribute",
                                                      "context_set"}));
    const auto y = device->allocate(1024);
    ASSERT_TRUE(y);
    const auto timer = device->make_timer();
    const std::array<Buffer*, 1> buffers{y->get()};
    script.calls.clear();
    for (int k = 0; k < 2; ++k) {
      ASSERT_TRUE((*kernel)->launch(
          {.buffers = buffers, .symbols = {}, .groups = {4, 1, 1}, .timer = timer->get()}));
    }
    EXPECT_EQ((*timer)->elapsed_ns(), 1500U);
    EXPECT_EQ(script.calls, (std::vector<std::string>{
                                "context_get", "context_set", "event_record", "launch",
                                "event_record", "context_set", "context_get", "context_set",
                                "launch", "event_record", "context_set", "context_get",
                                "context_set", "event_finish", "event_elapsed", "context_set"}));
    script.calls.clear();
  }
  EXPECT_EQ(script.count("event_destroy"), 2U);
  EXPECT_EQ(script.count("memory_free"), 1U);
  EXPECT_EQ(script.count("module_unload"), 1U);
  EXPECT_EQ(script.count("stream_destroy"), 1U);
  EXPECT_EQ(script.calls.back(), "primary_context_release");
  EXPECT_EQ(cuda_counts().live(), 0);
}

TEST(cuda_device, KernelsTellWhatTheCompilerMadeOfThem) {
  CudaScript& script = new_cuda_script();
  script.function_attributes = {{0, 1024}, {1, 512}, {3, 24}, {4, 40}};
  const auto device = open_scripted();
  EXPECT_TRUE(device->info().tells_facts);
  const auto kernel = compile_counting(*device, {64, 1, 1});
  ASSERT_TRUE(kernel) << kernel.error().message;
  EXPECT_EQ((*kernel)->facts(), (KernelFacts{40, 24, 512}));
}

TEST(cuda_device, LaunchesWhatItWasTold) {
  CudaScript& script = new_cuda_script();
  const auto device = open_scripted();
  const auto done = use_everything(*device);
  ASSERT_TRUE(done) << done.error().message;
  ASSERT_EQ(script.launches.size(), 1U);
  EXPECT_EQ(script.launches[0].grid, (std::array{4U, 1U, 1U}));
  EXPECT_EQ(script.launches[0].block, (std::array{64U, 1U, 1U}));
  EXPECT_EQ(script.launches[0].shared_bytes, 0U);
  EXPECT_EQ(script.names, std::vector<std::string>{"k_counting"});
  EXPECT_EQ(script.options, (std::vector<std::string>{"--fmad=false", "--gpu-architecture=sm_80"}));
}

// A context belongs to a thread: each call makes it current on the thread that calls, and gives the
// thread back its own.
TEST(cuda_device, EveryThreadGetsTheContextAndKeepsItsOwn) {
  CudaScript& script = new_cuda_script();
  const auto device = open_scripted();
  testing::set_scripted_context(77);
  ASSERT_TRUE(use_everything(*device));
  EXPECT_EQ(testing::current_scripted_context(), 77U);
  std::uintptr_t left = 1;
  std::thread([&] {
    EXPECT_TRUE(use_everything(*device));
    left = testing::current_scripted_context();
  }).join();
  EXPECT_EQ(left, 0U);
  EXPECT_EQ(script.without_context, std::set<std::string>{});
  testing::set_scripted_context(0);
}

TEST(cuda_device, MemoryIsZeroAndHasParts) {
  new_cuda_script();
  const auto device = open_scripted();
  const auto buffer = device->allocate(1024);
  ASSERT_TRUE(buffer);
  std::vector<std::byte> bytes(1024, std::byte{7});
  ASSERT_TRUE((*buffer)->read(0, bytes));
  EXPECT_EQ(bytes, std::vector<std::byte>(1024));
  auto part = (*buffer)->part(512, 256);
  ASSERT_TRUE(part) << part.error().message;
  ASSERT_TRUE((*part)->write(4, std::vector<std::byte>{std::byte{9}}));
  ASSERT_TRUE((*buffer)->read(0, bytes));
  EXPECT_EQ(bytes[516], std::byte{9});
  const auto odd = (*buffer)->part(100, 4);
  ASSERT_FALSE(odd);
  EXPECT_EQ(odd.error().message, "a part of a buffer at offset 100; begin it at a multiple of 256");
  EXPECT_EQ(message_of((*part)->write(256, std::vector<std::byte>(1))),
            "1 bytes at offset 256 are outside a buffer of 256 bytes");
  const auto none = device->allocate(0);
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().message, "a buffer of 0 bytes; give at least one");
}

// --- Limits ---

TEST(cuda_limits, AreCheckedBeforeALaunch) {
  CudaScript& script = new_cuda_script();
  const auto device = open_scripted();
  const auto message = [&](const Extent& workgroup) {
    const auto kernel = compile_counting(*device, workgroup);
    if (kernel) return std::string();
    EXPECT_EQ(kernel.error().kind, ErrorKind::rejected);
    return kernel.error().message;
  };
  script.function_attributes[0] = 256;
  EXPECT_EQ(message({512, 1, 1}),
            "\"counting\": a workgroup of 512 x 1 x 1 is more than the 256 invocations that the "
            "device takes for this kernel; use a smaller one");
  script.function_attributes[1] = 200'000;
  EXPECT_EQ(
      message({64, 1, 1}),
      "\"counting\": 200000 bytes of shared memory are more than the 101376 of the device; use "
      "less");
  script.function_attributes[1] = 0;
  script.ptx = ".entry k_counting(.param .u64 y, .param .u32 n)";
  EXPECT_EQ(message({32, 1, 1}),
            "\"counting\": the kernel has 2 parameters, 1 are passed; make them agree");
  script.ptx = ".entry k_counting(.param .u32 y)";
  EXPECT_EQ(message({16, 1, 1}),
            "\"counting\": \"y\" with 8 bytes does not fit parameter 0 of the kernel, which has 4; "
            "make them agree");
  EXPECT_EQ(script.count("launch"), 0U);
}

TEST(cuda_limits, AGridThatIsTooLargeIsRejected) {
  CudaScript& script = new_cuda_script();
  const auto device = open_scripted();
  const auto kernel = compile_counting(*device, {64, 1, 1});
  const auto y = device->allocate(1024);
  ASSERT_TRUE(kernel && y);
  const std::array<Buffer*, 1> buffers{y->get()};
  const auto done = (*kernel)->launch({.buffers = buffers, .symbols = {}, .groups = {4, 65536, 1}});
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().kind, ErrorKind::rejected);
  EXPECT_EQ(done.error().message,
            "launch of \"counting\": 65536 workgroups along y are more than the 65535 that the "
            "device takes; use a larger workgroup or another axis");
  const std::array<Buffer*, 1> none{nullptr};
  EXPECT_EQ(message_of((*kernel)->launch({.buffers = none, .symbols = {}})),
            "launch of \"counting\": buffer \"y\" is missing or of another device; pass the bound "
            "buffers in declaration order");
  EXPECT_EQ(message_of((*kernel)->launch({})),
            "launch of \"counting\": 0 buffers and 0 symbols given, 1 and 0 wanted");
  EXPECT_EQ(script.count("launch"), 0U);
}

}  // namespace
}  // namespace vyre::backend::cuda
