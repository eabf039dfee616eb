// What a failure of each function of the driver and of the compiler becomes: a message that says
// what to do, or nothing where the caller cannot use it. Every function of the two tables has a
// row.

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <set>

#include "backend/cuda/devices.h"
#include "testing/scripted_device.h"
#include "vyre/cuda.h"

namespace vyre::backend::cuda {
namespace {

using testing::CudaScript;
using testing::new_cuda_script;

// What goes on when the function fails.
enum class During : std::uint8_t {
  opening,
  opening_hip,
  use,
  use_of_source,    // of a user's kernel
  wrong_source,     // of a kernel that does not compile
  adoption,         // of an application's context and memory
  unknown_failure,  // with a code that is in no list of ours
};

struct Injected {
  std::string_view function;
  int code;
  During during;
  std::string_view message;  // empty: the failure changes nothing
};

constexpr Injected kInjected[] = {
    {"init", 100, During::opening,
     "there is no CUDA device: CUDA_ERROR_NO_DEVICE (100); check that the machine has "
     "a device and that this user may open it"},
    {"init", 803, During::opening,
     "the CUDA driver does not start: CUDA_ERROR_SYSTEM_DRIVER_MISMATCH (803); "
     "install the driver again, or restart the machine"},
    {"init", 34, During::opening,
     "the CUDA driver does not start: CUDA_ERROR_STUB_LIBRARY (34); the toolkit's "
     "stub of libcuda.so.1 was found: let the driver's come first"},
    {"init", 101, During::opening,
     "there is no CUDA device: CUDA_ERROR_INVALID_DEVICE (101); check that the "
     "machine has a device and that this user may open it"},
    {"device_count", 999, During::opening,
     "the CUDA driver does not start: CUDA_ERROR_UNKNOWN (999); install the driver "
     "again, or restart the machine"},
    {"device_get", 101, During::opening,
     "device 0 cannot be found: CUDA_ERROR_INVALID_DEVICE (101); check that the "
     "machine has a "
     "device and that this user may open it"},
    {"device_attribute", 1, During::opening,
     "the device does not say what it is: CUDA_ERROR_INVALID_VALUE (1)"},
    {"device_name", 1, During::opening,
     "the device does not say what it is: CUDA_ERROR_INVALID_VALUE (1)"},
    {"device_total_memory", 1, During::opening,
     "the device does not say what it is: CUDA_ERROR_INVALID_VALUE (1)"},
    {"driver_version", 1, During::opening,
     "the device does not say what it is: CUDA_ERROR_INVALID_VALUE (1)"},
    {"version", 11, During::opening,
     "the run-time compiler does not start: a scripted failure; install it again"},
    {"architecture_count", 5, During::opening,
     "the run-time compiler does not start: a scripted failure; install it again"},
    {"architectures", 5, During::opening,
     "the run-time compiler does not start: a scripted failure; install it again"},
    {"device_uuid", 801, During::opening, ""},
    {"device_pci_id", 801, During::opening, ""},
    {"device_properties", 1, During::opening_hip,
     "the device does not say what it is: hipErrorInvalidValue (1)"},
    {"primary_context_retain", 46, During::use,
     "the device cannot be opened: CUDA_ERROR_DEVICE_UNAVAILABLE (46); another "
     "process has the device to itself: wait, or choose another device"},
    {"context_set", 201, During::use,
     "the device's context cannot be used: CUDA_ERROR_INVALID_CONTEXT (201); the "
     "context was destroyed: keep it as long as the device is used"},
    {"stream_create", 2, During::use,
     "no stream can be made on the device: CUDA_ERROR_OUT_OF_MEMORY (2); use smaller "
     "buffers, or free some"},
    {"create", 1, During::use, "compiling \"counting\" with NVRTC 13.0: a scripted failure"},
    {"add_name", 3, During::use, "compiling \"counting\" with NVRTC 13.0: a scripted failure"},
    {"compile", 11, During::use, "compiling \"counting\" with NVRTC 13.0: a scripted failure"},
    {"code", 4, During::use,
     "\"counting\": NVRTC 13.0 gives no code for sm_80; install another version of "
     "it"},
    {"module_load", 2, During::use,
     "loading \"counting\": CUDA_ERROR_OUT_OF_MEMORY (2); use smaller buffers, or "
     "free some"},
    {"module_function", 500, During::use, "kernel \"k_counting\": CUDA_ERROR_NOT_FOUND (500)"},
    {"function_attribute", 400, During::use,
     "asking for facts of \"counting\": CUDA_ERROR_INVALID_HANDLE (400)"},
    {"memory_allocate", 2, During::use,
     "a buffer of 1024 bytes: CUDA_ERROR_OUT_OF_MEMORY (2); use smaller buffers, or "
     "free some"},
    {"fill_bytes", 1, During::use, "filling a buffer: CUDA_ERROR_INVALID_VALUE (1)"},
    {"copy_in", 1, During::use, "writing to a buffer: CUDA_ERROR_INVALID_VALUE (1)"},
    {"copy_within", 1, During::use, "copying a buffer: CUDA_ERROR_INVALID_VALUE (1)"},
    {"copy_out", 1, During::use, "reading from a buffer: CUDA_ERROR_INVALID_VALUE (1)"},
    {"event_create", 2, During::use,
     "no event can be made: CUDA_ERROR_OUT_OF_MEMORY (2); use smaller buffers, or "
     "free some"},
    {"event_record", 400, During::use, "recording an event: CUDA_ERROR_INVALID_HANDLE (400)"},
    {"event_finish", 719, During::use,
     "waiting for a launch failed: CUDA_ERROR_LAUNCH_FAILED (719); a kernel failed "
     "and the device is lost to this process: start it again"},
    {"event_elapsed", 600, During::use,
     "the device's clock cannot be read: CUDA_ERROR_NOT_READY (600)"},
    {"stream_finish", 700, During::use,
     "writing to a buffer: CUDA_ERROR_ILLEGAL_ADDRESS (700); a kernel read or wrote "
     "outside its buffers: correct it, and start this process again"},
    {"launch", 701, During::use,
     "launch of \"counting\": CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES (701); use a smaller "
     "workgroup, or fewer registers"},
    {"lowered_name", 10, During::use,
     "\"counting\" has no kernel \"k_counting\"; check the name, and the arguments of a template"},
    {"code_size", 4, During::use,
     "\"counting\": NVRTC 13.0 gives no code for sm_80; install another version of it"},
    // The parameters of the kernel are not checked then.
    {"ptx_size", 4, During::use, ""},
    {"ptx", 4, During::use, ""},
    // The log is only asked for when something does not compile.
    {"log_size", 1, During::wrong_source,
     "\"counting\" does not compile: the compiler says nothing"},
    {"log", 1, During::wrong_source, "\"counting\" does not compile: the compiler says nothing"},
    {"destroy", 4, During::use, ""},
    // A thread whose context is not known is left without one.
    {"context_get", 3, During::use, ""},
    // Destructors call these functions, and a destructor has nobody to report a failure to.
    {"module_unload", 400, During::use, ""},
    {"memory_free", 1, During::use, ""},
    {"stream_destroy", 400, During::use, ""},
    {"event_destroy", 400, During::use, ""},
    {"primary_context_release", 201, During::use, ""},
    {"module_global", 500, During::use_of_source,
     "constant \"&d_weights\": CUDA_ERROR_NOT_FOUND (500)"},
    {"function_set_attribute", 1, During::use_of_source,
     "\"filtering\": asking for 65536 bytes of shared memory: CUDA_ERROR_INVALID_VALUE (1)"},
    {"context_device", 201, During::adoption,
     "the context is not alive (CUDA_ERROR_INVALID_CONTEXT (201)); hand in one that is"},
    {"pointer_attribute", 1, During::adoption,
     "the address 0x10 is not memory of the device; hand in one that is"},
    // The driver is asked for the name of a code that is not known here.
    {"error_name", 1, During::unknown_failure,
     "no stream can be made on the device: CUDA error (977)"},
};

std::string message_of_device(const Expected<std::shared_ptr<Device>>& device) {
  return device ? "" : device.error().message;
}

std::string message_of_adoption(CudaScript& script, const Injected& row) {
  const auto compilers = testing::scripted_compilers();
  if (!compilers) return compilers.error().message;
  const CudaHandles handles{.context = std::bit_cast<void*>(std::uintptr_t{5})};
  script.fails[std::string(row.function)] = row.code;
  const auto device = adopt(testing::scripted_driver(), *compilers, handles, {});
  if (!device) return device.error().message;
  const auto buffer = adopt_cuda_buffer(**device, 16, 4);
  return buffer ? "" : buffer.error().message;
}

std::string message_of_opening(CudaScript& script, const Injected& row, Api api) {
  script.device_properties = "gfx90a";
  script.fails[std::string(row.function)] = row.code;
  return message_of_device(testing::opened_scripted({}, api));
}

// The device is opened before the function fails.
std::string message_of_use(CudaScript& script, const Injected& row) {
  const auto device = testing::open_scripted();
  script.fails[std::string(row.function)] = row.code;
  script.constant_bytes = 16;
  if (row.during == During::wrong_source) script.fails["compile"] = 6;
  if (row.during == During::unknown_failure) script.fails["stream_create"] = 977;
  if (row.during == During::use_of_source) {
    return testing::message_of(testing::run_filter(*device, 65536));
  }
  return testing::message_of(testing::use_everything(*device));
}

std::string message_of_failure(CudaScript& script, const Injected& row) {
  switch (row.during) {
    case During::opening:
      return message_of_opening(script, row, Api::cuda);
    case During::opening_hip:
      return message_of_opening(script, row, Api::hip);
    case During::adoption:
      return message_of_adoption(script, row);
    default:
      return message_of_use(script, row);
  }
}

TEST(CudaFailures, OfEveryFunctionAreToldOrChangeNothing) {
  for (const Injected& row : kInjected) {
    CudaScript& script = new_cuda_script();
    EXPECT_EQ(message_of_failure(script, row), row.message) << row.function;
    EXPECT_GE(script.count(std::string(row.function)), 1U) << row.function << " is not called";
    EXPECT_EQ(cuda_counts().live(), 0) << row.function;
  }
}

// error_text of the compiler returns no code.
TEST(CudaFailures, HaveARowForEveryFunction) {
  std::set<std::string_view> rows;
  for (const Injected& row : kInjected) rows.insert(row.function);
  std::set<std::string_view> functions;
#define VYRE_DRIVER_FUNCTION(member, cuda, hip, parameters) functions.insert(#member);
#include "backend/cuda/driver_functions.def"
#undef VYRE_DRIVER_FUNCTION
#define VYRE_COMPILER_FUNCTION(result, member, nvrtc, hiprtc, parameters) functions.insert(#member);
#include "backend/cuda/compiler_functions.def"
#undef VYRE_COMPILER_FUNCTION
  functions.erase("error_text");
  EXPECT_EQ(rows, functions);
}

TEST(CudaFailures, OfAMachineWithoutDevices) {
  new_cuda_script().devices = 0;
  const auto none = testing::opened_scripted();
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().message,
            "there is no CUDA device: CUDA_ERROR_NO_DEVICE (100); check that the machine has a "
            "device and that this user may open it");
}

TEST(CudaFailures, ALostDeviceStaysLost) {
  CudaScript& script = new_cuda_script();
  {
    const auto device = testing::open_scripted();
    ASSERT_TRUE(testing::use_everything(*device));
    script.fails["event_finish"] = 716;
    EXPECT_EQ(
        testing::message_of(testing::use_everything(*device)),
        "waiting for a launch failed: CUDA_ERROR_MISALIGNED_ADDRESS (716); a kernel failed and "
        "the device is lost to this process: start it again");
    script.fails.clear();
    script.calls.clear();
    const std::string lost =
        "the device is lost to this process since CUDA_ERROR_MISALIGNED_ADDRESS (716); start the "
        "process again";
    EXPECT_EQ(testing::message_of(testing::use_everything(*device)), lost);
    EXPECT_EQ(testing::message_of(device->finish()), lost);
    const auto buffer = device->allocate(4);
    ASSERT_FALSE(buffer);
    EXPECT_EQ(buffer.error().message, lost);
    EXPECT_EQ(script.calls, std::vector<std::string>{}) << "the driver is left alone";
  }
  EXPECT_EQ(cuda_counts().live(), 0);
}

}  // namespace
}  // namespace vyre::backend::cuda
