// The real hipRTC, where there is one: the same compiler interface over its functions. It stands
// here and not beside the compiler, because hipRTC and PoCL each have an LLVM of their own, and a
// process that compiles with both aborts (HIP 5.2, PoCL 3.1).

#include <gtest/gtest.h>

#include "backend/cuda/compiler.h"
#include "testing/test_tools.h"

namespace vyre::backend::cuda {
namespace {

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
  }
  request.text = "__global__ void k() { int x = ; }";
  request.entry = "k";
  const auto wrong = compiler.compile(request);
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().kind, ErrorKind::rejected);
  EXPECT_NE(wrong.error().message.find("expected expression"), std::string::npos)
      << wrong.error().message;
}

}  // namespace
}  // namespace vyre::backend::cuda
