// Contexts, queues and memory of an application.

#include <gtest/gtest.h>

#include <bit>

#include "backend/opencl/device_list.h"
#include "testing/scale_kernel.h"
#include "vyre/opencl.h"

namespace vyre::backend {
namespace {

using testing::kScaled;
using testing::scale;

// The OpenCL objects of an application that uses OpenCL itself.
struct Application {
  cl_device_id device = nullptr;
  cl_context context = nullptr;
  cl_command_queue queue = nullptr;
  cl_mem x = nullptr;
  cl_mem y = nullptr;

  explicit Application(cl_command_queue_properties properties = CL_QUEUE_PROFILING_ENABLE) {
    cl_int code = CL_SUCCESS;
    device = opencl::opencl_devices().value().front();
    context = opencl::api().clCreateContext(nullptr, 1, &device, nullptr, nullptr, &code);
    queue = opencl::api().clCreateCommandQueue(context, device, properties, &code);
    x = opencl::api().clCreateBuffer(context, CL_MEM_READ_WRITE, 5 * sizeof(double), nullptr,
                                     &code);
    y = opencl::api().clCreateBuffer(context, CL_MEM_READ_WRITE, 5 * sizeof(double), nullptr,
                                     &code);
  }
  ~Application() {
    opencl::api().clReleaseMemObject(x);
    opencl::api().clReleaseMemObject(y);
    opencl::api().clReleaseCommandQueue(queue);
    opencl::api().clReleaseContext(context);
  }
  Application(const Application&) = delete;
  Application& operator=(const Application&) = delete;

  OpenclHandles handles() const { return {context, device, queue}; }
};

TEST(opencl_adoption, RunsOnTheApplicationsOwnQueueAndMemory) {
  const Application app;
  const std::vector<double> x{1, 2, 3, 4.5, -1};
  opencl::api().clEnqueueWriteBuffer(app.queue, app.x, CL_TRUE, 0, 40, x.data(), 0, nullptr,
                                     nullptr);
  const std::int64_t live = opencl_counts().live();
  {
    const auto device = adopt_opencl(app.handles());
    ASSERT_TRUE(device) << device.error().message;
    auto in = adopt_opencl_buffer(**device, app.x);
    auto out = adopt_opencl_buffer(**device, app.y);
    ASSERT_TRUE(in && out);
    EXPECT_EQ((*in)->size(), 40U);
    const ir::Sequence sequence = scale();
    auto kernel =
        (*device)->compile(sequence, 0, {.symbols = {0, 0, 0, 8}, .workgroup = {8, 1, 1}});
    ASSERT_TRUE(kernel) << kernel.error().message;
    const std::vector<Buffer*> buffers{in->get(), out->get()};
    const std::vector<std::uint64_t> symbols{5, std::bit_cast<std::uint64_t>(2.5), 3, 8};
    ASSERT_TRUE((*kernel)->launch({.buffers = buffers, .symbols = symbols}));
    ASSERT_TRUE((*device)->finish());
  }
  std::vector<double> y(5);
  ASSERT_EQ(opencl::api().clEnqueueReadBuffer(app.queue, app.y, CL_TRUE, 0, 40, y.data(), 0,
                                              nullptr, nullptr),
            CL_SUCCESS);
  EXPECT_EQ(y, kScaled);
  EXPECT_EQ(opencl_counts().live(), live);
}

TEST(opencl_adoption, RefusesWhatDoesNotFit) {
  const Application app;
  const Application other;
  const auto message = [](const auto& result) {
    return result ? std::string() : result.error().message;
  };
  EXPECT_EQ(message(adopt_opencl({})),
            "an OpenCL context, device or queue is null; hand in all three");
  EXPECT_EQ(message(adopt_opencl({app.context, app.device, other.queue})),
            "the OpenCL queue is not of that context and device; hand in one that is");
  const auto device = adopt_opencl(app.handles());
  ASSERT_TRUE(device);
  EXPECT_EQ(message(adopt_opencl_buffer(**device, other.x)),
            "the OpenCL memory object is of another context; adopt the device with that context");
  EXPECT_EQ(message(adopt_opencl_buffer(**device, nullptr)),
            "the OpenCL memory object is null or not valid; hand in one that is alive");
  EXPECT_EQ(message(adopt_opencl_buffer(*open_reference(), app.x)),
            "interpreter is no OpenCL device; adopt the memory on one");
}

TEST(opencl_adoption, TimesByTheHostsClockOnQueuesThatDoNotProfile) {
  const Application app(0);
  const auto device = adopt_opencl(app.handles());
  ASSERT_TRUE(device);
  const ir::Sequence sequence = scale();
  auto kernel = (*device)->compile(sequence, 0, {.symbols = {0, 0, 0, 8}, .workgroup = {8, 1, 1}});
  auto x = (*device)->allocate(8);
  auto y = (*device)->allocate(8);
  const std::vector<Buffer*> buffers{x->get(), y->get()};
  const std::vector<std::uint64_t> symbols{1, 0, 0, 8};
  auto timer = (*device)->make_timer();
  ASSERT_TRUE(timer);
  ASSERT_TRUE((*kernel)->launch({.buffers = buffers, .symbols = symbols, .timer = timer->get()}));
  EXPECT_GT((*timer)->elapsed_ns().value(), 0U);
}

}  // namespace
}  // namespace vyre::backend
