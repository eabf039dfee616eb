// The backend over a scripted driver: order of calls, threads, failures of every entry point,
// limits, adoption, the binary store.

#include "vyre/cuda.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <thread>

#include "backend/cuda/devices.h"
#include "testing/scripted_cuda.h"
#include "testing/temporary_folder.h"
#include "vyre/builder.h"
#include "vyre/call.h"

namespace vyre::backend::cuda {
namespace {

using testing::CudaScript;
using testing::new_cuda_script;

Expected<std::shared_ptr<Device>> opened(const DeviceOptions& options = {}, Api api = Api::cuda) {
  auto devices = open_all(
      testing::scripted_driver(api), [&] { return testing::scripted_compilers(api); }, options);
  if (!devices) return std::unexpected(devices.error());
  return devices->front();
}

std::shared_ptr<Device> open_scripted(const DeviceOptions& options = {}, Api api = Api::cuda) {
  auto device = opened(options, api);
  EXPECT_TRUE(device) << device.error().message;
  return device ? *device : nullptr;
}

// y[i] = i + a, with 64 invocations in a workgroup.
ir::Sequence counting() {
  auto program = ir::build("counting", [](ir::Builder& b) {
    auto y = b.write(ir::u32, "y", 256);
    const auto i = b.global_id(0);
    y[i] = i + 1;
  });
  EXPECT_TRUE(program) << program.error().message;
  return *ir::Sequence::make(*std::move(program));
}

Expected<std::shared_ptr<Kernel>> compile_counting(Device& device, const Extent& workgroup) {
  return device.compile(counting(), 0, {.symbols = {}, .workgroup = workgroup});
}

// Everything that a call does: compile, allocate, write, fill, launch with a timer, read, copy.
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

std::string message_of(const Expected<void>& result) {
  return result ? "" : result.error().message;
}

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
  const auto nameless = opened({}, Api::hip);
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

// --- Failures of every entry point ---

struct Injected {
  std::string_view function;
  int code;
  std::string_view message;
};

TEST(cuda_failures, OfOpeningAreNamed) {
  for (const Injected& row : {
           Injected{
               "init", 100,
               "there is no CUDA device: CUDA_ERROR_NO_DEVICE (100); check that the machine has "
               "a device and that this user may open it"},
           Injected{"init", 803,
                    "the CUDA driver does not start: CUDA_ERROR_SYSTEM_DRIVER_MISMATCH (803); "
                    "install the driver again, or restart the machine"},
           Injected{"init", 34,
                    "the CUDA driver does not start: CUDA_ERROR_STUB_LIBRARY (34); the toolkit's "
                    "stub of libcuda.so.1 was found: let the driver's come first"},
           Injected{"init", 101,
                    "there is no CUDA device: CUDA_ERROR_INVALID_DEVICE (101); check that the "
                    "machine has a device and that this user may open it"},
           Injected{"device_count", 999,
                    "the CUDA driver does not start: CUDA_ERROR_UNKNOWN (999); install the driver "
                    "again, or restart the machine"},
           Injected{"device_get", 101,
                    "device 0 cannot be found: CUDA_ERROR_INVALID_DEVICE (101); check that the "
                    "machine has a "
                    "device and that this user may open it"},
           Injected{"device_attribute", 1,
                    "the device does not say what it is: CUDA_ERROR_INVALID_VALUE (1)"},
           Injected{"device_name", 1,
                    "the device does not say what it is: CUDA_ERROR_INVALID_VALUE (1)"},
           Injected{"device_total_memory", 1,
                    "the device does not say what it is: CUDA_ERROR_INVALID_VALUE (1)"},
           Injected{"driver_version", 1,
                    "the device does not say what it is: CUDA_ERROR_INVALID_VALUE (1)"},
           Injected{"version", 11,
                    "the run-time compiler does not start: a scripted failure; install it again"},
       }) {
    new_cuda_script().fails[std::string(row.function)] = row.code;
    const auto device = opened();
    ASSERT_FALSE(device) << row.function;
    EXPECT_EQ(device.error().kind, ErrorKind::backend);
    EXPECT_EQ(device.error().message, row.message);
  }
  new_cuda_script().devices = 0;
  const auto none = opened();
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().message,
            "there is no CUDA device: CUDA_ERROR_NO_DEVICE (100); check that the machine has a "
            "device and that this user may open it");
}

TEST(cuda_failures, OfUseAreNamed) {
  for (const Injected& row : {
           Injected{"primary_context_retain", 46,
                    "the device cannot be opened: CUDA_ERROR_DEVICE_UNAVAILABLE (46); another "
                    "process has the device to itself: wait, or choose another device"},
           Injected{"context_set", 201,
                    "the device's context cannot be used: CUDA_ERROR_INVALID_CONTEXT (201); the "
                    "context was destroyed: keep it as long as the device is used"},
           Injected{
               "stream_create", 2,
               "no stream can be made on the device: CUDA_ERROR_OUT_OF_MEMORY (2); use smaller "
               "buffers, or free some"},
           Injected{"create", 1, "compiling \"counting\" with NVRTC 13.0: a scripted failure"},
           Injected{"add_name", 3, "compiling \"counting\" with NVRTC 13.0: a scripted failure"},
           Injected{"compile", 11, "compiling \"counting\" with NVRTC 13.0: a scripted failure"},
           Injected{"code", 4,
                    "\"counting\": NVRTC 13.0 gives no code for sm_80; install another version of "
                    "it"},
           Injected{"module_load", 2,
                    "loading \"counting\": CUDA_ERROR_OUT_OF_MEMORY (2); use smaller buffers, or "
                    "free some"},
           Injected{"module_function", 500, "kernel \"k_counting\": CUDA_ERROR_NOT_FOUND (500)"},
           Injected{"function_attribute", 400,
                    "asking for facts of \"counting\": CUDA_ERROR_INVALID_HANDLE (400)"},
           Injected{"memory_allocate", 2,
                    "a buffer of 1024 bytes: CUDA_ERROR_OUT_OF_MEMORY (2); use smaller buffers, or "
                    "free some"},
           Injected{"fill_bytes", 1, "filling a buffer: CUDA_ERROR_INVALID_VALUE (1)"},
           Injected{"copy_in", 1, "writing to a buffer: CUDA_ERROR_INVALID_VALUE (1)"},
           Injected{"copy_within", 1, "copying a buffer: CUDA_ERROR_INVALID_VALUE (1)"},
           Injected{"copy_out", 1, "reading from a buffer: CUDA_ERROR_INVALID_VALUE (1)"},
           Injected{"event_create", 2,
                    "no event can be made: CUDA_ERROR_OUT_OF_MEMORY (2); use smaller buffers, or "
                    "free some"},
           Injected{"event_record", 400, "recording an event: CUDA_ERROR_INVALID_HANDLE (400)"},
           Injected{"event_finish", 719,
                    "waiting for a launch failed: CUDA_ERROR_LAUNCH_FAILED (719); a kernel failed "
                    "and the device is lost to this process: start it again"},
           Injected{"event_elapsed", 600,
                    "the device's clock cannot be read: CUDA_ERROR_NOT_READY (600)"},
           Injected{"stream_finish", 700,
                    "writing to a buffer: CUDA_ERROR_ILLEGAL_ADDRESS (700); a kernel read or wrote "
                    "outside its buffers: correct it, and start this process again"},
           Injected{
               "launch", 701,
               "launch of \"counting\": CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES (701); use a smaller "
               "workgroup, or fewer registers"},
       }) {
    CudaScript& script = new_cuda_script();
    {
      const auto device = open_scripted();
      script.fails[std::string(row.function)] = row.code;
      EXPECT_EQ(message_of(use_everything(*device)), row.message) << row.function;
      script.fails.clear();
    }
    EXPECT_EQ(cuda_counts().live(), 0) << row.function;
  }
}

TEST(cuda_failures, ALostDeviceStaysLost) {
  CudaScript& script = new_cuda_script();
  {
    const auto device = open_scripted();
    ASSERT_TRUE(use_everything(*device));
    script.fails["event_finish"] = 716;
    EXPECT_EQ(
        message_of(use_everything(*device)),
        "waiting for a launch failed: CUDA_ERROR_MISALIGNED_ADDRESS (716); a kernel failed and "
        "the device is lost to this process: start it again");
    script.fails.clear();
    script.calls.clear();
    const std::string lost =
        "the device is lost to this process since CUDA_ERROR_MISALIGNED_ADDRESS (716); start the "
        "process again";
    EXPECT_EQ(message_of(use_everything(*device)), lost);
    EXPECT_EQ(message_of(device->finish()), lost);
    const auto buffer = device->allocate(4);
    ASSERT_FALSE(buffer);
    EXPECT_EQ(buffer.error().message, lost);
    EXPECT_EQ(script.calls, std::vector<std::string>{}) << "the driver is left alone";
  }
  EXPECT_EQ(cuda_counts().live(), 0);
}

// --- Images ---

TEST(cuda_images, ADriverThatTakesNoBinariesGetsPtxFromThenOn) {
  CudaScript& script = new_cuda_script();
  script.loads_binaries = false;
  script.ptx = ".entry k_counting(.param .u64 y)";
  const auto device = open_scripted();
  ASSERT_TRUE(compile_counting(*device, {64, 1, 1}));
  EXPECT_EQ(script.count("compile"), 2U);
  EXPECT_EQ(script.options.back(), "--gpu-architecture=compute_80");
  ASSERT_TRUE(compile_counting(*device, {32, 1, 1}));
  EXPECT_EQ(script.count("compile"), 3U);
}

TEST(cuda_images, SourcesThatDoNotCompileAreRejectedWithTheLog) {
  CudaScript& script = new_cuda_script();
  script.fails["compile"] = 6;
  script.log = "counting.cu(3): warning: w\ncounting.cu(4): error: expected a \";\"\n";
  const auto device = open_scripted();
  auto kernel = compile_counting(*device, {64, 1, 1});
  ASSERT_FALSE(kernel);
  EXPECT_EQ(kernel.error().kind, ErrorKind::rejected);
  EXPECT_EQ(kernel.error().message,
            "\"counting\" does not compile: counting.cu(4): error: expected a \";\"");
  script.fails = {{"lowered_name", 10}};
  kernel = compile_counting(*device, {64, 1, 1});
  ASSERT_FALSE(kernel);
  EXPECT_EQ(kernel.error().message,
            "\"counting\" has no kernel \"k_counting\"; check the name, and the arguments of a "
            "template");
}

TEST(cuda_images, AreKeptInTheStore) {
  const testing::TemporaryFolder folder;
  const DeviceOptions options{.binary_store = folder / "kernels"};
  CudaScript& script = new_cuda_script();
  const CudaCounts before = cuda_counts();
  ASSERT_TRUE(compile_counting(*open_scripted(options), {64, 1, 1}));
  ASSERT_TRUE(compile_counting(*open_scripted(options), {64, 1, 1}));
  EXPECT_EQ(script.count("compile"), 1U);
  EXPECT_EQ(cuda_counts().compiled - before.compiled, 1U);
  EXPECT_EQ(cuda_counts().loaded - before.loaded, 1U);
  // Everything that decides the image: workgroup, architecture, compiler.
  ASSERT_TRUE(compile_counting(*open_scripted(options), {32, 1, 1}));
  script.capability = 90;
  ASSERT_TRUE(compile_counting(*open_scripted(options), {64, 1, 1}));
  script.compiler_minor = 1;
  script.driver_version = 13010;
  ASSERT_TRUE(compile_counting(*open_scripted(options), {64, 1, 1}));
  EXPECT_EQ(script.count("compile"), 4U);
  for (const auto& entry : std::filesystem::directory_iterator(folder / "kernels")) {
    std::ofstream(entry.path(), std::ios::app) << "x";
  }
  ASSERT_TRUE(compile_counting(*open_scripted(options), {64, 1, 1}));
  EXPECT_EQ(script.count("compile"), 5U);
  EXPECT_EQ(cuda_counts().damaged - before.damaged, 1U);
}

TEST(cuda_images, AModuleInUseIsNotLoadedTwice) {
  CudaScript& script = new_cuda_script();
  const auto device = open_scripted();
  const auto first = compile_counting(*device, {64, 1, 1});
  const auto second = compile_counting(*device, {64, 1, 1});
  ASSERT_TRUE(first && second);
  EXPECT_EQ(script.count("module_load"), 1U);
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
