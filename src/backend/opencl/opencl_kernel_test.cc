// Users' kernels in OpenCL C on a real device.

#include "backend/opencl/opencl_kernel.h"

#include <gtest/gtest.h>

#include <fstream>

#include "backend/owned_call.h"
#include "testing/scale_kernel.h"
#include "testing/temporary_folder.h"
#include "vyre/builder.h"
#include "vyre/call.h"

namespace vyre::backend {
namespace {

using testing::block_of;
using testing::kScale;
using testing::kScaled;
using testing::open_first;
using testing::run_scale;
using testing::scale;
using testing::ScaleOptions;

TEST(opencl_sources, RunWithAnyElementScalarsLocalMemoryAndTunables) {
  const auto device = open_first();
  for (const std::int64_t size : {1, 8, 64}) {
    const auto y = run_scale(device, scale(), block_of(size));
    ASSERT_TRUE(y) << y.error().message;
    EXPECT_EQ(*y, kScaled);
  }
}

// Runs in a row are as in an application: nobody clears an output between them.
TEST(opencl_sources, RunAgainOnWhatTheLastRunLeft) {
  auto program = ir::from_source(
      "count",
      {.text = "kernel void count(global uint* y, uint n) { if (get_global_id(0) < n) ++*y; }",
       .entry = "count",
       .arguments = {{"y"}, {"n"}}},
      [](ir::Builder& b) {
        b.write(ir::u32, "y", 1);
        b.scalar(ir::Scalar::u32, "n");
      });
  ASSERT_TRUE(program) << program.error().message;
  const auto sequence = ir::Sequence::make(*std::move(program));
  ASSERT_TRUE(sequence) << sequence.error().message;
  const std::vector<Argument> arguments{{"n", 1}};
  const auto call = OwnedCall::make(open_first(), *sequence, {.arguments = arguments});
  ASSERT_TRUE(call) << call.error().message;
  ASSERT_TRUE((*call)->write_inputs({}));
  const auto counted = [&] {
    Outputs outputs;
    EXPECT_TRUE((*call)->read_outputs(outputs));
    return values_of<std::uint32_t>(outputs.at(0)).at(0);
  };
  std::uint64_t elapsed_ns = 0;
  ASSERT_TRUE((*call)->run());
  EXPECT_EQ(counted(), 1U);
  ASSERT_TRUE((*call)->run_again(&elapsed_ns));
  EXPECT_EQ(counted(), 2U);
  EXPECT_GT(elapsed_ns, 0U);
  ASSERT_TRUE((*call)->run());
  EXPECT_EQ(counted(), 1U);
}

TEST(opencl_sources, AreRefusedByTheInterpreter) {
  const auto y = run_scale(open_reference(), scale());
  ASSERT_FALSE(y);
  EXPECT_EQ(y.error().kind, ErrorKind::rejected);
  EXPECT_EQ(y.error().message,
            "\"scale\" is opencl_c, which the interpreter cannot run; use an OpenCL device");
}

struct Mistake {
  const char* name;
  ScaleOptions options;
  std::int64_t block;
  std::string message;  // its beginning
};

TEST(opencl_sources, MistakesAreRejectedWithWhatToDo) {
  const std::string text = kScale;
  const std::vector<Mistake> mistakes = {
      {"syntax",
       {.text = text + "\nkernel void f() { foo = 1; }"},
       64,
       "\"scale\" does not compile: "},
      {"entry",
       {.entry = "scales"},
       64,
       "\"scale\" has no kernel \"scales\"; it has: scale; did you mean \"scale\"?"},
      {"count",
       {.arguments = {{"y"}, {"x"}, {"tile"}, {"n"}, {"factor"}}},
       64,
       "\"scale\": the kernel has 6 parameters, 5 are passed; make them agree"},
      {"size",
       {.arguments = {{"y"}, {"x"}, {"tile"}, {"n"}, {"factor", 4}, {"offset", 1}}},
       64,
       "\"scale\": \"factor\" with 4 bytes does not fit parameter 4 of the kernel"},
      {"workgroup", {}, 1 << 20, "\"scale\": a workgroup of 1048576 on axis 0; the device takes 1"},
  };
  const auto device = open_first();
  for (const Mistake& m : mistakes) {
    const auto y = run_scale(device, scale(m.options), block_of(m.block));
    ASSERT_FALSE(y) << m.name;
    EXPECT_EQ(y.error().kind, ErrorKind::rejected) << m.name;
    EXPECT_TRUE(y.error().message.starts_with(m.message)) << y.error().message;
    EXPECT_EQ(y.error().message.find('\n'), std::string::npos);
  }
}

TEST(opencl_sources, SyntaxErrorsComeWithTheCompilersWords) {
  const auto y = run_scale(open_first(), scale({.text = "kernel void scale() { foo = 1; }"}));
  ASSERT_FALSE(y);
  EXPECT_NE(y.error().message.find("foo"), std::string::npos) << y.error().message;
}

// These run on every implementation of OpenCL (cmake/tests.cmake): each has its own way to name a
// text that comes from no file.
std::string compile_error(const ScaleOptions& options) {
  const auto y = run_scale(open_first(), scale(options));
  EXPECT_FALSE(y);
  return y ? "" : y.error().message;
}

TEST(opencl_messages, NameTheUsersFileAndItsLine) {
  const std::string text = "\n\nkernel void scale() {\n  foo = 1;\n  int y = bar;\n}\n";
  const std::string unnamed = compile_error({.text = text});
  EXPECT_NE(unnamed.find("scale:4:"), std::string::npos) << unnamed;
  const std::string named = compile_error({.text = text, .file = "twice it.cl"});
  EXPECT_NE(named.find("twice it.cl:4:"), std::string::npos) << named;
  EXPECT_NE(named.find("twice it.cl:5:"), std::string::npos) << "all errors: " << named;
  EXPECT_EQ(named.find("/"), std::string::npos) << "no file of the compiler's: " << named;
}

TEST(opencl_messages, NameAnIncludedFile) {
  const testing::TemporaryFolder folder;
  std::ofstream(folder / "part.h") << "// one\nint part(int x) { return y; }\n";
  const std::string text = "// one\n#include \"part.h\"\nkernel void scale() {\n  foo = 1;\n}\n";
  const std::string message =
      compile_error({.text = text, .options = "-I" + folder.path().string(), .file = "twice.cl"});
  EXPECT_NE(message.find("part.h:2:"), std::string::npos) << message;
  EXPECT_NE(message.find("twice.cl:4:"), std::string::npos) << message;
}

}  // namespace
}  // namespace vyre::backend
