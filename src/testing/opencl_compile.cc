#include "testing/opencl_compile.h"

#include "backend/opencl/device_list.h"
#include "base/error.h"

namespace vyre::testing {
namespace {

using backend::opencl::api;

struct Device {
  cl_device_id device = nullptr;
  cl_context context = nullptr;
  cl_command_queue queue = nullptr;
};

Device open() {
  Device d;
  const auto devices = backend::opencl::opencl_devices();
  if (!devices) return d;
  d.device = devices->front();
  d.context = api().clCreateContext(nullptr, 1, &d.device, nullptr, nullptr, nullptr);
  if (d.context != nullptr) d.queue = api().clCreateCommandQueue(d.context, d.device, 0, nullptr);
  return d;
}

const Device& device() {
  static const Device opened = open();
  return opened;
}

std::string build_log(cl_program program) {
  std::size_t size = 0;
  api().clGetProgramBuildInfo(program, device().device, CL_PROGRAM_BUILD_LOG, 0, nullptr, &size);
  std::string log(size, '\0');
  api().clGetProgramBuildInfo(program, device().device, CL_PROGRAM_BUILD_LOG, size, log.data(),
                              nullptr);
  return log;
}

// Memory objects of one run.
struct Memory {
  ~Memory() {
    for (const cl_mem m : objects) api().clReleaseMemObject(m);
  }
  std::vector<cl_mem> objects;
};

Expected<void> set_arguments(cl_kernel kernel, std::span<std::vector<std::byte>> buffers,
                             std::span<const OpenClProgram::Scalar> scalars, Memory& memory) {
  cl_uint next = 0;
  cl_int status = CL_SUCCESS;
  for (std::vector<std::byte>& bytes : buffers) {
    memory.objects.push_back(api().clCreateBuffer(device().context,
                                                  CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                                                  bytes.size(), bytes.data(), &status));
    if (status != CL_SUCCESS) return backend_error("clCreateBuffer: {}", status);
    status = api().clSetKernelArg(kernel, next++, sizeof(cl_mem), &memory.objects.back());
    if (status != CL_SUCCESS) return backend_error("clSetKernelArg {}: {}", next - 1, status);
  }
  for (const OpenClProgram::Scalar& s : scalars) {
    status = api().clSetKernelArg(kernel, next++, s.size, &s.bits);
    if (status != CL_SUCCESS) return backend_error("clSetKernelArg {}: {}", next - 1, status);
  }
  return {};
}

Expected<void> launch(cl_kernel kernel, const std::array<std::uint32_t, 3>& groups,
                      const std::array<std::uint32_t, 3>& workgroup) {
  std::array<std::size_t, 3> global{};
  std::array<std::size_t, 3> local{};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    local[axis] = workgroup[axis];
    global[axis] = local[axis] * groups[axis];
  }
  const cl_int status = api().clEnqueueNDRangeKernel(
      device().queue, kernel, 3, nullptr, global.data(), local.data(), 0, nullptr, nullptr);
  if (status != CL_SUCCESS) return backend_error("clEnqueueNDRangeKernel: {}", status);
  return {};
}

}  // namespace

bool has_opencl() { return device().queue != nullptr; }

Expected<std::unique_ptr<OpenClProgram>> OpenClProgram::compile(const std::string& source) {
  const char* text = source.c_str();
  const std::size_t size = source.size();
  cl_int status = CL_SUCCESS;
  cl_program program = api().clCreateProgramWithSource(device().context, 1, &text, &size, &status);
  if (status != CL_SUCCESS) return backend_error("clCreateProgramWithSource: {}", status);
  std::unique_ptr<OpenClProgram> out(new OpenClProgram(program));
  status = api().clBuildProgram(program, 1, &device().device, "-cl-std=CL1.2", nullptr, nullptr);
  if (status != CL_SUCCESS) return rejected("{}", build_log(program));
  return out;
}

OpenClProgram::~OpenClProgram() { api().clReleaseProgram(static_cast<cl_program>(program_)); }

Expected<void> OpenClProgram::run(const std::string& entry,
                                  std::span<std::vector<std::byte>> buffers,
                                  std::span<const Scalar> scalars,
                                  const std::array<std::uint32_t, 3>& groups,
                                  const std::array<std::uint32_t, 3>& workgroup) {
  cl_int status = CL_SUCCESS;
  cl_kernel kernel =
      api().clCreateKernel(static_cast<cl_program>(program_), entry.c_str(), &status);
  if (status != CL_SUCCESS) return backend_error("clCreateKernel {}: {}", entry, status);
  const std::unique_ptr<_cl_kernel, decltype(api().clReleaseKernel)> owner(kernel,
                                                                           api().clReleaseKernel);
  Memory memory;
  VYRE_TRY_VOID(set_arguments(kernel, buffers, scalars, memory));
  VYRE_TRY_VOID(launch(kernel, groups, workgroup));
  for (std::size_t k = 0; k < buffers.size(); ++k) {
    status = api().clEnqueueReadBuffer(device().queue, memory.objects[k], CL_TRUE, 0,
                                       buffers[k].size(), buffers[k].data(), 0, nullptr, nullptr);
    if (status != CL_SUCCESS) return backend_error("clEnqueueReadBuffer: {}", status);
  }
  return {};
}

}  // namespace vyre::testing
