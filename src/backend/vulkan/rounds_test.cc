// Kernels of our language on a validated Vulkan device: split grids, limits, threads, the binary
// store, and many rounds of building, running and releasing.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <numeric>
#include <thread>

#include "backend/vulkan/build.h"
#include "backend/vulkan/spirv_info.h"
#include "testing/scale_shader.h"
#include "testing/scripted_device.h"
#include "testing/soak.h"
#include "testing/temporary_folder.h"
#include "vyre/call.h"
#include "vyre/vulkan.h"

namespace vyre::backend::vulkan {
namespace {

using ::testing::HasSubstr;

ir::Sequence sequence_of(const std::string& text) {
  auto def = ir::parse(text);
  EXPECT_TRUE(def) << def.error().message;
  auto sequence = ir::Sequence::make(*std::move(def));
  EXPECT_TRUE(sequence) << sequence.error().message;
  return *std::move(sequence);
}

class VulkanKernelTest : public ::testing::Test {
 protected:
  void SetUp() override {
    const std::string missing = testing::missing_vulkan();
    if (!missing.empty()) GTEST_SKIP() << missing;
    said_ = vulkan_messages().size();
  }
  void TearDown() override {
    const auto said = vulkan_messages();
    for (std::size_t k = said_; k < said.size(); ++k) ADD_FAILURE() << said[k];
  }

