// Our programs on an OpenCL device against the best of the host, and what a launch costs.

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <random>

#include "allocations.h"
#include "backend/opencl/device_list.h"
#include "backend/owned_call.h"
#include "base/check.h"
#include "native_loops.h"
#include "primitives/product.h"
#include "testing/bench.h"
#include "testing/run_command.h"
#include "testing/temporary_folder.h"
#include "vyre/builder.h"
#include "vyre/opencl.h"
#include "vyre/runtime.h"
#include "vyre/substrate/primitives.h"

namespace vyre::testing {
namespace {

using Clock = std::chrono::steady_clock;
constexpr Timing kLong{.batch_ns = 1, .samples = 15};

template <class T>
std::vector<T> random_values(std::size_t count) {
  std::mt19937 random(1);
  std::vector<T> out(count);
  for (T& x : out) x = static_cast<T>(random() % 1000) / T{7};
  return out;
}

std::shared_ptr<Device> opencl() {
  auto device = open_device("opencl");
  return device ? *device : nullptr;
}

// The sequence with its inputs on the device.
std::unique_ptr<backend::OwnedCall> owned(const std::shared_ptr<Device>& device,
                                          const Expected<ir::Sequence>& sequence,
                                          const std::vector<Input>& inputs,
                                          const std::vector<Argument>& arguments = {}) {
  VYRE_CHECK(sequence);
  auto out =
      backend::OwnedCall::make(device, *sequence, {.inputs = inputs, .arguments = arguments});
  VYRE_CHECK(out);
  std::vector<backend::InputContent> contents;
  for (const Input& input : inputs) contents.push_back({.host = input});
  VYRE_CHECK((*out)->write_inputs(contents));
  VYRE_CHECK((*out)->run());
  return *std::move(out);
}

// `bytes` or operations that one run moves, in 10^9 per second.
void add_rate(Report& report, const std::string& name, const char* unit, double amount,
              backend::OwnedCall& ours, const std::function<void()>& theirs, double goal,
              const char* note = "") {
  const Pair pair = compare_ns([&] { VYRE_CHECK(ours.run()); }, theirs, kLong);
  report.add({.name = name,
              .value = amount / pair.first_ns,
              .unit = unit,
              .baseline = amount / pair.second_ns,
              .ratio = 1 / pair.ratio,
              .goal = at_least(goal),
              .note = note});
}

VYRE_BENCHMARK(opencl_softmax) {
  const auto device = opencl();
  if (device == nullptr) return;
  const auto weights = random_values<std::uint32_t>(std::size_t{16} << 20U);
  std::vector<std::uint32_t> out(weights.size());
  auto ours = owned(device, primitives::softmax_step(static_cast<std::uint32_t>(out.size())),
                    {as_input(weights)});
  add_rate(
      report, "opencl: softmax_step, 16 Mi weights, against OpenMP loops", "GB/s",
      12.0 * static_cast<double>(out.size()), *ours, [&] { bench::native_softmax(weights, out); },
      0.7);
}

VYRE_BENCHMARK(opencl_saxpy) {
  const auto device = opencl();
  if (device == nullptr) return;
  auto program = ir::build("saxpy", [](ir::Builder& b) {
    auto n = b.shape("n");
    auto a = b.scalar(ir::Scalar::f32, "a");
    auto x = b.read(ir::Scalar::f32, "x", n);
    auto y = b.read_write(ir::Scalar::f32, "y", n);
    b.workgroup(4096);
    auto i = b.global_id(0);
    b.if_(i < n, [&] { y[i] = a * x[i] + y[i]; });
  });
  VYRE_CHECK(program);
  const auto x = random_values<float>(std::size_t{16} << 20U);
  auto y = x;
  auto ours = owned(device, ir::Sequence::make(*std::move(program)), {as_input(x), as_input(y)},
                    {{"a", 0x3f000000}});
  add_rate(
      report, "opencl: saxpy, 16 Mi elements, against an OpenMP loop", "GB/s",
      12.0 * static_cast<double>(x.size()), *ours, [&] { bench::native_saxpy(0.5F, x, y); }, 0.7);
}

// The product that fisher_block and inverse_sqrt are made of, by tiles of private sums.
Expected<ir::Program> gemm(std::uint32_t n) {
  return ir::build("gemm", [n](ir::Builder& b) {
    const ir::Value side = b.shape("side");
    auto left = b.read(ir::Scalar::f32, "a", side * side);
    auto right = b.read(ir::Scalar::f32, "b", side * side);
    auto out = b.write(ir::Scalar::f32, "c", side * side);
    primitives::for_each_product(
        b, {.quads = primitives::quads_for(n), .side = side, .depth = side}, left, right,
        [&](const ir::Value& row, const ir::Value& column, const ir::Value& sum) {
          out[row * side + column] = sum;
        });
  });
}

VYRE_BENCHMARK(opencl_gemm) {
  const auto device = opencl();
  if (device == nullptr) return;
  constexpr std::uint32_t kN = 1024;
  auto program = gemm(kN);
  VYRE_CHECK(program);
  const auto a = random_values<float>(std::size_t{kN} * kN);
  std::vector<float> c(a.size());
  auto ours = owned(device, ir::Sequence::make(*std::move(program)), {as_input(a), as_input(a)},
                    {{"side", kN}});
  add_rate(
      report, "opencl: gemm with private tiles, n = 1024, against Eigen", "GFLOP/s",
      2.0 * kN * kN * kN, *ours, [&] { bench::eigen_sgemm(a, a, c, kN); }, 0.3);
}

double elapsed_ns(const std::function<void()>& body) {
  const auto start = Clock::now();
  body();
  return static_cast<double>((Clock::now() - start).count());
}

// A kernel that does next to nothing, once through vyre and once bare, in turn.
VYRE_BENCHMARK(opencl_launch) {
  const auto device = opencl();
  if (device == nullptr) return;
  auto program = ir::from_source(
      "touch",
      {.text = "kernel void touch(global uint* x, uint n) { if (n == 0) x[0] = 1; }",
       .entry = "touch",
       .arguments = {{"x"}, {"n"}}},
      [](ir::Builder& b) {
        b.tunable("tile", 1);
        auto n = b.shape("n");
        b.read_write(ir::Scalar::u32, "x", n);
        b.workgroup(1);
      });
  VYRE_CHECK(program);
  auto sequence = ir::Sequence::make(*std::move(program));
  VYRE_CHECK(sequence);

  const backend::opencl::Api& api = backend::opencl::api();
  cl_device_id id = backend::opencl::opencl_devices().value().front();
  cl_int code = CL_SUCCESS;
  cl_context context = api.clCreateContext(nullptr, 1, &id, nullptr, nullptr, &code);
  cl_command_queue queue = api.clCreateCommandQueue(context, id, CL_QUEUE_PROFILING_ENABLE, &code);
  auto adopted = adopt_opencl({context, id, queue});
  VYRE_CHECK(adopted);
  auto runtime = Runtime::open(*adopted);
  auto buffer = (*adopted)->allocate(4);
  VYRE_CHECK(runtime && buffer);
  const std::vector<std::uint64_t> shape{1, 1};
  runtime->cache().offer(key_of(sequence->fingerprint(), shape),
                         {.fingerprint = sequence->fingerprint(),
                          .shape = shape,
                          .config = {{"tile", std::int64_t{2}}},
                          .samples = 1});

  const char* text = sequence->def().programs[0].source->text.c_str();
  cl_program bare_program = api.clCreateProgramWithSource(context, 1, &text, nullptr, &code);
  api.clBuildProgram(bare_program, 1, &id, "", nullptr, nullptr);
  cl_kernel bare = api.clCreateKernel(bare_program, "touch", &code);
  cl_mem memory = api.clCreateBuffer(context, CL_MEM_READ_WRITE, 4, nullptr, &code);
  const cl_uint one = 1;

  // Enqueues only; the queue is emptied outside of the measured time, so that it never fills up.
  const auto ours = [&] { VYRE_CHECK(runtime->launch(*sequence, {{"x", **buffer}, {"n", 1U}})); };
  const auto theirs = [&] {
    const std::size_t size = 1;
    api.clSetKernelArg(bare, 0, sizeof(memory), static_cast<const void*>(&memory));
    api.clSetKernelArg(bare, 1, sizeof(one), &one);
    api.clEnqueueNDRangeKernel(queue, bare, 1, nullptr, &size, &size, 0, nullptr, nullptr);
  };
  for (int k = 0; k < 200; ++k) {
    ours();
    theirs();
    api.clFinish(queue);
  }
  std::vector<double> differences;
  std::vector<double> bare_ns;
  for (int k = 0; k < 6000; ++k) {
    const bool first = k % 2 == 0;
    const double before = first ? elapsed_ns(ours) : elapsed_ns(theirs);
    api.clFinish(queue);
    const double after = first ? elapsed_ns(theirs) : elapsed_ns(ours);
    api.clFinish(queue);
    bare_ns.push_back(first ? after : before);
    differences.push_back(first ? before - after : after - before);
  }
  std::ranges::nth_element(differences, differences.begin() + 3000);
  std::ranges::nth_element(bare_ns, bare_ns.begin() + 3000);
  report.add({.name = "opencl: a decided launch on top of clSetKernelArg and "
                      "clEnqueueNDRangeKernel, 6000 pairs",
              .value = differences[3000] / 1000,
              .unit = "us",
              .goal = at_most(1),
              .note = fmt::format("bare: {:.1f} us; wanted 0.3 us", bare_ns[3000] / 1000)});
  const std::size_t before = bench::allocations();
  for (int k = 0; k < 100; ++k) {
    ours();
    api.clFinish(queue);
  }
  const std::size_t with_ours = bench::allocations() - before;
  for (int k = 0; k < 100; ++k) {
    theirs();
    api.clFinish(queue);
  }
  const std::size_t bare_count = bench::allocations() - before - with_ours;
  report.add({.name = "opencl: allocations of 100 decided launches, less those of the driver",
              .value = static_cast<double>(with_ours) - static_cast<double>(bare_count),
              .unit = "",
              .goal = at_most(0)});
  api.clReleaseMemObject(memory);
  api.clReleaseKernel(bare);
  api.clReleaseProgram(bare_program);
  api.clReleaseCommandQueue(queue);
  api.clReleaseContext(context);
}

VYRE_BENCHMARK(opencl_first_result) {
  if (opencl() == nullptr) return;
  const TemporaryFolder folder;
  const std::string file = std::string(VYRE_SOURCE_DIR) + "/src/emit/golden/saxpy.vyre";
  const auto start = [&] {
    const auto result = run_command(
        {VYRE_CLI, "run", file, "--device", "opencl", "--set", "n=1000", "--set", "a=2"},
        {.environment = {"XDG_CACHE_HOME=" + folder.path().string()}});
    VYRE_CHECK(result.exit_code == 0);
  };
  start();
  report.add({.name = "opencl: process start to first result, warm binary store",
              .value = median_ns(start, {.batch_ns = 1, .samples = 11}) / 1e6,
              .unit = "ms",
              .goal = at_most(150)});
}

}  // namespace
}  // namespace vyre::testing
