// What a kernel or a PTX text does wrong, and how it is told.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "fake_cuda/card.h"
#include "testing/soak.h"

namespace vyre::fake_cuda_test {
namespace {

using ::testing::HasSubstr;

std::string faulty(const std::string& body) {
  return header() + ".visible .entry k(.param .u64 out)\n{\n" +
         ".reg .pred %p<9>; .reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .f32 %f<9>;\n" +
         "ld.param.u64 %rd1, [out];\nmov.u32 %r1, %tid.x;\nsetp.eq.u32 %p1, %r1, 1;\n" + body +
         "\nret;\n}\n";
}

struct FaultCase {
  const char* name;
  const char* body;
  int error;
  const char* text;
};

constexpr std::array kFaults{
    FaultCase{"ReadBehindTheEnd", "ld.global.u32 %r2, [%rd1+16];", 700,
              "a read of 4 bytes at 0x20000000010 is outside of all memory; block (0, 0, 0), "
              "thread (0, 0, 0)"},
    FaultCase{"ReadBeforeTheStart", "ld.global.u32 %r2, [%rd1+-4];", 700, "a read of 4 bytes"},
    FaultCase{"VectorOverTheEnd", "ld.global.v4.u32 {%r2,%r3,%r4,%r5}, [%rd1+16];", 700,
              "a read of 16 bytes"},
    FaultCase{"WriteToNull", "st.global.u32 [0], %r1;", 700, "a write of 4 bytes at 0x0 is"},
    FaultCase{"AtomicOutside", "red.global.add.u32 [%rd1+4096], 1;", 700, "a write of 4 bytes"},
    FaultCase{"Misaligned", "ld.global.u32 %r2, [%rd1+2];", 716,
              "an access of 4 bytes at 0x20000000002 is misaligned"},
    FaultCase{"MisalignedVector", "ld.global.v2.u32 {%r2, %r3}, [%rd1+4];", 716,
              "an access of 8 bytes"},
    FaultCase{"SharedOutside", ".shared .align 4 .b8 s[8]; st.shared.u32 [s+8], 1;", 700,
              "a write of 4 bytes at 0x8"},
    FaultCase{"SharedAsGlobal",
              ".shared .align 4 .b8 s[8]; cvta.shared.u64 %rd2, 0; ld.global.u32 %r2, [%rd2];", 700,
              "a read of 4 bytes at 0x10000000000"},
    FaultCase{"LocalOutside",
              ".local .align 4 .b8 d[8]; mov.u64 %rd2, d; ld.local.u32 %r2, [%rd2+8];", 700,
              "a read of 4 bytes at 0x8"},
    FaultCase{"WriteToParameters", "cvta.param.u64 %rd2, out; st.u32 [%rd2], 1;", 700,
              "a write of 4 bytes"},
    FaultCase{"Trap", "@%p1 trap;", 719, "a trap; block (0, 0, 0), thread (1, 0, 0)"},
    FaultCase{"DivergentBarrier", "@%p1 bra OTHER; bar.sync 0; bra DONE; OTHER: bar.sync 0; DONE:",
              719, "threads of a block stand at different barriers"},
    FaultCase{"AnotherNumber", "@%p1 bra OTHER; barrier.sync 1; OTHER: barrier.sync 2;", 719,
              "threads of a block stand at different barriers"},
    FaultCase{"CountedBarrier", "barrier.sync 1, 32;", 719,
              "fewer threads reach a barrier than it counts"},
    FaultCase{"MissingLane", "@%p1 bar.sync 0; bar.warp.sync 15;", 719,
              "lanes that an operation of the warp names never reach it"},
    FaultCase{"TableOfBranches", "T: .branchtargets A; mov.u32 %r2, 7; brx.idx %r2, T; A:", 715,
              "branch 7 of a table of 1"},
};

class FaultTable : public ::testing::TestWithParam<FaultCase> {};

TEST_P(FaultTable, EndTheLaunchAndStayInTheContext) {
  Card card;
  const DriverModule module = card.load(faulty(GetParam().body));
  ASSERT_NE(module, nullptr) << card.log;
  const DriverPointer out = card.buffer(std::vector<std::uint32_t>(4));
  ASSERT_EQ(out, 0x20000000000U);
  EXPECT_EQ(card.launch(card.function(module, "k"), {{1, 1, 1}, {4, 1, 1}, 0}, out),
            GetParam().error);
  EXPECT_THAT(last_fault(), HasSubstr("k, line "));
  EXPECT_THAT(last_fault(), HasSubstr(GetParam().text));
  // As on a card, nothing works in this context any more.
  DriverPointer more = 0;
  EXPECT_EQ(driver().memory_allocate(&more, 4), GetParam().error);
  EXPECT_EQ(driver().stream_finish(nullptr), GetParam().error);
  int device = -1;
  EXPECT_EQ(driver().context_device(&device), 0);
}

INSTANTIATE_TEST_SUITE_P(Ptx, FaultTable, ::testing::ValuesIn(kFaults),
                         [](const auto& one) { return one.param.name; });

TEST(Faults, WritesToConstantsAndFreedMemory) {
  Card card;
  const DriverModule module =
      card.load(faulty("st.global.u32 [%rd1], 1;") + ".visible .const .align 4 .b8 fixed[4];");
  ASSERT_NE(module, nullptr) << card.log;
  DriverPointer constant = 0;
  std::size_t bytes = 0;
  ASSERT_EQ(driver().module_global(&constant, &bytes, module, "fixed"), 0);
  EXPECT_EQ(bytes, 4U);
  EXPECT_EQ(card.launch(card.function(module, "k"), {}, constant), 700);
}

TEST(Faults, AFreedBufferIsNoMemory) {
  Card card;
  const DriverModule module = card.load(faulty("ld.global.u32 %r2, [%rd1];"));
  const DriverPointer out = card.buffer(std::vector<std::uint32_t>(4));
  ASSERT_EQ(driver().memory_free(out), 0);
  card.buffer(std::vector<std::uint32_t>(4));
  EXPECT_EQ(card.launch(card.function(module, "k"), {}, out), 700);
}

TEST(Faults, ALaunchWithoutEndTimesOut) {
  const Wish wish("VYRE_FAKE_CUDA_STEPS", "1000000");
  Card card;
  const DriverModule module = card.load(faulty("AGAIN: @!%p1 bra AGAIN;"));
  ASSERT_NE(module, nullptr) << card.log;
  EXPECT_EQ(card.launch(card.function(module, "k"), {}, DriverPointer{0}), 702);
  EXPECT_THAT(last_fault(), HasSubstr("the launch takes too many instructions"));
}

TEST(Faults, EndlessRecursionFillsTheStack) {
  Card card;
  const DriverModule module = card.load(header() + R"(
.func f() { call f; ret; }
.visible .entry k() { call f; ret; }
)");
  ASSERT_NE(module, nullptr) << card.log;
  EXPECT_EQ(card.launch(card.function(module, "k"), {}), 719);
  EXPECT_THAT(last_fault(), HasSubstr("the stack of calls is full"));
}

TEST(Faults, MemoryIsNotZeroAtFirst) {
  Card card;
  DriverPointer fresh = 0;
  ASSERT_EQ(driver().memory_allocate(&fresh, 8), 0);
  EXPECT_EQ(card.read<std::uint64_t>(fresh, 1)[0], 0xA5A5A5A5A5A5A5A5U);
}

struct TextCase {
  const char* name;
  std::string text;
  const char* log;
};

const std::vector<TextCase>& bad_texts() {
  static const std::vector<TextCase> cases{
      {"UnknownOpcode", faulty("tex.2d.v4.f32.s32 {%f1, %f2, %f3, %f4}, [t, {%r1, %r2}];"),
       "line 10: unknown name 't' in an address, an operand of 'tex.2d.v4.f32.s32'"},
      {"UnknownMnemonic", faulty("frobnicate.b32 %r1, %r2;"),
       "line 10: unknown opcode 'frobnicate.b32'"},
      {"UnknownModifier", faulty("ld.global.L3::evict.u32 %r1, [%rd1];"),
       "line 10: unknown opcode 'ld.global.L3::evict.u32'"},
      {"RoundingOfAnOpcodeThatHasNone", faulty("min.rz.f32 %f1, %f2, %f3;"),
       "line 10: unknown opcode 'min.rz.f32'"},
      {"SaturationOfASign", faulty("neg.sat.f32 %f1, %f2;"),
       "line 10: unknown opcode 'neg.sat.f32'"},
      {"UnknownConversion", faulty("cvt.rn.satfinite.e4m3x2.f32 %r1, %f1, %f2;"),
       "line 10: unknown opcode 'cvt.rn.satfinite.e4m3x2.f32'"},
      {"UnknownRegister", faulty("add.u32 %r1, %x7, 1;"), "line 10: 'add.u32': unknown name '%x7'"},
      {"RegisterBeyondItsRange", faulty("mov.u32 %r9, 1;"),
       "line 10: 'mov.u32': a result that is no register"},
      {"WriteToASpecialRegister", faulty("mov.u32 %tid.x, 1;"),
       "line 10: 'mov.u32': a result that is no register"},
      {"UnknownLabel", faulty("bra NOWHERE;"), "line 10: 'bra': unknown label 'NOWHERE'"},
      {"UnknownFunction", faulty("call vprintf;"),
       "line 10: a call of 'vprintf', which has no body here"},
      {"CallThroughAPointer", faulty("call %rd1;"),
       "line 10: a call through a pointer, which is not interpreted"},
      {"TooFewOperands", faulty("add.u32 %r1, %r2;"), "line 10: 'add.u32' has 2 operands"},
      {"AnotherWidth", faulty("ld.global.v4.u32 {%r1, %r2}, [%rd1];"),
       "line 10: a vector of another width"},
      {"NoSemicolon", faulty("mov.u32 %r1, 1"), "line 11: expected ';' before 'ret'"},
      {"NoEnd", header() + ".visible .entry k() {", "line 4: a function has no end"},
      {"NoVersion", ".target sm_80", "line 1: .version is missing"},
      {"NoTarget", ".version 8.0", "line 1: .target is missing"},
      {"NewerTarget", ".version 8.0\n.target sm_90\n",
       ".target sm_90 is newer than this device, sm_80"},
      {"NoPtx", "int main() {}", "line 1: unknown directive 'int'"},
      {"TooMuchShared", faulty(".shared .align 4 .b8 s[49156]; st.shared.u32 [s], 1;"),
       "'k' uses too much shared data, 49156 bytes"},
      {"UnknownDirective", faulty(".texref t;"), "line 10: unknown directive '.texref'"},
      {"NoNumber", faulty("mov.u32 %r1, 0xZZ;"), "line 10: '0xZZ' is no number"},
      {"OpenComment", header() + "/* for ever", "line 4: a comment has no end"},
  };
  return cases;
}

class BadTextTable : public ::testing::TestWithParam<TextCase> {};

TEST_P(BadTextTable, AreRefusedAtTheLoadWithALine) {
  Card card;
  EXPECT_EQ(card.load(GetParam().text), nullptr);
  EXPECT_THAT(card.log, HasSubstr(GetParam().log));
}

INSTANTIATE_TEST_SUITE_P(Ptx, BadTextTable, ::testing::ValuesIn(bad_texts()),
                         [](const auto& one) { return one.param.name; });

// Something of everything that the parser knows.
std::string rich_text() {
  return faulty(
             "T: .branchtargets A; A: { .reg .f64 %d<3>; fma.rn.f64 %d1, %d1, 0d3FF0000000000000, "
             "%d2; }\n.shared .align 8 .b8 s[16]; ld.shared.v2.u32 {%r1, _}, [s+8]; @!%p1 bra A;\n"
             "mov.b64 %rd2, {%r1, %r2}; setp.lt.and.s32 %p2|%p3, %r1, -4, !%p1; brx.idx %r1, T;\n"
             "{ .param .b32 q; st.param.b32 [q+0], %r1; call f, (q); } bar.sync 0;\n") +
         ".func f(.param .b32 p) { ret; }\n" +
         ".global .align 4 .b8 g[4] = {1, 2, 3, -4};\n.const .u64 q[2] = {generic(g)+1, g};\n";
}

// Any text is refused or loaded, and never crashes.
TEST(BadTexts, EveryBeginningOfATextIsSafe) {
  Card card;
  const std::string text = rich_text();
  ASSERT_NE(card.load(text), nullptr) << card.log;
  for (std::size_t length = 0; length <= text.size(); ++length) {
    DriverModule module = card.load(text.substr(0, length));
    EXPECT_TRUE(module == nullptr || driver().module_unload(module) == 0);
  }
}

TEST(BadTexts, RandomChangesAreSafe) {
  const Wish wish("VYRE_FAKE_CUDA_MEMORY", "1000000");
  Card card;
  std::mt19937 random(3);
  const std::string text = rich_text();
  for (std::uint32_t left = testing::cases(3000, 300'000); left > 0; --left) {
    std::string changed = text;
    for (int changes = 0; changes < 3; ++changes) {
      const std::size_t at = random() % changed.size(), from = random() % text.size();
      changed.replace(at, random() % 8, text.substr(from, random() % 24));
    }
    DriverModule module = card.load(changed);
    EXPECT_TRUE(module == nullptr || driver().module_unload(module) == 0) << changed;
  }
}

}  // namespace
}  // namespace vyre::fake_cuda_test
