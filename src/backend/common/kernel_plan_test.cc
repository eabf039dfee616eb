// Plans for a language that is not OpenCL C: nothing in them belongs to one interface.

#include "backend/common/kernel_plan.h"

#include <gtest/gtest.h>

namespace vyre::backend {
namespace {

Expected<std::string> emit_entries(std::span<const emit::KernelSource> kernels) {
  std::string out;
  for (const emit::KernelSource& kernel : kernels) out += "kernel " + kernel.entry + "\n";
  return out;
}

constexpr KernelLanguage kLanguage{emit_entries, "-toy"};

ir::Program parsed(const std::string& text) {
  const auto program = ir::parse_program(text);
  EXPECT_TRUE(program) << program.error().message;
  return *program;
}

std::string described(const KernelPlan& plan) {
  std::string out;
  for (const Parameter& p : plan.parameters) {
    constexpr std::string_view kinds = "bslc";
    out += kinds[static_cast<std::size_t>(p.kind)] + std::to_string(p.index) + ":" + p.name + ":" +
           std::to_string(p.bytes) + " ";
  }
  return out;
}

TEST(KernelPlans, PassBuffersThenSymbolsOfAnEmittedProgram) {
  const ir::Program program = parsed(
      "program p {\n  shape n: u32\n  tunable t: u32 = 4u\n  scalar a: f32\n  read x: f32[n]\n"
      "  local l: f32[t]\n  write y: f32[n]\n  y[0u] = a\n}\n");
  const auto plan =
      plan_kernel(program, {.symbols = {0, 4, 0}, .workgroup = {32, 2, 1}}, kLanguage);
  ASSERT_TRUE(plan) << plan.error().message;
  EXPECT_EQ(plan->source.text, "kernel k_p\n");
  EXPECT_EQ(plan->source.options, "-toy");
  EXPECT_EQ(plan->source.workgroup, (Extent{32, 2, 1}));
  EXPECT_EQ(plan->entry, "k_p");
  EXPECT_EQ(described(*plan), "b0:x:0 b1:y:0 s0:n:4 s2:a:4 ");
  EXPECT_EQ(plan->buffers, 2U);
  EXPECT_EQ(plan->symbols, 3U);
}

constexpr const char* kCudaSource = R"(program scale {
  shape n: u32
  tunable block: u32 = 64u
  tunable fast: bool = false
  read_write x: f32[n]
  read filter: f32[9u]
  local tile: f32[block]
  workgroup [block]
  source cuda "scale<float, block, fast, my_block>"(x, filter = "d_filter", tile, n) options "-w"
    "text"
}
)";

TEST(KernelPlans, KnowTheArgumentsOfACudaSource) {
  const KernelLanguage cuda{emit_entries, "", ir::Language::cuda};
  const auto plan =
      plan_kernel(parsed(kCudaSource), {.symbols = {0, 128, 1}, .workgroup = {128, 1, 1}}, cuda);
  ASSERT_TRUE(plan) << plan.error().message;
  EXPECT_EQ(plan->entry, "scale<float, 128, 1, my_block>");
  EXPECT_EQ(plan->source.options,
            "-w -Dblock=128 -Dfast=1 -DVYRE_WORKGROUP_X=128 -DVYRE_WORKGROUP_Y=1 "
            "-DVYRE_WORKGROUP_Z=1");
  EXPECT_EQ(described(*plan), "b0:x:0 c1:d_filter:0 l0:tile:512 s0:n:4 ");
}

TEST(KernelPlans, NameTheSourceForTheCompiler) {
  const KernelLanguage cuda{emit_entries, "", ir::Language::cuda};
  const Specialisation fixed{.symbols = {0, 64, 0}, .workgroup = {64, 1, 1}};
  ir::Program program = parsed(kCudaSource);
  EXPECT_EQ(plan_kernel(program, fixed, cuda)->source.text, "#line 1 \"scale\"\ntext");
  program.source->file = "scale_and_add.cu";
  EXPECT_EQ(plan_kernel(program, fixed, cuda)->source.text, "#line 1 \"scale_and_add.cu\"\ntext");
}

