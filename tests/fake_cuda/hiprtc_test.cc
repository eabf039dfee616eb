// The real hipRTC, where there is one. These tests stand here and not beside what they test,
// because a process that has loaded both hipRTC and PoCL aborts when it compiles with hipRTC: each
// brings an LLVM, and one of them finds its options registered already (HIP 5.2, PoCL 3.1).

#include <gtest/gtest.h>

#include "backend/cuda/compiler.h"
#include "emit/cuda/cuda_cpp.h"
#include "testing/compiled_problem.h"
#include "testing/golden_programs.h"
#include "testing/nvrtc_compile.h"
#include "testing/soak.h"
#include "testing/test_tools.h"

namespace vyre::backend::cuda {
namespace {

// The number behind a name in the notes of a code object, where AMD's compiler says what a kernel
// takes (MessagePack: one byte up to 127, else a byte for the width and the number, high end
// first).
std::optional<std::uint64_t> noted(std::string_view code, std::string_view name) {
  const std::size_t found = code.find(name);
  if (found == code.npos) return std::nullopt;
  const auto byte = [&](std::size_t k) {
    return std::uint64_t{static_cast<unsigned char>(code.substr(found + name.size() + k)[0])};
  };
  if (byte(0) < 0x80) return byte(0);
  std::uint64_t out = 0;
  const std::size_t width = std::size_t{1} << (byte(0) - 0xcc);
  for (std::size_t k = 1; k <= width; ++k) out = out << 8U | byte(k);
  return out;
}

TEST(Hiprtc, CompilesForCardsThatAreNotThere) {
  const auto library = testing::hiprtc_library();
  if (!library) GTEST_SKIP() << "there is no hipRTC; run tools/setup --all";
  const auto loaded = Compiler::load(Api::hip, library->string());
  ASSERT_TRUE(loaded) << loaded.error().message;
  const Compiler& compiler = *loaded->front();
  EXPECT_TRUE(compiler.name().starts_with("hipRTC ")) << compiler.name();
  CompileRequest request{.name = "example",
                         .text =
                             "template <int kTimes> __global__ void k(float* y) { "
                             "y[threadIdx.x] *= kTimes; }",
                         .entry = "k<3>",
                         .options = {"-ffp-contract=off"}};
  for (const char* architecture : {"gfx906", "gfx90a"}) {
    request.architecture = architecture;
    const auto image = compiler.compile(request);
    ASSERT_TRUE(image) << architecture << ": " << image.error().message;
    EXPECT_EQ(image->form, Form::binary);
    EXPECT_EQ(image->parameters, std::nullopt);
    EXPECT_NE(image->bytes.find(image->entry), std::string::npos) << image->entry;
    EXPECT_GT(noted(image->bytes, ".vgpr_count").value_or(0), 0U);
    EXPECT_LE(noted(image->bytes, ".vgpr_count").value_or(999), 512U);
    EXPECT_EQ(noted(image->bytes, ".vgpr_spill_count"), 0U);
    EXPECT_EQ(noted(image->bytes, ".private_segment_fixed_size"), 0U);
  }
  request.text = "__global__ void k() { int x = ; }";
  request.entry = "k";
  const auto wrong = compiler.compile(request);
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().kind, ErrorKind::rejected);
  EXPECT_NE(wrong.error().message.find("expected expression"), std::string::npos)
      << wrong.error().message;
}

class CompiledHip : public ::testing::TestWithParam<std::string> {};

TEST_P(CompiledHip, AllProgramsCompile) {
  if (!testing::has_hiprtc()) GTEST_SKIP() << testing::kNoHiprtc;
  const auto text = testing::all_emitted(emit::cuda_cpp, VYRE_SOURCE_DIR);
  ASSERT_TRUE(text) << text.error().message;
  const auto built = testing::hiprtc_compile(*text, GetParam(), testing::hiprtc_program_options());
  ASSERT_TRUE(built) << built.error().message;
  EXPECT_FALSE(built->code.empty());
}

INSTANTIATE_TEST_SUITE_P(Amd, CompiledHip, ::testing::Values("gfx906", "gfx90a"),
                         [](const auto& one) { return one.param; });

TEST(HipTwins, Compile) {
  if (!testing::has_hiprtc()) GTEST_SKIP() << testing::kNoHiprtc;
  for (const char* name : {"conv2d", "stencil", "transpose"}) {
    const auto twin = bundled_problem(name, {}, ir::Language::hip);
    ASSERT_TRUE(twin) << twin.error().message;
    const auto compiled = testing::compile_configurations(*twin, testing::cases(1, 20), "gfx90a");
    EXPECT_TRUE(compiled) << compiled.error().message;
  }
}

}  // namespace
}  // namespace vyre::backend::cuda
