// The real NVRTC, where there is one: what it takes, what it gives, what it says of mistakes.

#include <gtest/gtest.h>

#include <algorithm>

#include "backend/cuda/compiler.h"
#include "testing/test_tools.h"

namespace vyre::backend::cuda {
namespace {

class Nvrtc : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto library = testing::nvrtc_library();
    if (!library) GTEST_SKIP() << "there is no NVRTC; run tools/setup --all";
    auto loaded = Compiler::load(Api::cuda, library->string());
    ASSERT_TRUE(loaded) << loaded.error().message;
    compiler_ = loaded->front();
  }

  CompileRequest request(const std::string& text, const std::string& entry,
                         Form form = Form::binary) const {
    return {.name = "example",
            .text = text,
            .entry = entry,
            .architecture = form == Form::binary ? "sm_80" : "compute_80",
            .form = form};
  }

  std::string message(const CompileRequest& wanted) const {
    const auto image = compiler_->compile(wanted);
    if (image) return "";
    EXPECT_EQ(image.error().kind, ErrorKind::rejected);
    return image.error().message;
  }

  std::shared_ptr<const Compiler> compiler_;
};

constexpr const char* kScaleText = R"(
__constant__ float weights[4];
namespace mine {
__constant__ int offset;
template <class T, int kTimes>
__global__ void scale(T* y, const T* x, unsigned n, unsigned char add) {
  extern __shared__ T tile[];
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  tile[threadIdx.x] = i < n ? x[i] : T(0);
  __syncthreads();
  if (i < n) y[i] = tile[threadIdx.x] * T(kTimes) * T(weights[i % 4]) + T(add + offset);
}
}
)";

TEST_F(Nvrtc, SaysWhatItIs) {
  EXPECT_TRUE(compiler_->name().starts_with("NVRTC 1")) << compiler_->name();
  const auto& known = compiler_->architectures();
  EXPECT_TRUE(std::ranges::is_sorted(known));
  for (const int architecture : {75, 80, 90}) {
    EXPECT_TRUE(std::ranges::binary_search(known, architecture)) << architecture;
  }
  EXPECT_NE(compiler_->build().find("libnvrtc"), std::string::npos) << compiler_->build();
}

TEST_F(Nvrtc, CompilesTemplatesToBinariesThatTellTheirParameters) {
  CompileRequest wanted = request(kScaleText, "mine::scale<double, 2>");
  wanted.constants = {"weights", "mine::offset"};
  const auto image = compiler_->compile(wanted);
  ASSERT_TRUE(image) << image.error().message;
  EXPECT_TRUE(
      image->bytes.starts_with("\x7f"
                               "ELF"));
  EXPECT_NE(image->entry.find("scale"), std::string::npos);
  EXPECT_NE(image->entry, wanted.entry) << "mangled";
  EXPECT_EQ(image->constants.at(0), "weights");
  EXPECT_NE(image->constants.at(1), "mine::offset") << "mangled";
  EXPECT_EQ(image->parameters, (std::vector<std::uint32_t>{8, 8, 4, 1}));
}

TEST_F(Nvrtc, CompilesToPtx) {
  const auto image = compiler_->compile(request(kScaleText, "mine::scale<float, 2>", Form::ptx));
  ASSERT_TRUE(image) << image.error().message;
  EXPECT_NE(image->bytes.find(".target sm_80"), std::string::npos) << image->bytes.substr(0, 400);
  EXPECT_NE(image->bytes.find(".entry " + image->entry), std::string::npos);
  EXPECT_EQ(image->parameters, (std::vector<std::uint32_t>{8, 8, 4, 1}));
}

TEST_F(Nvrtc, TakesOptions) {
  CompileRequest wanted =
      request("__global__ void k(float* y, float a) { *y = TIMES * a + 1.5f; }", "k", Form::ptx);
  EXPECT_TRUE(message(wanted).starts_with("\"example\" does not compile: example.cu(1): error: "))
      << message(wanted);
  wanted.options = {"-DTIMES=a", "--fmad=false"};
  const auto apart = compiler_->compile(wanted);
  ASSERT_TRUE(apart) << apart.error().message;
  EXPECT_EQ(apart->bytes.find("fma.rn"), std::string::npos);
  wanted.options = {"-DTIMES=a"};
  const auto fused = compiler_->compile(wanted);
  ASSERT_TRUE(fused) << fused.error().message;
  EXPECT_NE(fused->bytes.find("fma.rn"), std::string::npos);
}

TEST_F(Nvrtc, MistakesAreOneLine) {
  EXPECT_EQ(message(request("__global__ void k() { int x = ; }", "k")),
            "\"example\" does not compile: example.cu(1): error: expected an expression");
  const std::string missing = message(request("__global__ void k() {}", "kk"));
  EXPECT_NE(missing.find("\"kk\""), std::string::npos) << missing;
  CompileRequest wrong = request("__global__ void k() {}", "k");
  wrong.options = {"--no-such-option"};
  const std::string option = message(wrong);
  EXPECT_NE(option.find("no-such-option"), std::string::npos) << option;
  const std::string too_much =
      message(request("__global__ void k(int* y) { __shared__ int a[20000]; a[threadIdx.x] = *y; "
                      "__syncthreads(); *y = a[*y]; }",
                      "k"));
  EXPECT_NE(too_much.find("uses too much shared data"), std::string::npos) << too_much;
}

// A toolkit's headers lie beside its libraries.
TEST_F(Nvrtc, FindsTheToolkitsHeaders) {
  if (!testing::cuda_include_dir()) GTEST_SKIP() << "no headers of CUDA; run tools/setup --all";
  const auto image = compiler_->compile(request(
      "#include <cuda_fp16.h>\n__global__ void k(__half* y) { *y = __hadd(*y, *y); }", "k"));
  ASSERT_TRUE(image) << image.error().message;
}

}  // namespace
}  // namespace vyre::backend::cuda