TEST(KernelPlans, DefineWordsOfOpenclInTheText) {
  ir::Program program = parsed(kCudaSource);
  program.source->language = ir::Language::opencl_c;
  program.source->entry = "scale";
  program.symbols[2].name = "read_only";
  const auto plan =
      plan_kernel(program, {.symbols = {0, 128, 1}, .workgroup = {128, 1, 1}}, kLanguage);
  ASSERT_TRUE(plan) << plan.error().message;
  EXPECT_EQ(plan->source.text, "#define read_only 1\n#line 1 \"scale\"\ntext");
  EXPECT_EQ(plan->source.options,
            "-w -Dblock=128 -DVYRE_WORKGROUP_X=128 -DVYRE_WORKGROUP_Y=1 -DVYRE_WORKGROUP_Z=1");
}

// What the text declares as a specialisation constant is not defined as well.
TEST(KernelPlans, LeaveAShaderItsVersionAndItsConstants) {
  const KernelLanguage glsl{emit_entries, "", ir::Language::glsl};
  const Specialisation fixed{.symbols = {0, 64, 0x3e800000}, .workgroup = {64, 1, 1}};
  ir::Program program = parsed(kCudaSource);
  program.source->language = ir::Language::glsl;
  program.symbols[2].type = ir::Scalar::f32;
  program.source->text =
      "#version 450\nlayout(constant_id = 0) const uint my_block = 1;\n"
      "layout(constant_id = 1) const uint block = 64;\n";
  auto plan = plan_kernel(program, fixed, glsl);
  ASSERT_TRUE(plan) << plan.error().message;
  EXPECT_EQ(plan->source.text, program.source->text);
  EXPECT_EQ(plan->source.options,
            "-w -Dfast=0.25 -DVYRE_WORKGROUP_X=64 -DVYRE_WORKGROUP_Y=1 -DVYRE_WORKGROUP_Z=1");
  program.source->text = "// ours\n#version 450\n#line 1 \"part.glsl\"\nint x;\n";
  plan = plan_kernel(program, fixed, glsl);
  ASSERT_TRUE(plan) << plan.error().message;
  EXPECT_EQ(plan->source.text,
            "// ours\n#version 450\n#extension GL_GOOGLE_cpp_style_line_directive : require\n"
            "#line 3\n#line 1 \"part.glsl\"\nint x;\n");
}

TEST(KernelPlans, RefuseSourcesInAnotherLanguage) {
  ir::Program program = parsed(kCudaSource);
  const Specialisation fixed{.symbols = {0, 64, 0}, .workgroup = {64, 1, 1}};
  const auto on_opencl = plan_kernel(program, fixed, kLanguage);
  ASSERT_FALSE(on_opencl);
  EXPECT_EQ(on_opencl.error().kind, ErrorKind::rejected);
  EXPECT_EQ(on_opencl.error().message,
            "\"scale\" is written in CUDA C++, but this device runs OpenCL C; use a CUDA device "
            "(`vyre devices` lists all), or port the kernel");
  program.source->language = ir::Language::hip;
  const auto on_cuda = plan_kernel(program, fixed, {emit_entries, "", ir::Language::cuda});
  ASSERT_FALSE(on_cuda);
  EXPECT_EQ(on_cuda.error().message,
            "\"scale\" is written in HIP C++, but this device runs CUDA C++; use a HIP device "
            "(`vyre devices` lists all), or port the kernel");
}

TEST(KernelPlans, HandOnTheEmittersError) {
  const KernelLanguage broken{
      [](std::span<const emit::KernelSource>) -> Expected<std::string> {
        return std::unexpected(Error{.message = "no such thing in this language"});
      },
      ""};
  const auto plan = plan_kernel(parsed("program p {\n}\n"), {}, broken);
  ASSERT_FALSE(plan);
  EXPECT_EQ(plan.error().message, "no such thing in this language");
}

}  // namespace
}  // namespace vyre::backend
