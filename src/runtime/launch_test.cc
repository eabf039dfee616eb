// What a launch costs the device: how often it compiles, waits and copies.

#include <gtest/gtest.h>

#include "testing/tuned_programs.h"
#include "vyre/builder.h"
#include "vyre/runtime.h"

namespace vyre {
namespace {

// A device that counts what it is asked for.
class CountingDevice final : public Device {
 public:
  const DeviceInfo& info() const override { return inner_->info(); }
  Expected<std::unique_ptr<Buffer>> allocate(std::size_t bytes) override {
    ++allocations;
    return inner_->allocate(bytes);
  }
  Expected<std::shared_ptr<Kernel>> compile(const ir::Sequence& sequence, std::uint32_t program,
                                            const Specialisation& specialisation) override {
    ++compilations;
    return inner_->compile(sequence, program, specialisation);
  }
  Expected<std::unique_ptr<Timer>> make_timer() override { return inner_->make_timer(); }
  Expected<void> finish() override {
    ++waits;
    return inner_->finish();
  }

  int allocations = 0;
  int compilations = 0;
  int waits = 0;

 private:
  std::shared_ptr<Device> inner_ = open_reference({.threads = 1});
};

struct CountedRuntime {
  std::shared_ptr<CountingDevice> device = std::make_shared<CountingDevice>();
  Runtime runtime = *Runtime::open(device);
};

// x[i] += value, a program of its own for each value.
ir::Sequence adding(std::uint32_t value) {
  return *ir::Sequence::make(*ir::build("adding", [&](ir::Builder& b) {
    auto n = b.shape("n");
    auto factor = b.scalar(ir::u32, "factor");
    auto x = b.read_write(ir::u32, "x", n);
    auto i = b.global_id(0);
    b.if_(i < n, [&] { x[i] = x[i] + factor * value; });
  }));
}

TEST(Launch, OnMemoryOfTheDeviceItOnlyEnqueues) {
  CountedRuntime f;
  const ir::Sequence add = adding(1);
  auto x = *f.device->allocate(400);
  ASSERT_TRUE(x->fill_zero(400));
  ASSERT_TRUE(f.runtime.launch(add, {{"x", *x}, {"factor", 1U}}));
  const CountingDevice before = *f.device;
  for (std::uint32_t k = 2; k <= 100; ++k) {
    ASSERT_TRUE(f.runtime.launch(add, {{"x", *x}, {"factor", k}}));
  }
  EXPECT_EQ(f.device->waits, before.waits);
  EXPECT_EQ(f.device->allocations, before.allocations);
  EXPECT_EQ(f.device->compilations, before.compilations);
  ASSERT_TRUE(f.runtime.finish());
  std::vector<std::uint32_t> result(100);
  ASSERT_TRUE(x->read(0, std::as_writable_bytes(std::span(result))));
  EXPECT_EQ(result, std::vector<std::uint32_t>(100, 5050)) << "each launch had its own number";
}

TEST(Launch, KernelsAreCompiledOnceHoweverManyThereAre) {
  CountedRuntime f;
  std::vector<ir::Sequence> programs;
  for (std::uint32_t k = 0; k < 100; ++k) programs.push_back(adding(k));
  for (int round = 0; round < 3; ++round) {
    for (std::uint32_t k = 0; k < 100; ++k) {
      std::vector<std::uint32_t> x(10, 7);
      ASSERT_TRUE(f.runtime.launch(programs[k], {{"x", x}, {"factor", 1U}}));
      EXPECT_EQ(x, std::vector<std::uint32_t>(10, 7 + k));
    }
  }
  EXPECT_EQ(f.device->compilations, 100);
  // Other sizes, and equal programs of other sequences, need no new kernel.
  std::vector<std::uint32_t> x(11, 7);
  ASSERT_TRUE(f.runtime.launch(adding(5), {{"x", x}, {"factor", 1U}}));
  EXPECT_EQ(f.device->compilations, 100);
}

TEST(Launch, BuffersMayChangeFromCallToCall) {
  CountedRuntime f;
  const ir::Sequence add = adding(1);
  for (std::uint32_t k = 0; k < 20; ++k) {
    auto x = *f.device->allocate(40);  // often at the address of the last one
    const std::vector<std::uint32_t> content(10, k);
    ASSERT_TRUE(x->write(0, std::as_bytes(std::span(content))));
    ASSERT_TRUE(f.runtime.launch(add, {{"x", *x}, {"factor", 100U}}));
    std::vector<std::uint32_t> result(10);
    ASSERT_TRUE(x->read(0, std::as_writable_bytes(std::span(result))));
    ASSERT_EQ(result, std::vector<std::uint32_t>(10, k + 100));
  }
  EXPECT_EQ(f.device->compilations, 1);
}

TEST(Launch, AMistakeIsTheCallersErrorAndTunesNothing) {
  auto opened = Runtime::open(open_reference(), {.mode = Mode::natural});
  std::vector<std::uint32_t> x(10);
  const auto launched = opened->launch(testing::free_program(), {{"x", x}, {"aut", x}});
  ASSERT_FALSE(launched);
  EXPECT_EQ(launched.error().message,
            "\"free\": there is no buffer, shape or scalar \"aut\"; did you mean \"out\"?");
  const auto none = Runtime::open(nullptr);
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().message, "there is no device to launch on; open one");
}

}  // namespace
}  // namespace vyre
