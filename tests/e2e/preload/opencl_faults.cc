// Loaded before libOpenCL (LD_PRELOAD): makes a device fail in the middle, as real ones do.
// OPENCL_FAULT=clFinish:2 makes the second call of that function fail, clFinish:2+ all from there.
// clBuildProgram never returns then, clGetPlatformIDs ends the process; clGetEventProfilingInfo and
// clGetDeviceInfo succeed, with the times and the clock's resolution of a device that has no clock.
// OPENCL_KILLS=FOLDER kills the process that launches a kernel, once for each file whose name
// begins with "once" in that folder, and always while a file named "always" is there.

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <dlfcn.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>

namespace {

bool fails_now(const char* function) {
  const char* wish = std::getenv("OPENCL_FAULT");
  const std::size_t length = std::strlen(function);
  if (wish == nullptr || std::strncmp(wish, function, length) != 0 || wish[length] != ':') {
    return false;
  }
  static int calls = 0;
  const int first = std::atoi(wish + length + 1);
  ++calls;
  return calls == first || (calls > first && wish[std::strlen(wish) - 1] == '+');
}

bool take_one(const std::filesystem::path& folder) {
  std::error_code failed;
  for (const auto& entry : std::filesystem::directory_iterator(folder, failed)) {
    const std::string name = entry.path().filename();
    if (name == "always") return true;
    // Two processes may see the same file; one of them removes it.
    if (name.starts_with("once") && ::unlink(entry.path().c_str()) == 0) return true;
  }
  return false;
}

void die_if_wanted() {
  const char* folder = std::getenv("OPENCL_KILLS");
  if (folder != nullptr && take_one(folder)) ::raise(SIGKILL);
}

template <class Function>
Function next(const char* name) {
  return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}

}  // namespace

extern "C" {

// The work is done all the same: a device that is lost does not go on writing to memory.
cl_int clFinish(cl_command_queue queue) {
  const cl_int result = next<decltype(&clFinish)>("clFinish")(queue);
  return fails_now("clFinish") ? CL_DEVICE_NOT_AVAILABLE : result;
}

cl_int clEnqueueReadBuffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking, size_t offset,
                           size_t size, void* data, cl_uint waits, const cl_event* wait_list,
                           cl_event* event) {
  if (fails_now("clEnqueueReadBuffer")) return CL_OUT_OF_RESOURCES;
  return next<decltype(&clEnqueueReadBuffer)>("clEnqueueReadBuffer")(
      queue, buffer, blocking, offset, size, data, waits, wait_list, event);
}

cl_int clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
                              const size_t* offset, const size_t* global, const size_t* local,
                              cl_uint waits, const cl_event* wait_list, cl_event* event) {
  die_if_wanted();
  if (fails_now("clEnqueueNDRangeKernel")) return CL_INVALID_WORK_GROUP_SIZE;
  return next<decltype(&clEnqueueNDRangeKernel)>("clEnqueueNDRangeKernel")(
      queue, kernel, dimensions, offset, global, local, waits, wait_list, event);
}

cl_int clBuildProgram(cl_program program, cl_uint count, const cl_device_id* devices,
                      const char* options, void(CL_CALLBACK* notify)(cl_program, void*),
                      void* data) {
  while (fails_now("clBuildProgram")) pause();
  return next<decltype(&clBuildProgram)>("clBuildProgram")(program, count, devices, options, notify,
                                                           data);
}

// PoCL does so where /sys is missing.
cl_int clGetPlatformIDs(cl_uint entries, cl_platform_id* platforms, cl_uint* count) {
  if (fails_now("clGetPlatformIDs")) std::abort();
  return next<decltype(&clGetPlatformIDs)>("clGetPlatformIDs")(entries, platforms, count);
}

cl_int clGetDeviceIDs(cl_platform_id platform, cl_device_type type, cl_uint entries,
                      cl_device_id* devices, cl_uint* count) {
  if (fails_now("clGetDeviceIDs")) return CL_DEVICE_NOT_FOUND;
  return next<decltype(&clGetDeviceIDs)>("clGetDeviceIDs")(platform, type, entries, devices, count);
}

cl_int clGetEventProfilingInfo(cl_event event, cl_profiling_info what, size_t size, void* value,
                               size_t* needed) {
  const cl_int result = next<decltype(&clGetEventProfilingInfo)>("clGetEventProfilingInfo")(
      event, what, size, value, needed);
  if (value != nullptr && fails_now("clGetEventProfilingInfo")) std::memset(value, 0, size);
  return result;
}

cl_int clGetDeviceInfo(cl_device_id device, cl_device_info what, size_t size, void* value,
                       size_t* needed) {
  const cl_int result =
      next<decltype(&clGetDeviceInfo)>("clGetDeviceInfo")(device, what, size, value, needed);
  const bool is_clock = what == CL_DEVICE_PROFILING_TIMER_RESOLUTION && value != nullptr;
  if (is_clock && fails_now("clGetDeviceInfo")) std::memset(value, 0, size);
  return result;
}

}  // extern "C"
