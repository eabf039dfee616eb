#include "testing/scale_kernel.h"

#include <gtest/gtest.h>

#include <bit>

#include "vyre/builder.h"
#include "vyre/call.h"

namespace vyre::testing {

std::shared_ptr<Device> open_first(const DeviceOptions& options) {
  auto device = open_device("opencl", options);
  EXPECT_TRUE(device) << device.error().message;
  return device ? *device : nullptr;
}

const char* const kScale = R"(
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
kernel void scale(global double* y, global const double* x, local double* tile, uint n,
                  double factor, uchar offset) {
  uint i = get_global_id(0);
  if (get_local_size(0) != BLOCK || VYRE_WORKGROUP_X != BLOCK) return;
  tile[get_local_id(0)] = i < n ? x[i] : 0.0;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (i < n) y[i] = tile[get_local_id(0)] * factor + offset;
}
)";

ir::Sequence scale(const ScaleOptions& options) {
  auto program = ir::from_source("scale",
                                 {.text = options.text,
                                  .entry = options.entry,
                                  .options = options.options,
                                  .arguments = options.arguments,
                                  .file = options.file},
                                 [](ir::Builder& b) {
                                   const auto n = b.shape("n");
                                   b.scalar(ir::Scalar::u64, "factor");
                                   b.scalar(ir::Scalar::u32, "offset");
                                   const auto block = b.tunable("BLOCK", 64);
                                   b.read(ir::opaque(8), "x", n);
                                   b.write(ir::opaque(8), "y", n);
                                   b.local(ir::opaque(8), "tile", block);
                                   b.workgroup(block);
                                 });
  EXPECT_TRUE(program) << program.error().message;
  auto sequence = ir::Sequence::make(*std::move(program));
  EXPECT_TRUE(sequence) << sequence.error().message;
  return *std::move(sequence);
}

Expected<std::vector<double>> run_scale(const std::shared_ptr<Device>& device,
                                        const ir::Sequence& sequence, const Config& config) {
  const std::vector<double> x{1, 2, 3, 4.5, -1};
  const std::vector<Input> inputs{as_input(x)};
  const std::vector<Argument> arguments{{"factor", std::bit_cast<std::uint64_t>(2.5)},
                                        {"offset", 3}};
  auto outputs = make_dispatcher(device)->dispatch(
      sequence, {.inputs = inputs, .arguments = arguments, .config = &config});
  if (!outputs) return std::unexpected(outputs.error());
  return values_of<double>((*outputs)[0]);
}

Config block_of(std::int64_t size) {
  Config config;
  config.set("BLOCK", size);
  return config;
}

}  // namespace vyre::testing
