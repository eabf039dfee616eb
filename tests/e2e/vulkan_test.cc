// `vyre tune --device vulkan`: a T1 file whose kernel is a compute shader in GLSL, as KTT writes
// them (a Symbol is a scalar there), and a bundled kernel in our own language.

#include "vyre/vulkan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "testing/run_command.h"
#include "testing/temporary_folder.h"
#include "vyre/recording.h"

namespace vyre {
namespace {

using ::testing::HasSubstr;

// x[i] * 2 + more, in ways that are chosen by `way`: 1 is wrong, 2 does not compile, 3 has too
// large an array, 4 is as good as 0. `items` is a specialisation constant.
constexpr const char* kVulkanKernel = R"(#version 450
layout(local_size_x = LOCAL_SIZE_X, local_size_y = 1, local_size_z = 1) in;
layout(constant_id = 0) const uint items = 1;
layout(std430, binding = 0) readonly buffer Operand { float x[]; };
layout(std430, binding = 1) writeonly buffer Result { float y[]; };
layout(push_constant) uniform Values { uint n; float more; };
#if way == 2
this does not compile
#endif
shared float tile[way == 3 ? 1 << 20 : LOCAL_SIZE_X];

void main() {
  for (uint k = 0; k < items; ++k) {
    const uint i = (gl_WorkGroupID.x * items + k) * gl_WorkGroupSize.x + gl_LocalInvocationID.x;
    tile[gl_LocalInvocationID.x] = i < n ? x[i] : 0.0;
    if (i < n) y[i] = way == 1 ? x[i] : 2 * tile[gl_LocalInvocationID.x] + more;
  }
}
)";

constexpr const char* kVulkanProblem = R"json({
  "General": {"BenchmarkName": "twice"},
  "ConfigurationSpace": {
    "TuningParameters": [
      {"Name": "block", "Type": "int", "Values": "[32, 64]", "Default": 64},
      {"Name": "items", "Type": "int", "Values": "[1, 2]", "Default": 1},
      {"Name": "way", "Type": "int", "Values": "[0, 1, 2, 3, 4]", "Default": 0}
    ],
    "Conditions": []
  },
  "KernelSpecification": {
    "Language": "Vulkan",
    "KernelName": "twice",
    "KernelFile": "twice.glsl",
    "ProblemSize": [256],
    "LocalSize": {"X": "block"},
    "GlobalSize": {"X": "ProblemSize[0] // (block * items)"},
    "Arguments": [
      {"Name": "x", "Type": "float", "MemoryType": "Vector", "AccessType": "ReadOnly",
       "FillType": "Random", "Size": "ProblemSize[0]"},
      {"Name": "y", "Type": "float", "MemoryType": "Vector", "AccessType": "WriteOnly",
       "FillType": "Constant", "FillValue": 0, "Size": "ProblemSize[0]", "Output": 1},
      {"Name": "n", "Type": "uint32", "MemoryType": "Scalar", "FillValue": 256},
      {"Name": "more", "Type": "float", "MemoryType": "Symbol", "FillValue": 0.5}
    ]
  }
})json";

class TuneVulkan : public ::testing::Test {
 protected:
  void SetUp() override {
    if (const auto devices = open_vulkan(); !devices) GTEST_SKIP() << devices.error().message;
    std::ofstream(folder_ / "twice.glsl") << kVulkanKernel;
    std::ofstream(folder_ / "twice.json") << kVulkanProblem;
  }

  testing::CommandResult vyre(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), VYRE_CLI);
    return testing::run_command(
        arguments, {.timeout = std::chrono::milliseconds(120'000),
                    .environment = {"XDG_CACHE_HOME=" + (folder_ / "cache").string()}});
  }

  testing::TemporaryFolder folder_;
};

TEST_F(TuneVulkan, AShaderGoesThroughTheSameStepsAsOpenCl) {
  const std::string t4 = (folder_ / "out.json").string();
  const auto tuned = vyre({"tune", (folder_ / "twice.json").string(), "--budget", "100", "--device",
                           "vulkan", "--json", "--out", t4});
  ASSERT_THAT(tuned.exit_code, ::testing::AnyOf(0, 3)) << tuned.err;
  const auto json = nlohmann::json::parse(tuned.out)[0];
  EXPECT_EQ(json["evaluations"], 20) << tuned.err;
  EXPECT_EQ(json["failures"], 12) << tuned.err;
  EXPECT_THAT(json["config"]["way"].get<int>(), ::testing::AnyOf(0, 4));
  EXPECT_EQ(json["host_clock"], false);
  const auto recording = recording::read_recording(t4);
  ASSERT_TRUE(recording) << recording.error().message;
  const std::map<std::int64_t, recording::Status> expected{{0, recording::Status::ok},
                                                           {1, recording::Status::correctness},
                                                           {2, recording::Status::compile},
                                                           {3, recording::Status::compile},
                                                           {4, recording::Status::ok}};
  for (const recording::Row& row : recording->rows) {
    const Value way = recording->parameters[2].values[row.point[2]];
    EXPECT_EQ(row.status, expected.at(std::get<std::int64_t>(way))) << to_string(way);
  }
}

TEST_F(TuneVulkan, AShaderNeedsAVulkanDevice) {
  const auto tuned = vyre({"tune", (folder_ / "twice.json").string(), "--device", "opencl"});
  EXPECT_EQ(tuned.exit_code, 5);
  EXPECT_THAT(tuned.err, HasSubstr("is written in GLSL, but this device runs OpenCL C; use a "
                                   "Vulkan device"));
}

TEST_F(TuneVulkan, AKernelOfOurLanguageIsTuned) {
  const auto tuned = vyre(
      {"tune", "saxpy", "--device", "vulkan", "--size", "n=4096", "--evaluations", "8", "--json"});
  ASSERT_THAT(tuned.exit_code, ::testing::AnyOf(0, 3)) << tuned.err;
  const auto json = nlohmann::json::parse(tuned.out)[0];
  EXPECT_EQ(json["failures"], 0) << tuned.err;
  EXPECT_GT(json["tuned"]["ns"].get<double>(), 0);
}

}  // namespace
}  // namespace vyre
