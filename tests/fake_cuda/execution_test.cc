// Whole kernels in PTX: blocks, memory of every space, control flow.

#include <gtest/gtest.h>

#include "fake_cuda/card.h"

namespace vyre::fake_cuda_test {
namespace {

// Launches the kernel `k` of a module with one buffer of 32-bit words, and gives its contents.
std::vector<std::uint32_t> words_after(const std::string& text, const Size& size,
                                       std::vector<std::uint32_t> words) {
  Card card;
  const DriverModule module = card.load(header() + text);
  EXPECT_NE(module, nullptr) << card.log;
  if (module == nullptr) return {};
  const DriverPointer out = card.buffer(words);
  EXPECT_EQ(card.launch(card.function(module, "k"), size, out), 0) << last_fault();
  return card.read<std::uint32_t>(out, words.size());
}

constexpr const char* kRegisters =
    ".reg .pred %p<9>; .reg .b16 %rs<9>; .reg .b32 %r<20>; .reg .b64 %rd<9>; .reg .f32 %f<9>;\n";

std::string kernel(const std::string& body) {
  return ".visible .entry k(.param .u64 out)\n{\n" + std::string(kRegisters) +
         "ld.param.u64 %rd1, [out];\n" + body + "\nret;\n}\n";
}

TEST(Execution, ThreadsKnowTheirPlaces) {
  const auto words = words_after(kernel(R"(
    mov.u32 %r1, %ctaid.y;   mov.u32 %r2, %nctaid.x;  mov.u32 %r3, %ctaid.x;
    mad.lo.u32 %r4, %r1, %r2, %r3;                 // number of the block
    mov.u32 %r5, %ntid.x;    mov.u32 %r6, %ntid.y;    mov.u32 %r7, %ntid.z;
    mov.u32 %r8, %tid.x;     mov.u32 %r9, %tid.y;     mov.u32 %r10, %tid.z;
    mad.lo.u32 %r11, %r10, %r6, %r9;
    mad.lo.u32 %r11, %r11, %r5, %r8;               // number of the thread
    mul.lo.u32 %r12, %r5, %r6;
    mul.lo.u32 %r12, %r12, %r7;
    mad.lo.u32 %r13, %r4, %r12, %r11;
    mov.u32 %r14, %laneid;   mov.u32 %r15, %warpid;
    mad.lo.u32 %r14, %r15, 32, %r14;
    mad.lo.u32 %r14, %r4, 1000, %r14;
    mad.wide.u32 %rd2, %r13, 4, %rd1;
    st.global.u32 [%rd2], %r14;)"),
                                 {{3, 2, 1}, {4, 3, 5}, 0}, std::vector<std::uint32_t>(360));
  for (std::uint32_t at = 0; at < 360; ++at) ASSERT_EQ(words[at], at / 60 * 1000 + at % 60) << at;
}

// Each thread reads its neighbour's word: wrong unless the barrier holds all of them.
TEST(Execution, BarriersSeparateWritesFromReads) {
  const std::string text = R"(
    .shared .align 4 .b8 tile[256];
    mov.u32 %r1, %tid.x;
    mov.u32 %r2, tile;
    shl.b32 %r3, %r1, 2;
    add.u32 %r4, %r2, %r3;
    mul.lo.u32 %r5, %r1, 3;
    st.shared.u32 [%r4], %r5;
    bar.sync 0;
    xor.b32 %r6, %r3, 252;
    add.u32 %r7, %r2, %r6;
    ld.shared.u32 %r8, [%r7];
    mul.wide.u32 %rd2, %r1, 4;
    add.u64 %rd3, %rd1, %rd2;
    st.global.u32 [%rd3], %r8;)";
  const auto words =
      words_after(kernel(text), {{2, 1, 1}, {64, 1, 1}, 0}, std::vector<std::uint32_t>(64));
  for (std::uint32_t at = 0; at < 64; ++at) ASSERT_EQ(words[at], 3 * (63 - at)) << at;
}

TEST(Execution, ThreadsThatExitedDoNotCountAtABarrier) {
  const auto words = words_after(kernel(R"(
    mov.u32 %r1, %tid.x;
    setp.gt.u32 %p1, %r1, 9;
    @%p1 exit;
    red.global.add.u32 [%rd1], 1;
    barrier.sync 0;
    ld.global.u32 %r2, [%rd1];
    red.global.max.u32 [%rd1+4], %r2;
    red.global.min.u32 [%rd1+8], %r2;)"),
                                 {{1, 1, 1}, {40, 1, 1}, 0}, {0, 0, 99});
  EXPECT_EQ(words, (std::vector<std::uint32_t>{10, 10, 10}));
}

TEST(Execution, ReductionsAtABarrier) {
  const auto words = words_after(kernel(R"(
    mov.u32 %r1, %tid.x;
    setp.lt.u32 %p1, %r1, 5;
    bar.red.popc.u32 %r2, 0, %p1;
    bar.red.or.pred %p2, 0, %p1;
    bar.red.and.pred %p3, 0, !%p1;
    selp.u32 %r3, 1, 0, %p2;
    selp.u32 %r4, 1, 0, %p3;
    st.global.u32 [%rd1], %r2;
    st.global.u32 [%rd1+4], %r3;
    st.global.u32 [%rd1+8], %r4;)"),
                                 {{1, 1, 1}, {48, 1, 1}, 0}, {9, 9, 9});
  EXPECT_EQ(words, (std::vector<std::uint32_t>{5, 1, 0}));
}

TEST(Execution, NumberedBarriersCountTheirThreads) {
  const auto words = words_after(kernel(R"(
    mov.u32 %r1, %tid.x;
    setp.lt.u32 %p1, %r1, 32;
    @%p1 bra FIRST;
    red.global.add.u32 [%rd1], 100;
    barrier.sync 2, 32;
    bra DONE;
    FIRST:
    red.global.add.u32 [%rd1], 1;
    barrier.sync 1, 32;
    DONE:
    bar.sync 0;
    ld.global.u32 %r2, [%rd1];
    st.global.u32 [%rd1+4], %r2;)"),
                                 {{1, 1, 1}, {64, 1, 1}, 0}, {0, 0});
  EXPECT_EQ(words, (std::vector<std::uint32_t>{3232, 3232}));
}

TEST(Execution, LanesOfAWarpExchangeValues) {
  const auto words = words_after(kernel(R"(
    mov.u32 %r1, %laneid;
    shfl.sync.down.b32 %r2|%p1, %r1, 4, 0x1F, 0xFFFFFFFF;
    shfl.sync.up.b32 %r3, %r1, 1, 0x0, 0xFFFFFFFF;
    shfl.sync.bfly.b32 %r4, %r1, 16, 0x1F, 0xFFFFFFFF;
    shfl.sync.idx.b32 %r5, %r1, 3, 0x181F, 0xFFFFFFFF;  // of each eight
    setp.gt.u32 %p2, %r1, 29;
    vote.sync.ballot.b32 %r6, %p2, 0xFFFFFFFF;
    redux.sync.add.u32 %r7, %r1, 0xFFFFFFFF;
    bar.warp.sync 0xFFFFFFFF;
    selp.u32 %r8, 1, 0, %p1;
    setp.ne.u32 %p3, %r1, 30;
    @%p3 ret;
    st.global.v4.u32 [%rd1], {%r2, %r3, %r4, %r5};
    st.global.v2.u32 [%rd1+16], {%r6, %r7};
    st.global.u32 [%rd1+24], %r8;)"),
                                 {{1, 1, 1}, {32, 1, 1}, 0}, std::vector<std::uint32_t>(7));
  EXPECT_EQ(words, (std::vector<std::uint32_t>{30, 29, 14, 27, 0xC0000000, 496, 0}));
}

TEST(Execution, AtomicsOfEverySpaceGiveTheOldValue) {
  const auto words = words_after(".shared .align 8 .b8 s[8];\n" + kernel(R"(
    mov.u32 %r1, %tid.x;
    atom.global.add.u32 %r2, [%rd1], 2;
    red.relaxed.gpu.global.xor.b32 [%rd1+4], %r2;
    atom.global.exch.b32 %r3, [%rd1+8], %r1;
    atom.add.f32 %f1, [%rd1+12], 0f3F000000;
    atom.global.inc.u32 %r3, [%rd1+16], 2;
    atom.global.cas.b32 %r4, [%rd1+20], %r1, 77;
    mov.u32 %r5, s;
    setp.eq.u32 %p1, %r1, 0;
    @%p1 st.shared.u64 [%r5], 0;
    atom.shared.max.u64 %rd4, [s], 5;
    cvta.shared.u64 %rd5, 0;
    atom.or.b32 %r6, [%rd5], 64;
    ld.shared.u32 %r7, [s];
    st.global.u32 [%rd1+24], %r7;)"),
                                 {{1, 1, 1}, {4, 1, 1}, 0}, {10, 0, 9, 0x3F800000, 0, 2, 0});
  EXPECT_EQ(words, (std::vector<std::uint32_t>{18, 10 ^ 12 ^ 14 ^ 16, 3, 0x40400000, 1, 77, 69}));
}

TEST(Execution, LocalMemoryAndGenericAddresses) {
  const auto words = words_after(kernel(R"(
    .local .align 8 .b8 depot[32];
    .reg .b64 %SP; .reg .b64 %SPL;
    mov.u64 %SPL, depot;
    cvta.local.u64 %SP, %SPL;
    mov.u32 %r1, %tid.x;
    st.local.u32 [%SPL+8], %r1;
    add.u64 %rd2, %SP, 8;
    ld.u32 %r2, [%rd2];
    st.v2.u32 [%SP+16], {%r2, %r1};
    ld.local.u64 %rd3, [%SPL+16];
    shr.u64 %rd3, %rd3, 32;
    mad.wide.u32 %rd4, %r1, 4, %rd1;
    st.u32 [%rd4], %rd3;)"),
                                 {{1, 1, 1}, {3, 1, 1}, 0}, {9, 9, 9});
  EXPECT_EQ(words, (std::vector<std::uint32_t>{0, 1, 2}));
}

TEST(Execution, FunctionsTakeAndGiveParameters) {
  const auto words = words_after(R"(
.func (.param .b32 result) factorial(.param .b32 n);
.func (.param .b32 result) factorial(.param .b32 n)
{
  .reg .pred %p; .reg .b32 %r<4>;
  ld.param.b32 %r1, [n];
  setp.lt.u32 %p, %r1, 2;
  mov.u32 %r2, 1;
  @%p bra END;
  {
    .param .b32 param0;
    sub.u32 %r3, %r1, 1;
    st.param.b32 [param0+0], %r3;
    .param .b32 retval0;
    call.uni (retval0), factorial, (param0);
    ld.param.b32 %r2, [retval0+0];
  }
  mul.lo.u32 %r2, %r2, %r1;
END:
  st.param.b32 [result+0], %r2;
  ret;
}
)" + kernel(R"(
    .param .b32 param0;
    .param .b32 retval0;
    st.param.b32 [param0], 6;
    call (retval0), factorial, (param0);
    ld.param.b32 %r1, [retval0];
    st.global.u32 [%rd1], %r1;)"),
                                 {}, {0});
  EXPECT_EQ(words, (std::vector<std::uint32_t>{720}));
}

