// OpenCL's C interface with owners of its handles. Each reference is counted when it is taken and
// when it is released, so that tests can prove that nothing leaks whatever the driver does.

#pragma once

#include <atomic>
#include <string>
#include <utility>

#include "backend/opencl/library.h"
#include "base/error.h"
#include "vyre/opencl.h"

namespace vyre::backend::opencl {

// All counters of OpenclCounts.
struct Counters {
  std::atomic<std::int64_t> contexts, queues, buffers, programs, kernels, events;
  std::atomic<std::uint64_t> compiled, loaded, fetched, damaged, unsaved;
};
Counters& counters();

// Texts by which a platform or device describes itself.
std::string platform_text(cl_platform_id platform, cl_platform_info what);
std::string device_text(cl_device_id device, cl_device_info what);

template <class T>
struct Kind;

#define VYRE_OPENCL_KIND(type, retain_function, release_function, counter)        \
  template <>                                                                     \
  struct Kind<type> {                                                             \
    static cl_int retain(type handle) { return api().retain_function(handle); }   \
    static cl_int release(type handle) { return api().release_function(handle); } \
    static std::atomic<std::int64_t>& count() { return counters().counter; }      \
  }
VYRE_OPENCL_KIND(cl_context, clRetainContext, clReleaseContext, contexts);
VYRE_OPENCL_KIND(cl_command_queue, clRetainCommandQueue, clReleaseCommandQueue, queues);
VYRE_OPENCL_KIND(cl_mem, clRetainMemObject, clReleaseMemObject, buffers);
VYRE_OPENCL_KIND(cl_program, clRetainProgram, clReleaseProgram, programs);
VYRE_OPENCL_KIND(cl_kernel, clRetainKernel, clReleaseKernel, kernels);
VYRE_OPENCL_KIND(cl_event, clRetainEvent, clReleaseEvent, events);
#undef VYRE_OPENCL_KIND

// One reference. Empty after a failed creation: check before use.
template <class T>
class Owned {
 public:
  Owned() = default;
  explicit Owned(T handle) : handle_(handle) {
    if (handle_ != nullptr) ++Kind<T>::count();
  }
  // A new reference to an object that somebody else holds.
  static Owned share(T handle) {
    return Kind<T>::retain(handle) == CL_SUCCESS ? Owned(handle) : Owned();
  }
  Owned(Owned&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  Owned& operator=(Owned&& other) noexcept {
    Owned released(std::exchange(handle_, std::exchange(other.handle_, nullptr)), Held{});
    return *this;
  }
  Owned(const Owned&) = delete;
  Owned& operator=(const Owned&) = delete;
  ~Owned() {
    if (handle_ == nullptr) return;
    Kind<T>::release(handle_);
    --Kind<T>::count();
  }

  T get() const { return handle_; }
  explicit operator bool() const { return handle_ != nullptr; }

 private:
  struct Held {};  // already counted
  Owned(T handle, Held) : handle_(handle) {}

  T handle_ = nullptr;
};

// "CL_OUT_OF_RESOURCES (-5)".
std::string code_name(cl_int code);

// An error that says what failed, names the code, and says what to do where we know it. `rejected`
// if the device refuses the workgroup, `backend` otherwise.
std::unexpected<Error> cl_error(cl_int code, std::string_view what);

}  // namespace vyre::backend::opencl
