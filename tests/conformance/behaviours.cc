// What a dispatcher promises beyond single results: the same answer again, no allocation, errors
// that name what was wrong.

#include <gtest/gtest.h>

#include <numeric>
#include <thread>

#include "suite.h"
#include "vyre/program.h"

namespace vyre::conformance {
namespace {

using DevicePtr = std::shared_ptr<Device>;
using u32 = std::uint32_t;

constexpr const char* kSaxpy = R"(program saxpy {
  shape n: u32
  scalar a: f32
  read x: f32[n]
  read_write y: f32[n]
  workgroup [64u, 1u, 1u]
  let i: u32 = global_id(0)
  if i < n {
    y[i] = a * x[i] + y[i]
  }
})";

ir::Sequence sequence_of(const char* text) {
  auto def = ir::parse(text);
  EXPECT_TRUE(def) << def.error().message;
  auto sequence = ir::Sequence::make(*std::move(def));
  EXPECT_TRUE(sequence) << sequence.error().message;
  return *sequence;
}

void repeated_calls_allocate_nothing(const DevicePtr& device) {
  const ir::Sequence saxpy = sequence_of(kSaxpy);
  auto dispatcher = make_dispatcher(device);
  const Bytes x = bytes(std::vector<float>(1000, 2.0F));
  const Bytes y = bytes(std::vector<float>(1000, 1.0F));
  const std::vector<Input> inputs{x, y};
  const std::vector<Argument> arguments{{"a", std::bit_cast<u32>(3.0F)}};
  const Call call{.inputs = inputs, .arguments = arguments};
  Outputs outputs;
  ASSERT_TRUE(dispatcher->dispatch(saxpy, call, outputs));
  const Outputs first = outputs;
  const std::byte* place = outputs[0].data();
  for (int k = 0; k < 3; ++k) {
    ASSERT_TRUE(dispatcher->dispatch(saxpy, call, outputs));
    EXPECT_EQ(outputs[0].data(), place);
    EXPECT_EQ(outputs, first);
  }
  if (device->info().executes) {
    EXPECT_EQ(first[0], bytes(std::vector<float>(1000, 7.0F)));
  }
}

void one_dispatcher_serves_many_shapes(const DevicePtr& device) {
  const ir::Sequence saxpy = sequence_of(kSaxpy);
  auto dispatcher = make_dispatcher(device);
  const std::vector<Argument> arguments{{"a", std::bit_cast<u32>(1.0F)}};
  for (const u32 n : {1U, 63U, 64U, 65U, 1000U, 1U, 1000U}) {
    const Bytes ones = bytes(std::vector<float>(n, 1.0F));
    const std::vector<Input> inputs{ones, ones};
    auto outputs = dispatcher->dispatch(saxpy, {.inputs = inputs, .arguments = arguments});
    ASSERT_TRUE(outputs) << outputs.error().message;
    ASSERT_EQ((*outputs)[0].size(), n * sizeof(float));
    if (device->info().executes) {
      EXPECT_EQ((*outputs)[0], bytes(std::vector<float>(n, 2.0F)));
    }
  }
}

void threads_share_a_dispatcher(const DevicePtr& device) {
  const ir::Sequence saxpy = sequence_of(kSaxpy);
  auto dispatcher = make_dispatcher(device);
  std::atomic<int> right = 0;
  const auto work = [&](float a) {
    const Bytes x = bytes(std::vector<float>(500, 1.0F));
    const std::vector<Input> inputs{x, x};
    const std::vector<Argument> arguments{{"a", std::bit_cast<u32>(a)}};
    for (int k = 0; k < 20; ++k) {
      auto outputs = dispatcher->dispatch(saxpy, {.inputs = inputs, .arguments = arguments});
      const Bytes want = bytes(std::vector<float>(500, device->info().executes ? a + 1.0F : 0.0F));
      if (outputs && (*outputs)[0] == want) ++right;
    }
  };
  std::vector<std::thread> threads;
  for (const float a : {1.0F, 2.0F, 3.0F, 4.0F}) threads.emplace_back(work, a);
  for (std::thread& t : threads) t.join();
  EXPECT_EQ(right, 80);
}

struct BadCall {
  std::vector<Bytes> inputs;
  std::vector<Argument> arguments;
  Config config;
  std::optional<Extent> grid;
  ErrorKind kind;
  const char* message;
};

