#include "backend/opencl/guarded_memory.h"

#include <sys/mman.h>
#include <unistd.h>

#include <memory>

namespace vyre::backend::opencl {
namespace {

struct Mapping {
  void* start = nullptr;
  std::size_t bytes = 0;

  explicit Mapping(std::size_t size) : bytes(size) {
    start = ::mmap(nullptr, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  }
  Mapping(const Mapping&) = delete;
  Mapping& operator=(const Mapping&) = delete;
  ~Mapping() {
    if (start != MAP_FAILED) ::munmap(start, bytes);
  }
};

// The handle may be released while commands still use the memory: only OpenCL knows when they end.
void CL_CALLBACK give_back(cl_mem /*memory*/, void* mapping) {
  delete static_cast<Mapping*>(mapping);
}

std::size_t whole_pages(std::size_t bytes) {
  const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  return (bytes + page - 1) / page * page;
}

}  // namespace

bool wants_guards(const Context& context) {
  if (context.options().guard_bytes == 0) return false;
  cl_device_type type = 0;
  cl_bool is_host_memory = CL_FALSE;
  api().clGetDeviceInfo(context.device(), CL_DEVICE_TYPE, sizeof(type), &type, nullptr);
  api().clGetDeviceInfo(context.device(), CL_DEVICE_HOST_UNIFIED_MEMORY, sizeof(is_host_memory),
                        &is_host_memory, nullptr);
  return (type & CL_DEVICE_TYPE_CPU) != 0 && is_host_memory == CL_TRUE;
}

Expected<Owned<cl_mem>> allocate_guarded(const Context& context, std::size_t bytes) {
  const std::size_t guard = whole_pages(context.options().guard_bytes);
  const std::size_t used = whole_pages(bytes);
  auto mapping = std::make_unique<Mapping>(used + 2 * guard);
  std::byte* const begin = static_cast<std::byte*>(mapping->start) + guard;
  if (mapping->start == MAP_FAILED || ::mprotect(begin, used, PROT_READ | PROT_WRITE) != 0) {
    return cl_error(CL_MEM_OBJECT_ALLOCATION_FAILURE, fmt::format("a buffer of {} bytes", bytes));
  }
  cl_int code = CL_SUCCESS;
  Owned memory(api().clCreateBuffer(context.context(), CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR,
                                    bytes, begin, &code));
  if (code == CL_SUCCESS) {
    code = api().clSetMemObjectDestructorCallback(memory.get(), give_back, mapping.get());
  }
  if (code != CL_SUCCESS) return cl_error(code, fmt::format("a buffer of {} bytes", bytes));
  (void)mapping.release();  // the callback owns it now
  return memory;
}

}  // namespace vyre::backend::opencl
