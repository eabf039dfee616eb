// OpenCL devices: identity, memory, clock, and that nothing leaks.

#include "vyre/opencl.h"

#include <gtest/gtest.h>

#include <bit>

#include "testing/scale_kernel.h"
#include "testing/soak.h"
#include "vyre/builder.h"
#include "vyre/call.h"

namespace vyre::backend {
namespace {

using testing::block_of;
using testing::kScaled;
using testing::open_first;
using testing::run_scale;
using testing::scale;

TEST(opencl_devices, HaveAnIdentity) {
  const DeviceInfo info = open_first()->info();
  EXPECT_EQ(fingerprint(info), fingerprint(open_first()->info()));
  EXPECT_EQ(fingerprint(info).size(), 64U);
  DeviceInfo newer = info;
  newer.driver += ".1";
  EXPECT_NE(fingerprint(newer), fingerprint(info));
  DeviceInfo other = info;  // the same processor through another implementation
  other.platform = "Another implementation, OpenCL 3.0";
  EXPECT_NE(fingerprint(other), fingerprint(info));
  EXPECT_TRUE(fingerprint(info).starts_with(id_of(identity_of(info))));
  EXPECT_GT(info.limits.workgroup_items, 0U);
  EXPECT_FALSE(info.platform.empty());
  DeviceInfo hostile;
  hostile.backend = "opencl";
  hostile.name = "../../x\n\"y\" " + std::string(100, 'z');
  EXPECT_EQ(safe_name(hostile).substr(0, 19), "opencl-.._.._x_y_zz");
  EXPECT_EQ(safe_name(hostile).size(), 64U);
}

TEST(opencl_devices, RefuseTooMuchMemoryAndForeignBuffers) {
  const auto device = open_first();
  const auto huge = device->allocate(std::size_t{1} << 60);
  ASSERT_FALSE(huge);
  EXPECT_EQ(huge.error().kind, ErrorKind::backend);
  EXPECT_NE(huge.error().message.find("use smaller buffers"), std::string::npos)
      << huge.error().message;
  EXPECT_FALSE(device->allocate(0));

  const ir::Sequence sequence = scale();
  auto kernel = device->compile(sequence, 0, {.symbols = {0, 0, 0, 64}, .workgroup = {64, 1, 1}});
  ASSERT_TRUE(kernel) << kernel.error().message;
  auto own = device->allocate(8);
  auto foreign = open_reference()->allocate(8);
  const std::vector<Buffer*> buffers{own->get(), foreign->get()};
  const std::vector<std::uint64_t> symbols{1, 0, 0, 64};
  const auto launched = (*kernel)->launch({.buffers = buffers, .symbols = symbols});
  ASSERT_FALSE(launched);
  EXPECT_EQ(launched.error().message,
            "launch of \"scale\": buffer \"y\" is missing or of another device; pass the bound "
            "buffers in declaration order");
  const auto short_launch = (*kernel)->launch({.buffers = {}, .symbols = symbols});
  ASSERT_FALSE(short_launch);
  EXPECT_EQ(short_launch.error().message,
            "launch of \"scale\": 0 buffers and 4 symbols given, 2 and 4 wanted");
}

TEST(opencl_devices, TimeLaunchesByTheirOwnClock) {
  const auto device = open_first();
  const ir::Sequence sequence = scale();
  auto kernel = device->compile(sequence, 0, {.symbols = {0, 0, 0, 64}, .workgroup = {64, 1, 1}});
  ASSERT_TRUE(kernel) << kernel.error().message;
  constexpr std::size_t kCount = 1 << 20;
  auto x = device->allocate(8 * kCount);
  auto y = device->allocate(8 * kCount);
  const std::vector<Buffer*> buffers{x->get(), y->get()};
  const std::vector<std::uint64_t> symbols{kCount, 0, 0, 64};
  // Two timers, whose commands alternate: each sees its own.
  auto timer = device->make_timer();
  auto span = device->make_timer();
  ASSERT_TRUE(timer && span);
  for (Timer* of : {span->get(), timer->get(), span->get()}) {
    ASSERT_TRUE((*kernel)->launch(
        {.buffers = buffers, .symbols = symbols, .groups = {kCount / 64, 1, 1}, .timer = of}));
  }
  const auto one = (*timer)->elapsed_ns();
  const auto all = (*span)->elapsed_ns();
  ASSERT_TRUE(one && all);
  EXPECT_GT(*one, 0U);
  EXPECT_GT(*all, *one);  // from the start of the first to the end of the third
  timer->reset();
  span->reset();
  EXPECT_EQ(opencl_counts().events, 0);
}

TEST(opencl_leaks, ManyRoundsOfBuildRunReleaseKeepTheCountsFlat) {
  const OpenclCounts before = opencl_counts();
  for (std::size_t round = 0; round < testing::cases(300, 10'000); ++round) {
    ASSERT_EQ(run_scale(open_first(), scale(), block_of(round % 2 == 0 ? 8 : 64)), kScaled);
    ASSERT_EQ(opencl_counts().live(), before.live()) << "after round " << round;
  }
}

}  // namespace
}  // namespace vyre::backend