TEST(Execution, TablesOfBranches) {
  const auto words = words_after(kernel(R"(
    mov.u32 %r1, %tid.x;
    T: .branchtargets A, B, C;
    brx.idx %r1, T;
    A: mov.u32 %r2, 10; bra.uni E;
    B: mov.u32 %r2, 20; bra.uni E;
    C: mov.u32 %r2, 30;
    E: mad.wide.u32 %rd2, %r1, 4, %rd1;
    st.global.u32 [%rd2], %r2;)"),
                                 {{1, 1, 1}, {3, 1, 1}, 0}, {0, 0, 0});
  EXPECT_EQ(words, (std::vector<std::uint32_t>{10, 20, 30}));
}

TEST(Execution, VariablesHaveInitialValuesAndAddresses) {
  const auto words = words_after(R"(
.const .align 4 .b32 numbers[4] = {5, -6, 0x7, 0f3F800000};
.global .align 4 .b8 bytes[5] = {1, 2, 3};
.global .u64 pointer = generic(bytes)+2;
.visible .global .align 4 .u32 zero;
)" + kernel(R"(
    ld.const.u32 %r1, [numbers+4];
    ld.global.u64 %rd2, [pointer];
    ld.u8 %r2, [%rd2];
    ld.global.s8 %r3, [bytes+4];
    ld.global.u32 %r4, [zero];
    st.global.v4.u32 [%rd1], {%r1, %r2, %r3, %r4};)"),
                                 {}, {9, 9, 9, 9});
  EXPECT_EQ(words, (std::vector<std::uint32_t>{0xFFFFFFFA, 3, 0, 0}));
}

TEST(Execution, SharedMemoryOfTheLaunchFollowsTheStatic) {
  const auto words = words_after(".extern .shared .align 16 .b8 dynamic[];\n" + kernel(R"(
    .shared .align 4 .b8 fixed[20];
    mov.u32 %r1, dynamic;
    mov.u32 %r2, fixed;
    st.shared.u32 [fixed+16], 7;
    st.shared.u32 [dynamic], 8;
    ld.shared.u32 %r3, [fixed+16];
    mov.u32 %r4, %dynamic_smem_size;
    st.global.v4.u32 [%rd1], {%r1, %r2, %r3, %r4};)"),
                                 {{1, 1, 1}, {1, 1, 1}, 64}, {9, 9, 9, 9});
  EXPECT_EQ(words, (std::vector<std::uint32_t>{32, 0, 7, 64}));
}

}  // namespace
}  // namespace vyre::fake_cuda_test
