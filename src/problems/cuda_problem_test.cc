// T1 files whose kernels are CUDA C++ or HIP C++: what becomes of their fields, and mistakes that
// are found before anything runs.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "backend/plan.h"
#include "base/files/whole_file.h"
#include "testing/compiled_problem.h"
#include "testing/nvrtc_compile.h"
#include "testing/temporary_folder.h"
#include "vyre/problem.h"

namespace vyre {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

constexpr const char* kCudaKernel = R"(
__constant__ float d_filter[3];
namespace house {
template <class T, int count>
__global__ void __launch_bounds__(block) scale(const T* __restrict__ x, T* y, int n, T a) {
  extern __shared__ float scratch[];
  for (int k = 0; k < count; ++k) {
    const int i = (blockIdx.x * count + k) * block + threadIdx.x;
    scratch[threadIdx.x] = i < n ? x[i] : 0;
    __syncthreads();
    if (i < n) y[i] = a * scratch[threadIdx.x] * d_filter[i % 3];
  }
}
}
)";

constexpr const char* kCudaT1 = R"json({
  "General": {"BenchmarkName": "scaling"},
  "ConfigurationSpace": {
    "TuningParameters": [
      {"Name": "block", "Type": "int", "Values": "[32, 64]", "Default": 32},
      {"Name": "items", "Type": "int", "Values": "[1, 2, 4]", "Default": 1}
    ]
  },
  "KernelSpecification": {
    "Language": "CUDA", "KernelName": "house::scale<float, items>", "KernelFile": "scale.cu",
    "CompilerOptions": ["--use_fast_math", "-std=c++11", "-arch=sm_80"],
    "ProblemSize": [1024], "ProblemSizeNames": ["n"], "SharedMemory": 128,
    "LocalSize": {"X": "block"}, "GlobalSize": {"X": "n // (block * items)"},
    "Arguments": [
      {"Name": "x", "Type": "float", "MemoryType": "Vector", "AccessType": "ReadOnly",
       "FillType": "Random", "Size": "n"},
      {"Name": "y", "Type": "float", "MemoryType": "Vector", "AccessType": "WriteOnly", "Size": "n"},
      {"Name": "d_filter", "Type": "float", "MemoryType": "Vector", "MemType": "Constant",
       "FillType": "Constant", "FillValue": 2.0, "Size": "3"},
      {"Name": "n", "Type": "int32", "MemoryType": "Scalar", "FillValue": 1024},
      {"Name": "a", "Type": "float", "MemoryType": "Scalar", "FillValue": 1.5},
      {"Name": "scratch", "Type": "float", "MemoryType": "Local", "Size": "block"}
    ]
  }
})json";

std::string with(const std::string& from, const std::string& to, std::string text = kCudaT1) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

class CudaProblem : public ::testing::Test {
 protected:
  Expected<Problem> load(const std::string& t1, const std::string& kernel = kCudaKernel) {
    const fs::path file = folder_.path() / "scale.json";
    EXPECT_TRUE(write_file_atomically(folder_.path() / "scale.cu", kernel));
    EXPECT_TRUE(write_file_atomically(file, t1));
    return load_problem(file);
  }

  std::string message(const std::string& t1, const std::string& kernel = kCudaKernel) {
    const auto problem = load(t1, kernel);
    if (problem) return "";
    EXPECT_EQ(problem.error().message.find('\n'), std::string::npos);
    const std::string& text = problem.error().message;
    return text.substr(text.find(": ") + 2);
  }

  testing::TemporaryFolder folder_;
};

TEST_F(CudaProblem, IsAProgramInCuda) {
  const auto problem = load(kCudaT1);
  ASSERT_TRUE(problem) << problem.error().message;
  const ir::Program& program = problem->sequence.def().programs[0];
  EXPECT_EQ(program.name, "scale");
  EXPECT_EQ(program.source->language, ir::Language::cuda);
  EXPECT_EQ(program.source->options, "--use_fast_math -std=c++11");
  const auto plan = testing::planned_kernel(
      *problem, {{"block", std::int64_t{64}}, {"items", std::int64_t{4}}}, ir::Language::cuda);
  ASSERT_TRUE(plan) << plan.error().message;
  EXPECT_EQ(plan->entry, "house::scale<float, 4>");
  EXPECT_EQ(plan->source.workgroup, (Extent{64, 1, 1}));
  std::size_t shared_bytes = 0;
  std::vector<std::string> names;
  for (const backend::Parameter& p : plan->parameters) {
    if (p.kind == backend::Parameter::Kind::local) shared_bytes += p.bytes;
    if (p.kind == backend::Parameter::Kind::constant) names.push_back("constant " + p.name);
    if (p.kind == backend::Parameter::Kind::buffer) names.push_back(p.name);
  }
  EXPECT_EQ(shared_bytes, 64U * 4 + 128);
  EXPECT_THAT(names, ::testing::ElementsAre("x", "y", "constant d_filter"));
  EXPECT_THAT(problem->warnings,
              ::testing::ElementsAre(
                  R"(compiler option "-arch=sm_80" is none of NVRTC's and is left out)"));
}