 private:
  std::size_t said_ = 0;
};

// 70 000 workgroups of one invocation: two pieces of at most 65 535.
TEST_F(VulkanKernelTest, LargeGridsGoInPieces) {
  const ir::Sequence ids = sequence_of(R"(program ids {
  shape n: u32
  write y: u32[n]
  workgroup [1u, 1u, 1u]
  let i: u32 = group_id(0)
  y[i] = i + groups(0)
})");
  const std::uint32_t n = 70'000;
  const std::vector<Argument> arguments{{"n", n}};
  auto outputs = make_dispatcher(testing::open_validated())
                     ->dispatch(ids, {.arguments = arguments, .grid = Extent{n, 1, 1}});
  ASSERT_TRUE(outputs) << outputs.error().message;
  std::vector<std::uint32_t> want(n);
  std::iota(want.begin(), want.end(), n);
  EXPECT_EQ(values_of<std::uint32_t>((*outputs)[0]), want);
}

TEST_F(VulkanKernelTest, MoreValuesThanPushConstantsAreRejected) {
  std::string text = "program many {\n";
  std::vector<std::string> names;
  for (int k = 0; k < 60; ++k) names.push_back("s" + std::to_string(k));
  std::vector<Argument> arguments;
  for (const std::string& name : names) {
    text += "  scalar " + name + ": u64\n";
    arguments.push_back({name, 1});
  }
  text += "  write y: u64[1u]\n  workgroup [1u, 1u, 1u]\n  y[0u] = s0 + s59\n}";
  const auto outputs = make_dispatcher(testing::open_validated())
                           ->dispatch(sequence_of(text), {.arguments = arguments});
  ASSERT_FALSE(outputs);
  EXPECT_EQ(outputs.error().kind, ErrorKind::rejected);
  EXPECT_THAT(outputs.error().message,
              HasSubstr("its shapes and scalars take 512 bytes of push constants, more than the "));
}

TEST_F(VulkanKernelTest, BuffersBeyondTheStorageRangeAreRejected) {
  const auto device = testing::open_validated();
  const std::uint64_t most = device->info().limits.buffer_bytes;
  if (most > std::uint64_t{1} << 28U) GTEST_SKIP() << "the range is too large to test";
  const auto kernel = testing::compile_counting(*device, {64, 1, 1});
  ASSERT_TRUE(kernel) << kernel.error().message;
  const auto large = device->allocate(most + 4);
  ASSERT_TRUE(large) << large.error().message;
  const std::array<Buffer*, 1> buffers{large->get()};
  const auto launched = (*kernel)->launch({.buffers = buffers, .symbols = {}});
  ASSERT_FALSE(launched);
  EXPECT_EQ(launched.error().kind, ErrorKind::rejected);
  EXPECT_EQ(launched.error().message,
            "launch of \"counting\": buffer \"y\" has 134217732 bytes, but kernels of the device "
            "reach 134217728 of a buffer (maxStorageBufferRange); use smaller buffers");
  auto part = (*large)->part(most - 4096, 4100);
  ASSERT_TRUE(part);
  const std::array<Buffer*, 1> parts{part->get()};
  EXPECT_TRUE((*kernel)->launch({.buffers = parts, .symbols = {}}));
  EXPECT_TRUE(device->finish());
}

TEST_F(VulkanKernelTest, WrongLaunchesAreNamed) {
  const auto device = testing::open_validated();
  const auto kernel = testing::compile_counting(*device, {64, 1, 1});
  ASSERT_TRUE(kernel) << kernel.error().message;
  EXPECT_EQ((*kernel)->launch({}).error().message,
            "launch of \"counting\": 0 buffers and 0 symbols given, 1 and 0 wanted");
  const std::array<Buffer*, 1> none{nullptr};
  EXPECT_EQ((*kernel)->launch({.buffers = none, .symbols = {}}).error().message,
            "launch of \"counting\": buffer \"y\" is missing or of another device; pass the bound "
            "buffers in declaration order");
}

// While the device is busy, launches share submissions.
TEST_F(VulkanKernelTest, LaunchesAreSubmittedTogether) {
  const auto device = testing::open_validated();
  const auto kernel = testing::compile_counting(*device, {64, 1, 1});
  const auto y = device->allocate(1024);
  ASSERT_TRUE(kernel && y);
  const std::array<Buffer*, 1> buffers{y->get()};
  const std::uint64_t before = vulkan_counts().submissions;
  for (int k = 0; k < 1000; ++k) {
    ASSERT_TRUE((*kernel)->launch({.buffers = buffers, .symbols = {}, .groups = {4, 1, 1}}));
  }
  ASSERT_TRUE(device->finish());
  EXPECT_GE(vulkan_counts().submissions - before, 1000U / 64) << "no batch is larger";
  std::vector<std::uint32_t> got(256);
  ASSERT_TRUE((*y)->read(0, std::as_writable_bytes(std::span(got))));
  EXPECT_EQ(got[255], 256U);
}

TEST_F(VulkanKernelTest, ThreadsShareADevice) {
  const auto device = testing::open_validated();
  std::atomic<int> right = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (int k = 0; k < 10; ++k) right += testing::use_everything(*device) ? 1 : 0;
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(right, 40);
}

TEST_F(VulkanKernelTest, AreKeptInTheStore) {
  const testing::TemporaryFolder folder;
  const DeviceOptions options{.binary_store = folder / "kernels"};
  const VulkanCounts before = vulkan_counts();
  for (int k = 0; k < 2; ++k) {
    const auto device = testing::open_validated(options);
    ASSERT_TRUE(testing::compile_counting(*device, {32, 1, 1}));
  }
  EXPECT_EQ(vulkan_counts().loaded - before.loaded, 1U);
  EXPECT_GE(vulkan_counts().compiled - before.compiled, 1U);
  for (const auto& file : std::filesystem::recursive_directory_iterator(folder / "kernels")) {
    if (file.is_regular_file()) std::filesystem::resize_file(file, 40);
  }
  const auto device = testing::open_validated(options);
  ASSERT_TRUE(testing::compile_counting(*device, {32, 1, 1})) << "damage is made good";
  EXPECT_EQ(vulkan_counts().damaged - before.damaged, 1U);
}

TEST_F(VulkanKernelTest, ShadersPackAndUnpack) {
  const CompiledShader shader{.spirv = {0x07230203, 5, 6}, .driver_cache = "cache"};
  const std::string bytes = packed(shader);
  const auto back = unpacked(bytes);
  ASSERT_TRUE(back);
  EXPECT_EQ(back->spirv, shader.spirv);
  EXPECT_EQ(back->driver_cache, shader.driver_cache);
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_FALSE(unpacked(std::string_view(bytes).substr(0, size))) << size;
  }
  EXPECT_EQ(describe_spirv(std::array<std::uint32_t, 2>{1, 2}).error().message,
            "2 words are no SPIR-V module");
  EXPECT_EQ(describe_spirv(std::array<std::uint32_t, 6>{0x07230203, 0, 0, 0, 0, 0}).error().message,
            "a SPIR-V module ends within an instruction, at word 5");
}

TEST_F(VulkanKernelTest, ABuildBeyondItsLimitIsGivenUp) {
  const std::int64_t live = vulkan_counts().live();
  auto device = testing::open_validated({.build_limit = std::chrono::milliseconds(0)});
  const auto kernel = testing::compile_counting(*device, {16, 1, 1});
  ASSERT_FALSE(kernel);
  EXPECT_THAT(kernel.error().message,
              HasSubstr("compiling took longer than 0 ms and was given up"));
  // The build goes on by itself, and leaves nothing behind.
  device.reset();
  while (vulkan_counts().live() > live) std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

TEST_F(VulkanKernelTest, RoundsLeaveNothingBehind) {
  const auto device = testing::open_validated();
  ASSERT_TRUE(testing::use_everything(*device));
  const VulkanCounts before = vulkan_counts();
  const std::uint32_t rounds = testing::cases(40, 10'000);
  for (std::uint32_t k = 0; k < rounds; ++k) {
    const auto used = testing::use_everything(*device);
    ASSERT_TRUE(used) << used.error().message;
  }
  // Another test's build that was given up may end meanwhile.
  EXPECT_LE(vulkan_counts().live(), before.live());
  EXPECT_EQ(vulkan_counts().instances, before.instances);
}

}  // namespace
}  // namespace vyre::backend::vulkan
