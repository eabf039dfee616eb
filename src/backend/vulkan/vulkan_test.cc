// Vulkan devices, on lavapipe, with validation layers: what they say of themselves, memory, users'
// shaders, clocks, grids and limits. No test leaves a message of the layers.

#include "vyre/vulkan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

#include "backend/vulkan/timer.h"
#include "testing/scale_shader.h"
#include "testing/soak.h"
#include "vyre/call.h"

namespace vyre::backend::vulkan {
namespace {

using ::testing::HasSubstr;
using testing::kShaded;
using testing::run_shader;
using testing::scale_shader;
using testing::ShaderOptions;

class VulkanDeviceTest : public ::testing::Test {
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

std::vector<std::byte> pattern(std::size_t bytes) {
  std::vector<std::byte> out(bytes);
  for (std::size_t k = 0; k < bytes; ++k) out[k] = static_cast<std::byte>(k * 7 + 1);
  return out;
}

TEST_F(VulkanDeviceTest, DescribesItself) {
  const auto device = testing::open_validated();
  const DeviceInfo& info = device->info();
  EXPECT_EQ(info.backend, "vulkan");
  EXPECT_EQ(info.selector, "vulkan:0");
  EXPECT_THAT(info.language, HasSubstr("Vulkan 1."));
  EXPECT_NE(info.driver, "");
  EXPECT_GT(info.limits.workgroup_items, 0U);
  EXPECT_GE(info.limits.buffer_bytes, 1U << 27U);
  EXPECT_GE(info.part_alignment, 64U);
  if (info.kind != DeviceKind::cpu) GTEST_SKIP() << "a card";
  EXPECT_TRUE(info.shares_host_cores);
  EXPECT_EQ(info.hardware.uuid, "") << "lavapipe's is its version";
  EXPECT_EQ(info.clock_step_ns, 1U);
}

// Each path of the memory: mapped, and copied through a staging buffer.
TEST_F(VulkanDeviceTest, MemoryIsCopiedFilledAndDivided) {
  for (const bool staging : {false, true}) {
    const auto device = testing::open_validated({}, staging);
    auto buffer = device->allocate(1027);
    ASSERT_TRUE(buffer) << buffer.error().message;
    std::vector<std::byte> got(1027, std::byte{9});
    ASSERT_TRUE((*buffer)->read(0, got));
    EXPECT_EQ(got, std::vector<std::byte>(1027)) << "zeros";
    const auto content = pattern(1027);
    ASSERT_TRUE((*buffer)->write(0, content));
    auto other = device->allocate(1027);
    ASSERT_TRUE(other && (*other)->copy_from(**buffer, 1027));
    auto part = (*other)->part(256, 7);
    ASSERT_TRUE(part) << part.error().message;
    ASSERT_TRUE((*part)->fill_zero(7));
    ASSERT_TRUE((*other)->read(0, got));
    auto want = content;
    std::fill_n(want.begin() + 256, 7, std::byte{0});
    EXPECT_EQ(got, want) << (staging ? "staging" : "mapped");
  }
}

TEST_F(VulkanDeviceTest, LargeCopiesGoThroughTheStagingBufferInPieces) {
  const auto device = testing::open_validated({}, true);
  const auto content = pattern((std::size_t{9} << 20U) + 3);
  auto buffer = device->allocate(content.size());
  ASSERT_TRUE(buffer && (*buffer)->write(0, content));
  std::vector<std::byte> got(content.size());
  ASSERT_TRUE((*buffer)->read(0, got));
  EXPECT_EQ(got, content);
}

TEST_F(VulkanDeviceTest, WrongUseOfMemoryIsNamed) {
  const auto device = testing::open_validated();
  const auto other_device = testing::open_validated({}, true);
  auto buffer = device->allocate(512);
  auto foreign = other_device->allocate(512);
  ASSERT_TRUE(buffer && foreign);
  EXPECT_EQ(device->allocate(0).error().message, "a buffer of 0 bytes; give at least one");
  EXPECT_EQ((*buffer)->part(8, 4).error().message,
            "a part of a buffer at offset 8; begin it at a multiple of 64");
  EXPECT_EQ((*buffer)->copy_from(**foreign, 4).error().message,
            "a copy from a buffer of another device; read it and write it instead");
  auto first = (*buffer)->part(0, 128);
  auto second = (*buffer)->part(64, 128);
  ASSERT_TRUE(first && second);
  EXPECT_EQ((*first)->copy_from(**second, 128).error().message,
            "a copy between parts of one buffer that overlap; copy in two steps");
  EXPECT_TRUE((*buffer)->copy_from(**buffer, 512));
  EXPECT_THAT(device->allocate(std::size_t{1} << 40U).error().message,
              HasSubstr("is more than the 2147483648 that the device allocates at once"));
}

TEST_F(VulkanDeviceTest, RunsUsersShaders) {
  for (const bool staging : {false, true}) {
    const auto device = testing::open_validated({}, staging);
    const auto result = run_shader(device, scale_shader());
    ASSERT_TRUE(result) << result.error().message;
    EXPECT_EQ(*result, kShaded);
  }
}

TEST_F(VulkanDeviceTest, TunablesAreMacrosAndSpecialisationConstants) {
  Config config;
  config.set("BLOCK", std::int64_t{16});
  config.set("BIAS", std::int64_t{10});
  config.set("shift", std::int64_t{100});
  const auto result = run_shader(testing::open_validated(), scale_shader(), config);
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_EQ(result->front(), kShaded.front() + 110);
}

// As a worker opens it.
TEST_F(VulkanDeviceTest, AShaderStaysInsideItsBuffersOnAProcessor) {
  const auto device = testing::open_validated({.guard_bytes = 4096});
  if (device->info().kind != DeviceKind::cpu) GTEST_SKIP() << "a card";
  ShaderOptions options;
  const std::string_view begin = "void main() {";
  options.text.insert(options.text.find(begin) + begin.size(),
                      "\n  y[gl_GlobalInvocationID.x + 50000000u] = x[70000000u];");
  const auto result = run_shader(device, scale_shader(options));
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_EQ(*result, kShaded);
}

struct WrongShader {
  const char* from;
  const char* to;
  const char* message;
};

constexpr WrongShader kWrongShaders[] = {
    {"float(offset)", "flot(offset)", "own.comp:10: "},
    {"binding = 1", "binding = 5",
     "is at set 0, binding 5, but buffers are passed at set 0, bindings 0 to 1; make them agree"},
    {"uint n; float factor; uint offset;", "uint n; float factor; uint offset; uint more;",
     "\"scale\": the shader has 4 push constants, 3 are passed; make them agree"},
    {"uint offset;", "uvec2 offset;",
     "\"offset\" with 4 bytes does not fit the push constant \"offset\", which has 8"},
    {"void main() {", "shared float tile[16384];\nvoid main() { tile[gl_LocalInvocationID.x] = 0;",
     "\"scale\": 65536 bytes of shared memory are more than the 32768 of the device; use less"},
    {"local_size_x_id = 0", "local_size_x = 32",
     "\"scale\": the shader's local size along x is 32, but the workgroup has 64"},
    {"readonly buffer Operand { float x[]; }", "uniform Operand { float x[4]; }",
     "is no storage buffer; a shader gets its data in buffers"},
};

TEST_F(VulkanDeviceTest, ShadersThatDoNotFitAreRejected) {
  const auto device = testing::open_validated();
  for (const WrongShader& wrong : kWrongShaders) {
    ShaderOptions options{.file = "own.comp"};
    options.text.replace(options.text.find(wrong.from), std::string_view(wrong.from).size(),
                         wrong.to);
    if (options.text.find("Operand { float x[4]; }") != options.text.npos) {
      options.text.replace(options.text.find("std430, binding = 1"), 6, "std140");
    }
    const auto result = run_shader(device, scale_shader(options));
    ASSERT_FALSE(result) << wrong.to;
    EXPECT_EQ(result.error().kind, ErrorKind::rejected) << wrong.to;
    EXPECT_THAT(result.error().message, HasSubstr(wrong.message));
  }
}

TEST_F(VulkanDeviceTest, OptionsOfOtherCompilersAreRejected) {
  const auto device = testing::open_validated();
  EXPECT_TRUE(run_shader(device, scale_shader({.options = "-DUNUSED -DOTHER=3"})));
  const auto result = run_shader(device, scale_shader({.options = "-cl-fast-relaxed-math"}));
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().message,
            "\"scale\": the compiler of GLSL has no option \"-cl-fast-relaxed-math\"; give "
            "definitions only, as -DN=64");
}

TEST_F(VulkanDeviceTest, ClocksCountWithTheirBits) {
  EXPECT_EQ(ticks_to_ns(100, 350, 64, 1), 250U);
  EXPECT_EQ(ticks_to_ns(100, 350, 36, 40), 10'000U);
  EXPECT_EQ(ticks_to_ns((1ULL << 36U) - 10, 20, 36, 1), 30U) << "it began again at 0";
  EXPECT_EQ(ticks_to_ns(350, 100, 64, 1), 0U) << "it went back";
}

TEST_F(VulkanDeviceTest, ATimerWithoutCommandsIsZero) {
  const auto device = testing::open_validated();
  auto timer = device->make_timer();
  ASSERT_TRUE(timer);
  EXPECT_EQ((*timer)->elapsed_ns().value(), 0U);
  auto buffer = device->allocate(std::size_t{1} << 20U);
  ASSERT_TRUE(buffer && (*buffer)->fill_zero(std::size_t{1} << 20U, timer->get()));
  const std::uint64_t once = (*timer)->elapsed_ns().value();
  EXPECT_GT(once, 0U);
  for (int k = 0; k < 8; ++k) {
    ASSERT_TRUE((*buffer)->fill_zero(std::size_t{1} << 20U, timer->get()));
  }
  EXPECT_GT((*timer)->elapsed_ns().value(), once) << "from the first to the last";
}

}  // namespace
}  // namespace vyre::backend::vulkan