TEST_F(CudaProblem, CompilesWithItsTemplate) {
  if (!testing::has_nvrtc()) GTEST_SKIP() << testing::kNoNvrtc;
  const auto problem = load(kCudaT1);
  ASSERT_TRUE(problem) << problem.error().message;
  const auto compiled = testing::compile_configurations(*problem, 3, "sm_80");
  EXPECT_TRUE(compiled) << compiled.error().message;
}

TEST_F(CudaProblem, TypeNamesAreArgumentsOfTheTemplate) {
  const auto problem =
      load(with(R"("KernelName": "house::scale<float, items>")",
                R"("KernelName": "scale", "KernelTypeNames": ["float", "items"])"));
  ASSERT_TRUE(problem) << problem.error().message;
  EXPECT_EQ(problem->sequence.def().programs[0].source->entry, "scale<float, items>");
}

TEST_F(CudaProblem, GlobalSizeCountsBlocksUnlessTheFileSaysOtherwise) {
  const auto groups = [](const Problem& problem) {
    const auto inputs = inputs_of(problem);
    const auto arguments = arguments_of(problem);
    const Call call{.inputs = inputs, .arguments = arguments};
    const auto plan = backend::make_plan(problem.sequence, call, open_null()->info().limits);
    return plan ? plan->steps[0].groups[0] : 0;
  };
  const auto blocks = load(kCudaT1);
  ASSERT_TRUE(blocks) << blocks.error().message;
  EXPECT_EQ(groups(*blocks), 32U);
  std::string text = with(R"("SharedMemory": 128)", R"("GlobalSizeType": "OpenCL")");
  text = with(R"~("n // (block * items)")~", R"("n // items")", text);
  const auto invocations = load(text);
  ASSERT_TRUE(invocations) << invocations.error().message;
  EXPECT_EQ(groups(*invocations), 32U);
}

TEST_F(CudaProblem, WarnsWhereGlobalSizeContradictsGridDiv) {
  const std::string divided = with(R"("SharedMemory": 128)", R"("GridDivX": ["block", "items"])");
  const auto warnings = [&](const std::string& global) {
    const auto problem = load(with(R"~("n // (block * items)")~", global, divided));
    EXPECT_TRUE(problem) << problem.error().message;
    std::vector<std::string> out;
    for (const std::string& w : problem->warnings) {
      if (w.starts_with("GlobalSize")) out.push_back(w);
    }
    return out;
  };
  EXPECT_THAT(warnings(R"~("n // (block * items)")~"), ::testing::IsEmpty());
  EXPECT_THAT(warnings(R"("n")"), ::testing::IsEmpty());
  EXPECT_THAT(warnings(R"("(4096 // block) // items")"),
              ::testing::ElementsAre(
                  R"~(GlobalSize.X ("(4096 // block) // items") makes 128 workgroups of )~"
                  "the default, ProblemSize and GridDivX make 32; ProblemSize and GridDivX "
                  "are used"));
}

TEST_F(CudaProblem, ConstantMemoryIsAParameterWhereNoSymbolHasItsName) {
  const std::string kernel =
      "__global__ void scale(const float* x, float* y, const float* d_filter, int n, float local) "
      "{}\n";
  const auto problem = load(with("house::scale<float, items>", "scale"), kernel);
  ASSERT_TRUE(problem) << problem.error().message;
  for (const auto& argument : problem->sequence.def().programs[0].source->arguments) {
    EXPECT_EQ(argument.symbol, "");
  }
}

TEST_F(CudaProblem, SymbolsOfKttAreConstantMemory) {
  const auto problem =
      load(with(R"("MemoryType": "Vector", "MemType": "Constant")", R"("MemoryType": "Symbol")"));
  ASSERT_TRUE(problem) << problem.error().message;
  EXPECT_EQ(problem->sequence.def().programs[0].source->arguments[2].symbol, "d_filter");
}

TEST_F(CudaProblem, SaysWhatIsWrongAndWhatToDo) {
  EXPECT_EQ(message(with("house::scale<float, items>", "house::scaled<float, items>")),
            R"~(the source has no kernel "scaled"; did you mean "scale"?; correct KernelName)~");
  EXPECT_EQ(
      message(
          with(R"({"Name": "a", "Type": "float", "MemoryType": "Scalar", "FillValue": 1.5},)", "")),
      R"(kernel "scale" takes 4 arguments, but Arguments lists 3; list one for each parameter, in order)");
  EXPECT_EQ(
      message(with(R"("Name": "n", "Type": "int32", "MemoryType": "Scalar")",
                   R"("Name": "m", "Type": "int64", "MemoryType": "Scalar")")),
      R"(argument "m" is of type int64, but the kernel's parameter is "int n"; correct its Type)");
  EXPECT_EQ(
      message(with(R"("Type": "float", "MemoryType": "Scalar")",
                   R"("Type": "float", "MemoryType": "Texture")")),
      R"(argument "a": CUDA has no memory of type "Texture"; use Vector, Scalar, Symbol or Local)");
}

// The same file for Vulkan: its function is `main`, and its shader is checked when it is compiled.
TEST_F(CudaProblem, OfAShaderIsVulkans) {
  std::string t1 = with(R"("Language": "CUDA")", R"("Language": "Vulkan")");
  t1 = with("house::scale<float, items>", "scale", t1);
  const auto problem = load(t1, "#version 450\n");
  ASSERT_TRUE(problem) << problem.error().message;
  EXPECT_EQ(problem->sequence.def().programs[0].source->language, ir::Language::glsl);
  EXPECT_THAT(
      problem->warnings,
      ::testing::Contains(R"(compiler option "-std=c++11" is none of glslang's and is left out)"));
  EXPECT_EQ(message(with(R"("Type": "float", "MemoryType": "Scalar")",
                         R"("Type": "float", "MemoryType": "Texture")", t1)),
            R"(argument "a": Vulkan has no memory of type "Texture"; use Vector or Scalar)");
}

TEST_F(CudaProblem, IsRefusedByDevicesThatCannotRunIt) {
  const auto cuda = load(kCudaT1);
  ASSERT_TRUE(cuda) << cuda.error().message;
  const auto on_opencl = testing::planned_kernel(*cuda, cuda->space.config_at(cuda->default_index),
                                                 ir::Language::opencl_c);
  ASSERT_FALSE(on_opencl);
  EXPECT_EQ(on_opencl.error().message,
            "\"scale\" is written in CUDA C++, but this device runs OpenCL C; use a CUDA device "
            "(`vyre devices` lists all), or port the kernel");
  const auto hip = load(with(R"("Language": "CUDA")", R"("Language": "HIP")"));
  ASSERT_TRUE(hip) << hip.error().message;
  EXPECT_EQ(hip->sequence.def().programs[0].source->language, ir::Language::hip);
  const auto on_cuda =
      testing::planned_kernel(*hip, hip->space.config_at(hip->default_index), ir::Language::cuda);
  ASSERT_FALSE(on_cuda);
  EXPECT_THAT(on_cuda.error().message,
              HasSubstr("is written in HIP C++, but this device runs CUDA"));
}

TEST_F(CudaProblem, IncludedFilesArePartOfItsFingerprint) {
  const std::string kernel = "#include \"house.cuh\"\n" + std::string(kCudaKernel);
  const auto fingerprint = [&](const std::string& header) {
    EXPECT_TRUE(write_file_atomically(folder_.path() / "house.cuh", header));
    const auto problem = load(kCudaT1, kernel);
    EXPECT_TRUE(problem) << problem.error().message;
    return problem ? problem->sequence.fingerprint() : ir::Fingerprint{};
  };
  const ir::Fingerprint before = fingerprint("#define SCALE 1\n");
  EXPECT_EQ(fingerprint("#define SCALE 1\n"), before);
  EXPECT_NE(fingerprint("#define SCALE 2\n"), before);
}

}  // namespace
}  // namespace vyre