void bad_calls_are_named(const DevicePtr& device) {
  const ir::Sequence saxpy = sequence_of(kSaxpy);
  auto dispatcher = make_dispatcher(device);
  const Bytes four = bytes(std::vector<float>(4, 1.0F));
  const Bytes three = bytes(std::vector<float>(3, 1.0F));
  const std::vector<Argument> a{{"a", 0}};
  const std::vector<BadCall> table{
      {{four},
       a,
       {},
       {},
       ErrorKind::bad_inputs,
       "\"saxpy\": 1 inputs given, 2 wanted: one per read and read_write buffer"},
      {{four, three},
       a,
       {},
       {},
       ErrorKind::bad_inputs,
       "\"saxpy\": input \"y\" has 12 bytes, wanted are 4 elements of f32: 16 bytes"},
      {{four, {}},
       a,
       {},
       {},
       ErrorKind::bad_inputs,
       "\"saxpy\": input \"y\" is empty; give at least one f32"},
      {{Bytes(7), four},
       a,
       {},
       {},
       ErrorKind::bad_inputs,
       "\"saxpy\": input \"x\" has 7 bytes, not a multiple of the 4 of a f32"},
      {{four, four},
       {},
       {},
       {},
       ErrorKind::bad_inputs,
       "\"saxpy\": scalar \"a\" is not given; add it to the call's arguments"},
      {{four, four},
       {{"a", 0}, {"nn", 4}},
       {},
       {},
       ErrorKind::bad_inputs,
       "\"saxpy\": there is no shape or scalar \"nn\"; did you mean \"n\"?"},
      {{four, four},
       {{"a", 0}, {"n", 5}},
       {},
       {},
       ErrorKind::bad_inputs,
       "\"saxpy\": input \"x\" has 16 bytes, wanted are 5 elements of f32: 20 bytes"},
      {{four, four},
       {{"a", 0}, {"n", 1ULL << 32}},
       {},
       {},
       ErrorKind::bad_inputs,
       "\"saxpy\": \"n\" does not fit in a u32"},
      {{four, four},
       a,
       Config{{"tile", std::int64_t{4}}},
       {},
       ErrorKind::bad_inputs,
       "\"saxpy\": there is no tunable \"tile\""},
      {{four, four},
       a,
       {},
       Extent{1, 0, 1},
       ErrorKind::bad_inputs,
       "\"saxpy\": a grid of 0 workgroups of 1 on axis 1; their product must be 1 to 2^32 - 1"},
  };
  for (const BadCall& bad : table) {
    const std::vector<Input> inputs(bad.inputs.begin(), bad.inputs.end());
    auto outputs = dispatcher->dispatch(
        saxpy,
        {.inputs = inputs, .arguments = bad.arguments, .config = &bad.config, .grid = bad.grid});
    ASSERT_FALSE(outputs) << bad.message;
    EXPECT_EQ(outputs.error().message, bad.message);
    EXPECT_EQ(outputs.error().kind, bad.kind) << bad.message;
  }
}

void a_workgroup_too_large_is_rejected(const DevicePtr& device) {
  const ir::Sequence s = sequence_of(R"(program wide {
  tunable x: u32 = 64u
  write y: u32[4u]
  local t: u32[x]
  workgroup [x, 1u, 1u]
  y[global_id(0)] = t[local_id(0)]
})");
  auto dispatcher = make_dispatcher(device);
  const Config config{{"x", std::int64_t{device->info().limits.workgroup_items} + 1}};
  auto outputs = dispatcher->dispatch(s, {.inputs = {}, .config = &config});
  ASSERT_FALSE(outputs);
  EXPECT_EQ(outputs.error().kind, ErrorKind::rejected) << outputs.error().message;
  ASSERT_TRUE(dispatcher->dispatch(s, Call{})) << "a refused call must harm no later one";
}

}  // namespace

std::vector<Behaviour> behaviours() {
  return {{"repeated_calls_allocate_nothing", repeated_calls_allocate_nothing},
          {"one_dispatcher_serves_many_shapes", one_dispatcher_serves_many_shapes},
          {"threads_share_a_dispatcher", threads_share_a_dispatcher},
          {"bad_calls_are_named", bad_calls_are_named},
          {"a_workgroup_too_large_is_rejected", a_workgroup_too_large_is_rejected}};
}

}  // namespace vyre::conformance
