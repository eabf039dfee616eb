// T1 files whose kernels are CUDA C++ or HIP C++: what becomes of their fields, mistakes that are
// found before anything runs, and kernels that NVIDIA's compiler accepts.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <sstream>

#include "backend/common/kernel_plan.h"
#include "backend/plan.h"
#include "base/files/whole_file.h"
#include "emit/cuda/cuda_cpp.h"
#include "testing/nvrtc_compile.h"
#include "testing/shared_data.h"
#include "testing/soak.h"
#include "testing/temporary_folder.h"
#include "vyre/problem.h"
#include "vyre/recording.h"

namespace vyre {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

constexpr std::size_t kMostKernelBytes = 1U << 20U;

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

Expected<backend::KernelPlan> planned(const Problem& problem, const Config& config,
                                      ir::Language language = ir::Language::cuda) {
  const auto inputs = inputs_of(problem);
  const auto arguments = arguments_of(problem);
  const Call call{.inputs = inputs, .arguments = arguments, .config = &config};
  auto plan = backend::make_plan(problem.sequence, call, open_null()->info().limits);
  if (!plan) return std::unexpected(plan.error());
  return backend::plan_kernel(problem.sequence.def().programs[0], plan->steps[0].specialisation,
                              {emit::cuda_cpp, "", language});
}

std::vector<std::string> split(const std::string& options) {
  std::istringstream words(options);
  return {std::istream_iterator<std::string>(words), {}};
}

// Compiles configurations that are spread over the space, the default first.
void expect_compiles(const Problem& problem, std::uint32_t count, std::string_view architecture) {
  for (std::uint32_t k = 0; k < count; ++k) {
    const std::uint64_t index = k == 0 ? problem.default_index : problem.space.size() / count * k;
    const Config config = problem.space.config_at(index);
    const auto plan = planned(problem, config);
    ASSERT_TRUE(plan) << plan.error().message;
    const std::vector<std::string> names{plan->entry};
    const auto built =
        testing::nvrtc_compile(plan->source.text, architecture, split(plan->source.options), names);
    ASSERT_TRUE(built) << problem.name << ", " << to_string(config) << ": "
                       << built.error().message;
    EXPECT_FALSE(built->names[0].empty());
  }
}

TEST_F(CudaProblem, IsAProgramInCuda) {
  const auto problem = load(kCudaT1);
  ASSERT_TRUE(problem) << problem.error().message;
  const ir::Program& program = problem->sequence.def().programs[0];
  EXPECT_EQ(program.name, "scale");
  EXPECT_EQ(program.source->language, ir::Language::cuda);
  EXPECT_EQ(program.source->options, "--use_fast_math -std=c++11");
  const auto plan = planned(*problem, {{"block", std::int64_t{64}}, {"items", std::int64_t{4}}});
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
  expect_compiles(*problem, 3, "sm_80");
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

TEST_F(CudaProblem, IsRefusedByDevicesThatCannotRunIt) {
  const auto cuda = load(kCudaT1);
  ASSERT_TRUE(cuda) << cuda.error().message;
  const auto on_opencl =
      planned(*cuda, cuda->space.config_at(cuda->default_index), ir::Language::opencl_c);
  ASSERT_FALSE(on_opencl);
  EXPECT_EQ(on_opencl.error().message,
            "\"scale\" is written in CUDA C++, but this device runs OpenCL C; use a CUDA device "
            "(`vyre devices` lists all), or port the kernel");
  const auto hip = load(with(R"("Language": "CUDA")", R"("Language": "HIP")"));
  ASSERT_TRUE(hip) << hip.error().message;
  EXPECT_EQ(hip->sequence.def().programs[0].source->language, ir::Language::hip);
  const auto on_cuda = planned(*hip, hip->space.config_at(hip->default_index));
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

// ---- Published problems, with kernels of ours that fit them ----

struct HubProblem {
  const char* t1;      // of the shared data
  const char* kernel;  // of hub_kernels/
  bool contradicts;    // whether GlobalSize and GridDiv disagree
};

void PrintTo(const HubProblem& problem, std::ostream* out) { *out << problem.t1; }

class HubCuda : public ::testing::TestWithParam<HubProblem> {
 protected:
  // The T1 file with our kernel beside it, under the name that it wants.
  Expected<Problem> load() {
    const auto shared = testing::shared_dir(VYRE_SOURCE_DIR);
    const fs::path source = fs::path(VYRE_SOURCE_DIR) / "src/problems/hub_kernels";
    auto t1 = read_file(*shared / "search/t1" / GetParam().t1, kMostKernelBytes);
    if (!t1) return std::unexpected(t1.error());
    auto kernel = read_file(source / GetParam().kernel, kMostKernelBytes);
    if (!kernel) return std::unexpected(kernel.error());
    auto parsed = recording::parse_t1(*t1, GetParam().t1);
    if (!parsed) return std::unexpected(parsed.error());
    const fs::path beside = folder_.path() / parsed->kernel.kernel_file;
    fs::create_directories(beside.parent_path());
    EXPECT_TRUE(write_file_atomically(beside, *kernel));
    EXPECT_TRUE(write_file_atomically(folder_.path() / GetParam().t1, *t1));
    return load_problem(folder_.path() / GetParam().t1);
  }

  testing::TemporaryFolder folder_;
};

TEST_P(HubCuda, LoadsAndCompiles) {
  if (!testing::shared_dir(VYRE_SOURCE_DIR)) {
    GTEST_SKIP() << "the shared problems are not beside the checkout";
  }
  const auto problem = load();
  ASSERT_TRUE(problem) << problem.error().message;
  const auto warns = [](const std::string& w) { return w.starts_with("GlobalSize.X"); };
  EXPECT_EQ(std::ranges::any_of(problem->warnings, warns), GetParam().contradicts);
  if (!testing::has_nvrtc()) GTEST_SKIP() << testing::kNoNvrtc;
  for (const char* architecture : {"sm_80", "sm_90"}) {
    expect_compiles(*problem, testing::cases(3, 20), architecture);
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, HubCuda,
    ::testing::Values(HubProblem{"convolution.json", "convolution.cu", true},
                      HubProblem{"dedispersion_milo.json", "dedispersion.cu", true},
                      HubProblem{"hotspot_milo.json", "hotspot.cu", false},
                      HubProblem{"pnpoly.json", "pnpoly.cu", true}),
    [](const auto& one) { return fs::path(one.param.kernel).stem().string(); });

// ---- The twins of the bundled kernels ----

class CudaTwin : public ::testing::TestWithParam<std::string> {};

TEST_P(CudaTwin, HasTheSpaceOfTheOpenclKernel) {
  const auto twin =
      load_problem(fs::path(VYRE_SOURCE_DIR) / "kernels" / (GetParam() + "_cuda.json"));
  ASSERT_TRUE(twin) << twin.error().message;
  EXPECT_THAT(twin->warnings, ::testing::IsEmpty());
  const auto original = bundled_problem(GetParam());
  ASSERT_TRUE(original) << original.error().message;
  EXPECT_EQ(twin->space.parameters(), original->space.parameters());
  EXPECT_EQ(twin->space.size(), original->space.size());
  EXPECT_EQ(twin->default_index, original->default_index);
  EXPECT_EQ(*twin->inputs, *original->inputs);
}

TEST_P(CudaTwin, Compiles) {
  if (!testing::has_nvrtc()) GTEST_SKIP() << testing::kNoNvrtc;
  const auto twin = bundled_problem(GetParam(), {}, ir::Language::cuda);
  ASSERT_TRUE(twin) << twin.error().message;
  expect_compiles(*twin, testing::cases(3, 20), "sm_80");
}

TEST(BundledProblems, AreInTheLanguageOfTheDevice) {
  const auto language = [](std::string_view name, ir::Language wanted) {
    const auto problem = bundled_problem(name, {}, wanted);
    EXPECT_TRUE(problem) << problem.error().message;
    const auto& source = problem->sequence.def().programs[0].source;
    return source ? std::optional(source->language) : std::nullopt;
  };
  for (const auto wanted : {ir::Language::opencl_c, ir::Language::cuda, ir::Language::hip}) {
    EXPECT_EQ(language("stencil", wanted), wanted);
    EXPECT_EQ(language("saxpy", wanted), std::nullopt);
  }
}

INSTANTIATE_TEST_SUITE_P(All, CudaTwin, ::testing::Values("conv2d", "stencil", "transpose"),
                         [](const auto& one) { return one.param; });

}  // namespace
}  // namespace vyre
