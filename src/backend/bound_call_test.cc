// Bound calls: what is cleared before a step, and what is measured.

#include "backend/bound_call.h"

#include <gtest/gtest.h>

#include "vyre/builder.h"

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

struct Fills {
  int count = 0;          // of the output
  bool is_timed = false;  // the last of them
};

// Of one run of a sequence with 100 elements in and out.
Fills fills_of(const ir::Sequence& sequence) {
  const auto device = open_null();
  Slots slots(sequence);
  slots.buffers[0].bytes = 400;
  auto plan = make_plan(sequence, slots, {}, device->info().limits);
  EXPECT_TRUE(plan);
  const auto bound = BoundCall::make(device, sequence, *std::move(plan), [&](const StepPlan& s) {
    return device->compile(sequence, s.program, s.specialisation);
  });
  EXPECT_TRUE(bound);
  CountingBuffer x(*device->allocate(400));
  CountingBuffer y(*device->allocate(400));
  const BoundCall::Memory memory[] = {{&x}, {&y}};
  const auto timer = device->make_timer();
  EXPECT_TRUE((*bound)->run(memory, slots.symbols.view(), timer->get()));
  EXPECT_EQ(x.fills, 0);
  return {y.fills, y.timed_by == timer->get()};
}

TEST(BoundCall, ClearsWhatTheLaunchDoesNotCover) {
  EXPECT_EQ(fills_of(parsed(kCovered)).count, 0);
  const Fills sparse = fills_of(parsed(kSparse));
  EXPECT_EQ(sparse.count, 1);
  EXPECT_TRUE(sparse.is_timed) << "a call of such a program always needs the fill";
}

// In an application nobody fills the memory that a source program writes, so a fill is no part of
// what the program takes.
TEST(BoundCall, FillsForSourceProgramsAreNotMeasured) {
  auto program = ir::from_source("copy",
                                 {.text = "kernel void copy(global uint* x, global uint* y) {}",
                                  .entry = "copy",
                                  .arguments = {{"x"}, {"y"}}},
                                 [](ir::Builder& b) {
                                   const auto n = b.shape("n");
                                   b.read(ir::u32, "x", n);
                                   b.write(ir::u32, "y", n);
                                 });
  ASSERT_TRUE(program) << program.error().message;
  const auto sequence = ir::Sequence::make(*std::move(program));
  ASSERT_TRUE(sequence);
  const Fills fills = fills_of(*sequence);
  EXPECT_EQ(fills.count, 1);
  EXPECT_FALSE(fills.is_timed);
}

}  // namespace
}  // namespace vyre::backend
