// `vyre tune` of a CUDA kernel, on the interpreter of PTX behind the driver's interface and with
// the real NVRTC: the same steps as on OpenCL.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "testing/run_command.h"
#include "testing/temporary_folder.h"
#include "testing/test_tools.h"
#include "vyre/recording.h"

namespace vyre {
namespace {

using ::testing::HasSubstr;

// x[i] * 2, in ways that are chosen by `way`: 1 is wrong, 2 writes behind the buffer, 3 does not
// compile, 4 writes to address 16, 5 is as good as 0.
constexpr const char* kCudaKernel = R"(
template <int way>
__global__ void __launch_bounds__(block) twice(const float* x, float* y, unsigned n) {
  __shared__ float tile[block];
  const unsigned i = blockIdx.x * block + threadIdx.x;
  tile[threadIdx.x] = i < n ? x[i] : 0.0f;
  __syncthreads();
#if way_is == 3
  this does not compile
#endif
  if (i < n) y[i] = way == 1 ? x[i] : 2 * tile[threadIdx.x];
  if (way == 2 && i == 0) y[n] = 1;
  if (way == 4 && i == 0) *reinterpret_cast<volatile int*>(16) = 1;
}
)";

constexpr const char* kCudaProblem = R"({
  "General": {"BenchmarkName": "twice"},
  "ConfigurationSpace": {
    "TuningParameters": [
      {"Name": "block", "Type": "int", "Values": "[32, 64]", "Default": 64},
      {"Name": "way_is", "Type": "int", "Values": "[0, 1, 2, 3, 4, 5]", "Default": 0}
    ],
    "Conditions": []
  },
  "KernelSpecification": {
    "Language": "CUDA",
    "KernelName": "twice<way_is>",
    "KernelFile": "twice.cu",
    "GlobalSizeType": "CUDA",
    "ProblemSize": [256],
    "LocalSize": {"X": "block"},
    "GlobalSize": {"X": "ProblemSize[0] // block"},
    "Arguments": [
      {"Name": "x", "Type": "float", "MemoryType": "Vector", "AccessType": "ReadOnly",
       "FillType": "Random", "Size": "ProblemSize[0]"},
      {"Name": "y", "Type": "float", "MemoryType": "Vector", "AccessType": "WriteOnly",
       "FillType": "Constant", "FillValue": 0, "Size": "ProblemSize[0]", "Output": 1},
      {"Name": "n", "Type": "uint32", "MemoryType": "Scalar", "FillValue": 256}
    ]
  }
})";

class TuneCuda : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!testing::nvrtc_library()) GTEST_SKIP() << "there is no NVRTC; run tools/setup --all";
    std::ofstream(folder_ / "twice.cu") << kCudaKernel;
    std::ofstream(folder_ / "twice.json") << kCudaProblem;
  }

  testing::CommandResult vyre(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), VYRE_CLI);
    const std::filesystem::path driver = VYRE_FAKE_CUDA;
    return testing::run_command(
        arguments, {.timeout = std::chrono::milliseconds(120'000),
                    .environment = {"XDG_CACHE_HOME=" + (folder_ / "cache").string(),
                                    "VYRE_FAKE_CUDA_MODULES=" + (folder_ / "modules").string(),
                                    "LD_LIBRARY_PATH=" + driver.parent_path().string() + ":" +
                                        testing::nvrtc_library()->parent_path().string()}});
  }

  // Whether workers have loaded modules, and their parent, the command, has not.
  bool only_workers_loaded_modules() const {
    std::set<int> loaders;
    std::set<int> parents;
    std::ifstream in(folder_ / "modules");
    for (int process = 0, parent = 0; in >> process >> parent;) {
      loaders.insert(process);
      parents.insert(parent);
    }
    return !loaders.empty() && parents.size() == 1 && !loaders.contains(*parents.begin());
  }

  testing::TemporaryFolder folder_;
};

TEST_F(TuneCuda, GoesThroughTheSameStepsAsOpenCl) {
  const std::string t4 = (folder_ / "out.json").string();
  const std::vector<std::string> command{"tune",     (folder_ / "twice.json").string(),
                                         "--budget", "100",
                                         "--device", "cuda",
                                         "--json",   "--out",
                                         t4};
  const auto tuned = vyre(command);
  ASSERT_THAT(tuned.exit_code, ::testing::AnyOf(0, 3)) << tuned.err;
  const auto json = nlohmann::json::parse(tuned.out)[0];
  EXPECT_EQ(json["evaluations"], 12) << tuned.err;
  EXPECT_EQ(json["failures"], 8) << tuned.err;
  EXPECT_THAT(json["config"]["way_is"].get<int>(), ::testing::AnyOf(0, 5));
  const auto recording = recording::read_recording(t4);
  ASSERT_TRUE(recording) << recording.error().message;
  const std::map<std::int64_t, recording::Status> expected{
      {0, recording::Status::ok},          {1, recording::Status::correctness},
      {2, recording::Status::correctness}, {3, recording::Status::compile},
      {4, recording::Status::runtime},     {5, recording::Status::ok}};
  for (const recording::Row& row : recording->rows) {
    const Value way = recording->parameters[1].values[row.point[1]];
    EXPECT_EQ(row.status, expected.at(std::get<std::int64_t>(way))) << to_string(way);
  }
  EXPECT_EQ(json["host_clock"], false);
  // Two run-time compilers in one process may not get along, so the command has none at work.
  EXPECT_TRUE(only_workers_loaded_modules());
  const auto explained = vyre({"explain", json["decision"].get<std::string>()});
  EXPECT_EQ(explained.exit_code, 0) << explained.err;
  EXPECT_THAT(explained.out, HasSubstr("bytes spilled or in private arrays"));
  EXPECT_THAT(explained.out,
              HasSubstr(json["config"]["block"] == 64 ? "256 bytes of local memory"
                                                      : "128 bytes of local memory"));
  // The second time nothing that failed is tried again.
  const auto next = vyre(command);
  ASSERT_THAT(next.exit_code, ::testing::AnyOf(0, 3)) << next.err;
  EXPECT_EQ(nlohmann::json::parse(next.out)[0]["failures"], 0) << next.err;
}

TEST_F(TuneCuda, AHipKernelNeedsAnAmdDevice) {
  std::string problem = kCudaProblem;
  problem.replace(problem.find("\"CUDA\""), 6, "\"HIP\"");
  std::ofstream(folder_ / "twice.json") << problem;
  const auto tuned = vyre({"tune", (folder_ / "twice.json").string(), "--device", "cuda"});
  EXPECT_EQ(tuned.exit_code, 5);
  EXPECT_THAT(tuned.err, HasSubstr("is written in HIP C++, but this device runs CUDA C++; use a "
                                   "HIP device"));
  EXPECT_EQ(std::ranges::count(tuned.err, '\n'), 1) << tuned.err;
}

TEST_F(TuneCuda, NeedsADevice) {
  const auto tuned = vyre({"tune", (folder_ / "twice.json").string(), "--device", "reference"});
  EXPECT_EQ(tuned.exit_code, 5);
  EXPECT_THAT(tuned.err, HasSubstr("use a CUDA device"));
}

}  // namespace
}  // namespace vyre
