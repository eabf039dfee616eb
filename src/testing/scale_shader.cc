#include "testing/scale_shader.h"

#include <gtest/gtest.h>

#include <bit>

#include "base/error.h"
#include "vyre/builder.h"
#include "vyre/call.h"

namespace vyre::testing {
namespace {

Expected<std::vector<std::shared_ptr<Device>>> open_with_layers(const DeviceOptions& options,
                                                                bool force_staging) {
  auto validated = open_vulkan(options, {.validate = true, .force_staging = force_staging});
  if (validated) return validated;
  return open_vulkan(options, {.force_staging = force_staging});
}

}  // namespace

std::shared_ptr<Device> open_validated(const DeviceOptions& options, bool force_staging) {
  const auto devices = open_with_layers(options, force_staging);
  return devices ? devices->front() : nullptr;
}

std::string missing_vulkan() {
  const auto devices = open_with_layers({}, false);
  return devices ? "" : devices.error().message;
}

const char* const kScaleShader = R"(#version 450
layout(local_size_x_id = 0) in;
layout(constant_id = 3) const uint shift = 7;
layout(std430, binding = 0) writeonly buffer Result { float y[]; };
layout(std430, binding = 1) readonly buffer Operand { float x[]; };
layout(push_constant) uniform Values { uint n; float factor; uint offset; };

void main() {
  uint i = gl_GlobalInvocationID.x;
  if (i < n) y[i] = x[i] * factor + float(offset) + float(BIAS) + float(shift);
}
)";

ir::Sequence scale_shader(const ShaderOptions& options) {
  auto program = ir::from_source("scale",
                                 {.language = ir::Language::glsl,
                                  .text = options.text,
                                  .entry = "main",
                                  .options = options.options,
                                  .arguments = options.arguments,
                                  .file = options.file},
                                 [](ir::Builder& b) {
                                   const auto n = b.shape("n");
                                   b.scalar(ir::Scalar::f32, "factor");
                                   b.scalar(ir::Scalar::u32, "offset");
                                   const auto block = b.tunable("BLOCK", 64);
                                   b.tunable("BIAS", 0);
                                   b.tunable("shift", 0);
                                   b.read(ir::f32, "x", n);
                                   b.write(ir::f32, "y", n);
                                   b.workgroup(block);
                                 });
  EXPECT_TRUE(program) << program.error().message;
  auto sequence = ir::Sequence::make(*std::move(program));
  EXPECT_TRUE(sequence) << sequence.error().message;
  return *std::move(sequence);
}

Expected<std::vector<float>> run_shader(const std::shared_ptr<Device>& device,
                                        const ir::Sequence& sequence, const Config& config) {
  const std::vector<float> x{1, 2, 3, 4.5, -1};
  const std::vector<Input> inputs{as_input(x)};
  const std::vector<Argument> arguments{{"factor", std::bit_cast<std::uint32_t>(2.5F)},
                                        {"offset", 3}};
  auto outputs = make_dispatcher(device)->dispatch(
      sequence, {.inputs = inputs, .arguments = arguments, .config = &config});
  if (!outputs) return std::unexpected(outputs.error());
  return values_of<float>((*outputs)[0]);
}

}  // namespace vyre::testing
