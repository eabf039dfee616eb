#include "backend/opencl/api.h"

#include <algorithm>
#include <array>

namespace vyre {
namespace backend::opencl {
namespace {

// CL_PLATFORM_NOT_FOUND_KHR, of cl_ext.h.
constexpr cl_int kNoPlatform = -1001;

// Queries the size of a text first, then its bytes.
template <class Query>
std::string text_from(Query query) {
  std::size_t size = 0;
  query(std::size_t{0}, static_cast<char*>(nullptr), &size);
  std::string text(size, '\0');
  query(size, text.data(), static_cast<std::size_t*>(nullptr));
  return text.substr(0, text.find('\0'));
}

struct Code {
  cl_int code;
  std::string_view name;
  std::string_view remedy = "";
  ErrorKind kind = ErrorKind::backend;
};

constexpr std::string_view kSmaller = "use a smaller workgroup";
constexpr std::string_view kMemory = "use smaller buffers, or free some";
constexpr std::string_view kLost = "the device may be lost: open it again";

constexpr std::array kCodes{
    Code{CL_DEVICE_NOT_FOUND, "CL_DEVICE_NOT_FOUND"},
    Code{CL_DEVICE_NOT_AVAILABLE, "CL_DEVICE_NOT_AVAILABLE", kLost},
    Code{CL_COMPILER_NOT_AVAILABLE, "CL_COMPILER_NOT_AVAILABLE", "install the driver's compiler"},
    Code{CL_MEM_OBJECT_ALLOCATION_FAILURE, "CL_MEM_OBJECT_ALLOCATION_FAILURE", kMemory},
    Code{CL_OUT_OF_RESOURCES, "CL_OUT_OF_RESOURCES", "use a smaller workgroup or less memory"},
    Code{CL_OUT_OF_HOST_MEMORY, "CL_OUT_OF_HOST_MEMORY", kMemory},
    Code{CL_PROFILING_INFO_NOT_AVAILABLE, "CL_PROFILING_INFO_NOT_AVAILABLE",
         "make the queue with CL_QUEUE_PROFILING_ENABLE"},
    Code{CL_BUILD_PROGRAM_FAILURE, "CL_BUILD_PROGRAM_FAILURE"},
    Code{CL_INVALID_VALUE, "CL_INVALID_VALUE"},
    Code{CL_INVALID_CONTEXT, "CL_INVALID_CONTEXT"},
    Code{CL_INVALID_COMMAND_QUEUE, "CL_INVALID_COMMAND_QUEUE", kLost},
    Code{CL_INVALID_MEM_OBJECT, "CL_INVALID_MEM_OBJECT"},
    Code{CL_INVALID_BINARY, "CL_INVALID_BINARY"},
    Code{CL_INVALID_BUILD_OPTIONS, "CL_INVALID_BUILD_OPTIONS", "check the compiler's options"},
    Code{CL_INVALID_PROGRAM_EXECUTABLE, "CL_INVALID_PROGRAM_EXECUTABLE"},
    Code{CL_INVALID_KERNEL_NAME, "CL_INVALID_KERNEL_NAME"},
    Code{CL_INVALID_ARG_INDEX, "CL_INVALID_ARG_INDEX"},
    Code{CL_INVALID_ARG_VALUE, "CL_INVALID_ARG_VALUE"},
    Code{CL_INVALID_ARG_SIZE, "CL_INVALID_ARG_SIZE"},
    Code{CL_INVALID_KERNEL_ARGS, "CL_INVALID_KERNEL_ARGS"},
    Code{CL_INVALID_WORK_GROUP_SIZE, "CL_INVALID_WORK_GROUP_SIZE", kSmaller, ErrorKind::rejected},
    Code{CL_INVALID_WORK_ITEM_SIZE, "CL_INVALID_WORK_ITEM_SIZE", kSmaller, ErrorKind::rejected},
    Code{CL_INVALID_GLOBAL_WORK_SIZE, "CL_INVALID_GLOBAL_WORK_SIZE"},
    Code{CL_INVALID_BUFFER_SIZE, "CL_INVALID_BUFFER_SIZE", kMemory},
    Code{kNoPlatform, "CL_PLATFORM_NOT_FOUND_KHR",
         "install a driver, for example the package pocl-opencl-icd"},
};

const Code* find(cl_int code) {
  const Code* it = std::ranges::find(kCodes, code, &Code::code);
  return it == kCodes.end() ? nullptr : it;
}

}  // namespace

std::string platform_text(cl_platform_id platform, cl_platform_info what) {
  return text_from([&](std::size_t size, char* text, std::size_t* needed) {
    api().clGetPlatformInfo(platform, what, size, text, needed);
  });
}

std::string device_text(cl_device_id device, cl_device_info what) {
  return text_from([&](std::size_t size, char* text, std::size_t* needed) {
    api().clGetDeviceInfo(device, what, size, text, needed);
  });
}

Counters& counters() {
  static Counters instance{};
  return instance;
}

std::string code_name(cl_int code) {
  const Code* known = find(code);
  return fmt::format("{} ({})", known == nullptr ? "OpenCL error" : known->name, code);
}

std::unexpected<Error> cl_error(cl_int code, std::string_view what) {
  const Code* known = find(code);
  const bool has_remedy = known != nullptr && !known->remedy.empty();
  return fail(known == nullptr ? ErrorKind::backend : known->kind, "", "{}: {}{}{}", what,
              code_name(code), has_remedy ? "; " : "", has_remedy ? known->remedy : "");
}

}  // namespace backend::opencl

OpenclCounts opencl_counts() {
  const backend::opencl::Counters& c = backend::opencl::counters();
  return {.contexts = c.contexts,
          .queues = c.queues,
          .buffers = c.buffers,
          .programs = c.programs,
          .kernels = c.kernels,
          .events = c.events,
          .compiled = c.compiled,
          .loaded = c.loaded,
          .fetched = c.fetched,
          .damaged = c.damaged,
          .unsaved = c.unsaved};
}

}  // namespace vyre
