// An application with OpenCL of its own lets vyre tune and launch on its context, queue and memory.
//
// The application makes and fills the memory, vyre's kernel works on it, and the application reads
// the result: nothing is copied, and everything runs in the order of the application's queue.
//
//   example_share_opencl [CACHE_FOLDER]

#include <vyre/vyre.h>

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include <cstdio>
#include <numeric>

namespace {

constexpr std::uint32_t kCount = 1 << 20;

// y = a x + y, the kernel to be tuned: each work-item has `items` elements.
constexpr const char* kSaxpy = R"(
__kernel void saxpy(__global const float* x, __global float* y, float a, uint n) {
  const uint first = get_group_id(0) * block * items + get_local_id(0);
  for (uint k = 0; k < items; ++k) {
    const uint i = first + k * block;
    if (i < n) y[i] = a * x[i] + y[i];
  }
})";

vyre::Expected<vyre::ir::Program> saxpy_program() {
  return vyre::ir::from_source(
      "saxpy", {.text = kSaxpy, .entry = "saxpy", .arguments = {{"x"}, {"y"}, {"a"}, {"n"}}},
      [](vyre::ir::Builder& b) {
        const auto block = b.tunable("block", 16);
        const auto items = b.tunable("items", 1);
        const auto n = b.shape("n");
        b.scalar(vyre::ir::f32, "a");
        b.read(vyre::ir::f32, "x", n);
        b.read_write(vyre::ir::f32, "y", n);
        b.workgroup(block);
        b.grid((n + block * items - 1) / (block * items));
      });
}

bool run(cl_context context, cl_device_id id, cl_command_queue queue, const char* folder) {
  const std::vector<float> ones(kCount, 1.0F);
  cl_int code = CL_SUCCESS;
  const cl_mem_flags flags = CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR;
  auto* const host = const_cast<float*>(ones.data());
  cl_mem x = clCreateBuffer(context, flags, kCount * sizeof(float), host, &code);
  cl_mem y = clCreateBuffer(context, flags, kCount * sizeof(float), host, &code);

  // Vyre's part: the same context and queue, the same memory.
  auto device = vyre::adopt_opencl({context, id, queue});
  auto sequence = vyre::ir::Sequence::make(*saxpy_program());
  auto space = vyre::space::Space::build(
      {.parameters = {{"block", {16, 64, 256}}, {"items", {1, 4}}}, .constraints = {}});
  auto runtime = vyre::Runtime::open(
      *device, {.mode = vyre::Mode::natural,
                .miss_budget = {.seconds = 2},
                .files = {.folder = folder},
                .events = [](const vyre::Event& event) { std::puts(event.message.c_str()); }});
  auto our_x = vyre::adopt_opencl_buffer(**device, x);
  auto our_y = vyre::adopt_opencl_buffer(**device, y);
  if (!runtime->declare(*sequence, {.space = *space})) return false;
  for (int k = 0; k < 10; ++k) {  // the first launch tunes, on copies; the others only enqueue
    const auto done = runtime->launch(*sequence, {{"x", **our_x}, {"y", **our_y}, {"a", 2.0F}});
    if (!done) return std::puts(done.error().message.c_str()), false;
  }

  // The application's part again: its queue is in order, so this read sees all ten launches.
  std::vector<float> result(kCount);
  clEnqueueReadBuffer(queue, y, CL_TRUE, 0, kCount * sizeof(float), result.data(), 0, nullptr,
                      nullptr);
  const std::vector<std::uint64_t> shape{kCount, kCount, kCount};
  const vyre::Resolved resolved = runtime->resolve(*sequence, shape);
  std::printf("launched with %s (%s); y[0] = %g\n",
              to_string(runtime->cache().read(resolved.decision).config).c_str(),
              std::string(to_string(resolved.source)).c_str(), static_cast<double>(result[0]));
  clReleaseMemObject(y);
  clReleaseMemObject(x);
  return result[0] == 21 && result[kCount - 1] == 21;
}

}  // namespace

int main(int argc, char** argv) {
  cl_platform_id platform = nullptr;
  cl_device_id id = nullptr;
  cl_int code = CL_SUCCESS;
  if (clGetPlatformIDs(1, &platform, nullptr) != CL_SUCCESS ||
      clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &id, nullptr) != CL_SUCCESS) {
    return std::puts("there is no OpenCL device; install a driver, for example pocl-opencl-icd"), 1;
  }
  cl_context context = clCreateContext(nullptr, 1, &id, nullptr, nullptr, &code);
  cl_command_queue queue = clCreateCommandQueue(context, id, 0, &code);
  const bool is_right = run(context, id, queue, argc > 1 ? argv[1] : "");
  clReleaseCommandQueue(queue);
  clReleaseContext(context);
  return is_right ? 0 : 1;
}
