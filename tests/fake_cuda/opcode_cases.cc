#include "fake_cuda/opcode_cases.h"

#include "fake_cuda/card.h"

namespace vyre::fake_cuda_test {
namespace {

// Declares registers 1 to 3 of every kind and fills them from the parameters.
constexpr const char* kPrologue = R"((
  .param .u64 out, .param .u64 a, .param .u64 b, .param .u64 c)
{
  .reg .pred %p<8>;
  .reg .b16 %rs<8>;
  .reg .b32 %r<8>;
  .reg .b64 %rd<8>;
  .reg .f32 %f<8>;
  .reg .f64 %fd<8>;
  ld.param.u64 %rd7, [out];
  ld.param.u64 %rd1, [a];
  ld.param.u64 %rd2, [b];
  ld.param.u64 %rd3, [c];
  cvt.u32.u64 %r1, %rd1;
  cvt.u32.u64 %r2, %rd2;
  cvt.u32.u64 %r3, %rd3;
  cvt.u16.u64 %rs1, %rd1;
  cvt.u16.u64 %rs2, %rd2;
  cvt.u16.u64 %rs3, %rd3;
  mov.b32 %f1, %r1;
  mov.b32 %f2, %r2;
  mov.b32 %f3, %r3;
  mov.b64 %fd1, %rd1;
  mov.b64 %fd2, %rd2;
  mov.b64 %fd3, %rd3;
  setp.ne.s64 %p1, %rd1, 0;
  setp.ne.s64 %p2, %rd2, 0;
  setp.ne.s64 %p3, %rd3, 0;
  )";

std::string epilogue_of(const std::string& text) {
  const auto names = [&text](const char* name) { return text.find(name) != std::string::npos; };
  if (names("%p4")) return "selp.u32 %r4, 1, 0, %p4;\n  st.global.u32 [%rd7], %r4;\n  ret;\n}\n";
  if (names("%rs4")) return "st.global.u16 [%rd7], %rs4;\n  ret;\n}\n";
  if (names("%rd4")) return "st.global.u64 [%rd7], %rd4;\n  ret;\n}\n";
  if (names("%fd4")) return "st.global.f64 [%rd7], %fd4;\n  ret;\n}\n";
  if (names("%f4")) return "st.global.f32 [%rd7], %f4;\n  ret;\n}\n";
  return "st.global.u32 [%rd7], %r4;\n  ret;\n}\n";
}

}  // namespace

std::string kernel_of(const OpcodeCase& tested, const std::string& name) {
  return ".visible .entry " + name + kPrologue + tested.text + "\n  " + epilogue_of(tested.text);
}

void expect_results(std::span<const OpcodeCase> cases) {
  Card card;
  std::string text = header();
  for (std::size_t at = 0; at < cases.size(); ++at) {
    text += kernel_of(cases[at], "k" + std::to_string(at));
  }
  const DriverModule module = card.load(text);
  ASSERT_NE(module, nullptr) << card.log;
  for (std::size_t at = 0; at < cases.size(); ++at) {
    const OpcodeCase& tested = cases[at];
    const DriverPointer out = card.buffer(std::vector<std::uint64_t>{0});
    EXPECT_EQ(card.launch(card.function(module, "k" + std::to_string(at)), {}, out, tested.a,
                          tested.b, tested.c),
              0)
        << tested.text << ": " << last_fault();
    const std::uint64_t result = card.read<std::uint64_t>(out, 1)[0];
    EXPECT_EQ(result, tested.result)
        << tested.text << std::hex << " a=0x" << tested.a << " b=0x" << tested.b << " c=0x"
        << tested.c << " gives 0x" << result << ", not 0x" << tested.result;
  }
}

}  // namespace vyre::fake_cuda_test
