// Bound calls: what is cleared before a step, and what is measured.

#include "backend/bound_call.h"

#include <gtest/gtest.h>

namespace vyre::backend {
namespace {

ir::Sequence parsed(const std::string& text) {
  auto def = ir::parse(text);
  EXPECT_TRUE(def) << def.error().message;
  return *ir::Sequence::make(*std::move(def));
}

// Fills are commands like any other: a launch that covers its output saves one.
constexpr const char* kCovered = R"(program covered {
  shape n: u32
  read x: u32[n]
  write y: u32[n]
  let i: u32 = global_id(0)
  if i < n {
    y[i] = x[i]
  }
})";
constexpr const char* kSparse = R"(program sparse {
  shape n: u32
  read x: u32[n]
  write y: u32[n]
  let i: u32 = global_id(0)
  if x[i] > 5u {
    y[i] = x[i]
  }
})";

// Counts fills, and keeps memory as it is otherwise.
class CountingBuffer final : public Buffer {
 public:
  explicit CountingBuffer(std::unique_ptr<Buffer> inner) : inner_(std::move(inner)) {}
  std::size_t size() const override { return inner_->size(); }
  Expected<void> write(std::size_t offset, std::span<const std::byte> bytes) override {
    return inner_->write(offset, bytes);
  }
  Expected<void> read(std::size_t offset, std::span<std::byte> bytes) const override {
    return inner_->read(offset, bytes);
  }
  Expected<void> fill_zero(std::size_t bytes, Timer* timer) override {
    ++fills;
    timed_by = timer;
    return inner_->fill_zero(bytes, timer);
  }
  Expected<void> copy_from(const Buffer& from, std::size_t bytes) override {
    return inner_->copy_from(from, bytes);
  }

  int fills = 0;
  Timer* timed_by = nullptr;

 private:
  std::unique_ptr<Buffer> inner_;
};

TEST(BoundCall, ClearsWhatTheLaunchDoesNotCover) {
  const auto device = open_null();
  for (const auto& [text, fills] : {std::pair{kCovered, 0}, std::pair{kSparse, 1}}) {
    const ir::Sequence sequence = parsed(text);
    Slots slots(sequence);
    slots.buffers[0].bytes = 400;
    auto plan = make_plan(sequence, slots, {}, device->info().limits);
    ASSERT_TRUE(plan);
    const auto bound = BoundCall::make(device, sequence, *std::move(plan), [&](const StepPlan& s) {
      return device->compile(sequence, s.program, s.specialisation);
    });
    ASSERT_TRUE(bound);
    CountingBuffer x(*device->allocate(400));
    CountingBuffer y(*device->allocate(400));
    const BoundCall::Memory memory[] = {{&x}, {&y}};
    const auto timer = device->make_timer();
    ASSERT_TRUE((*bound)->run(memory, slots.symbols.view(), timer->get()));
    EXPECT_EQ(y.fills, fills) << text;
    EXPECT_EQ(y.timed_by, fills > 0 ? timer->get() : nullptr) << "a fill is part of the time";
    EXPECT_EQ(x.fills, 0);
  }
}

}  // namespace
}  // namespace vyre::backend
