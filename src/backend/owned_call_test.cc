#include "backend/owned_call.h"

#include <gtest/gtest.h>

#include "vyre/builder.h"

namespace vyre::backend {
namespace {

using Words = std::vector<std::uint32_t>;

ir::Sequence adding() {
  const auto program = ir::build("adding", [](ir::Builder& b) {
    auto n = b.shape("n");
    auto x = b.read(ir::u32, "x", n);
    auto y = b.read_write(ir::u32, "y", n);
    auto i = b.global_id(0);
    b.if_(i < n, [&] { y[i] = y[i] + x[i]; });
  });
  return *ir::Sequence::make(*program);
}

struct Data {
  Words x;
  Words y;
  std::vector<Input> inputs() const { return {as_input(x), as_input(y)}; }
};

std::vector<InputContent> contents(const std::vector<Input>& inputs) {
  std::vector<InputContent> out;
  for (const Input& input : inputs) out.push_back({.host = input});
  return out;
}

std::unique_ptr<OwnedCall> made(const std::shared_ptr<Device>& device, const Data& data,
                                const OwnedCall* other = nullptr) {
  const auto inputs = data.inputs();
  auto call = OwnedCall::make(device, adding(), {.inputs = inputs}, {.shares_with = other});
  EXPECT_TRUE(call) << call.error().message;
  EXPECT_TRUE((*call)->write_inputs(contents(inputs)));
  return *std::move(call);
}

Words run(OwnedCall& call) {
  Outputs outputs;
  EXPECT_TRUE(call.run());
  EXPECT_TRUE(call.read_outputs(outputs));
  return values_of<std::uint32_t>(outputs.at(0));
}

TEST(OwnedCall, RestoresWhatARunHasChanged) {
  const Data data{.x = {1, 2, 3}, .y = {10, 20, 30}};
  const auto call = made(open_reference(), data);
  EXPECT_EQ(run(*call), (Words{11, 22, 33}));
  EXPECT_EQ(run(*call), (Words{12, 24, 36}));
  EXPECT_TRUE(call->restore_inputs(contents(data.inputs())));
  EXPECT_EQ(run(*call), (Words{11, 22, 33}));
}

// What a sequence keeps to itself is no input, and changes all the same.
TEST(OwnedCall, KnowsWhatMustStartAsZeros) {
  const auto count = ir::build("count", [](ir::Builder& b) {
    auto seen = b.read_write(ir::u32, "seen", 1);
    auto out = b.write(ir::u32, "out", 1);
    b.if_(b.global_id(0) < 1U, [&] {
      seen[0] = seen[0] + 1U;
      out[0] = seen[0];
    });
  });
  ASSERT_TRUE(count) << count.error().message;
  const auto sequence = ir::build_sequence("counting", [&](ir::SequenceBuilder& s) {
    auto out = s.write(ir::u32, "out", 1);
    auto seen = s.scratch(ir::u32, "seen", 1);
    s.run(*count, {seen, out}, {});
  });
  ASSERT_TRUE(sequence) << sequence.error().message;
  const auto call = OwnedCall::make(open_reference(), *sequence, {});
  ASSERT_TRUE(call) << call.error().message;
  EXPECT_TRUE((*call)->changes_inputs());
  EXPECT_TRUE((*call)->write_inputs(contents({})));
  EXPECT_EQ(run(**call), (Words{1}));
  EXPECT_TRUE((*call)->restore_inputs(contents({})));
  EXPECT_EQ(run(**call), (Words{1}));
}

TEST(OwnedCall, SharesWhatIsOnlyRead) {
  const auto device = open_reference();
  auto first = made(device, {.x = {1, 2, 3}, .y = {10, 20, 30}});
  const auto second = made(device, {.x = {7, 7, 7}, .y = {40, 50, 60}}, first.get());
  EXPECT_EQ(run(*second), (Words{41, 52, 63}));
  EXPECT_EQ(run(*first), (Words{11, 22, 33}));
  first.reset();
  EXPECT_EQ(run(*second), (Words{42, 54, 66}));
}

TEST(OwnedCall, OtherSizesAreNotShared) {
  const auto device = open_reference();
  const auto first = made(device, {.x = {1, 2, 3}, .y = {10, 20, 30}});
  const auto second = made(device, {.x = {7, 7}, .y = {40, 50}}, first.get());
  EXPECT_EQ(run(*second), (Words{47, 57}));
}

}  // namespace
}  // namespace vyre::backend
