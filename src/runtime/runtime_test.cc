#include "vyre/runtime.h"

#include <gtest/gtest.h>

#include "testing/temporary_folder.h"
#include "vyre/builder.h"

namespace vyre {
namespace {

// out[i] = x[i] + tile, so that a result shows which configuration has run.
const ir::Sequence& plus_tile() {
  static const ir::Sequence kSequence = *ir::Sequence::make(*ir::build("plus", [](ir::Builder& b) {
    auto n = b.shape("n");
    auto tile = b.tunable("tile", 1);
    b.tunable("unused", 5);
    auto x = b.read(ir::u32, "x", n);
    auto out = b.write(ir::u32, "out", n);
    b.workgroup(tile);
    auto i = b.global_id(0);
    b.if_(i < n, [&] { out[i] = x[i] + tile; });
  }));
  return kSequence;
}

// Gives the same with every tile.
const ir::Sequence& tiled_copy() {
  static const ir::Sequence kSequence = *ir::Sequence::make(*ir::build("copy", [](ir::Builder& b) {
    auto tile = b.tunable(ir::u32, "tile", 1);
    auto n = b.shape("n");
    auto x = b.read(ir::u32, "x", n);
    auto out = b.write(ir::u32, "out", n);
    b.workgroup(tile);
    auto i = b.global_id(0);
    b.if_(i < n, [&] { out[i] = x[i]; });
  }));
  return kSequence;
}

const ir::Sequence& copy() {
  static const ir::Sequence kSequence = *ir::Sequence::make(*ir::build("copy", [](ir::Builder& b) {
    auto n = b.shape("n");
    auto x = b.read(ir::u32, "x", n);
    auto out = b.write(ir::u32, "out", n);
    auto i = b.global_id(0);
    b.if_(i < n, [&] { out[i] = x[i]; });
  }));
  return kSequence;
}

struct DecidedRuntime {
  explicit DecidedRuntime(RuntimeOptions options = {}) : runtime(open(std::move(options))) {}

  Runtime open(RuntimeOptions options) {
    options.events = [this](const Event& event) { events.push_back(event); };
    return *Runtime::open(open_reference(), std::move(options));
  }

  void decide(const ir::Sequence& sequence, std::uint64_t n, const Config& config,
              std::optional<RunnerUp> runner_up = {}) {
    const std::vector<std::uint64_t> shape{n, n, n};
    const Decision decision{.fingerprint = sequence.fingerprint(),
                            .shape = shape,
                            .config = config,
                            .elapsed = {.ns = runner_up ? 100.0 : 0.0},
                            .samples = 3,
                            .runner_up = std::move(runner_up)};
    EXPECT_EQ(runtime.cache().offer(key_of(sequence.fingerprint(), shape), decision), Offer::kept);
  }

  std::vector<std::uint32_t> launch(const ir::Sequence& sequence, std::size_t n, Call call = {}) {
    const std::vector<std::uint32_t> x(n, 100);
    const std::vector<Input> inputs{as_input(x)};
    call.inputs = inputs;
    const auto out = runtime.launch(sequence, call);
    EXPECT_TRUE(out) << out.error().message;
    return out ? values_of<std::uint32_t>((*out)[0]) : std::vector<std::uint32_t>{};
  }

  std::vector<Event> events;
  Runtime runtime;
};

using Words = std::vector<std::uint32_t>;
Config tile(std::int64_t value) { return {{"tile", value}}; }

TEST(Runtime, LaunchesTheDefaultUntilSomethingIsDecided) {
  DecidedRuntime f;
  EXPECT_EQ(f.launch(plus_tile(), 3), Words(3, 101));
  f.decide(plus_tile(), 3, tile(8));
  EXPECT_EQ(f.launch(plus_tile(), 3), Words(3, 108));
  EXPECT_TRUE(f.events.empty());
  f.decide(plus_tile(), 3, tile(4));  // a new decision is seen by the next launch
  EXPECT_EQ(f.launch(plus_tile(), 3), Words(3, 104));
}

TEST(Runtime, ShapeIsEveryBufferThenEveryShape) {
  DecidedRuntime f;
  const Words x(7, 1);
  const std::vector<Input> inputs{as_input(x)};
  EXPECT_EQ(*f.runtime.shape_of(plus_tile(), {.inputs = inputs}),
            (std::vector<std::uint64_t>{7, 7, 7}));
  EXPECT_FALSE(f.runtime.shape_of(plus_tile(), Call{}));
}

TEST(Runtime, ServesTheNearestShapeAsASeedAndSaysSoOnce) {
  DecidedRuntime f;
  f.decide(tiled_copy(), 4, tile(2));
  f.decide(tiled_copy(), 64, tile(16));
  EXPECT_EQ(f.launch(tiled_copy(), 32), Words(32, 100));
  EXPECT_EQ(f.launch(tiled_copy(), 32), Words(32, 100));
  EXPECT_EQ(f.launch(tiled_copy(), 6), Words(6, 100));
  ASSERT_EQ(f.events.size(), 2U);
  EXPECT_EQ(f.events[0].kind, EventKind::seed_used);
  EXPECT_EQ(f.events[0].message,
            "\"copy\": no decision for this shape and device; using that of the nearest shape as a "
            "seed: tune it to be sure");
  const std::vector<std::uint64_t> shape{32, 32, 32};
  const Resolved resolved = f.runtime.resolve(tiled_copy(), shape);
  EXPECT_EQ(resolved.source, Source::nearest);
  EXPECT_EQ(f.runtime.config_of(tiled_copy(), resolved), tile(16));
  EXPECT_EQ(f.runtime.resolve(copy(), shape).source, Source::untuned);
}

TEST(Runtime, WhatWasDecidedForAnotherShapeServesOnlyIfItGivesTheSame) {
  DecidedRuntime f;
  f.decide(plus_tile(), 64, tile(16));
  EXPECT_EQ(f.launch(plus_tile(), 32), Words(32, 101));  // as without any decision
  EXPECT_EQ(f.launch(plus_tile(), 32), Words(32, 101));
  EXPECT_EQ(f.launch(plus_tile(), 64), Words(64, 116));
  ASSERT_EQ(f.events.size(), 2U);
  EXPECT_EQ(f.events[1].kind, EventKind::fallback);
  EXPECT_EQ(
      f.events[1].message,
      "\"plus\": what was decided for another shape gives something else here, so the default "
      "is used: tune this shape");
}

TEST(Runtime, AsksForTuningWhereNeighboursDisagree) {
  DecidedRuntime f;
  f.decide(tiled_copy(), 4, tile(2), RunnerUp{tile(4), {.ns = 130}});
  f.decide(tiled_copy(), 16, tile(16), RunnerUp{tile(8), {.ns = 150}});
  f.decide(tiled_copy(), 4096, tile(16), RunnerUp{tile(8), {.ns = 130}});
  for (const std::size_t n : {9U, 8192U, 9U, 10U}) {
    EXPECT_EQ(f.launch(tiled_copy(), n), Words(n, 100));
  }
  ASSERT_EQ(f.events.size(), 2U);
  EXPECT_EQ(f.events[0].kind, EventKind::tune_advised);
  EXPECT_EQ(
      f.events[0].message,
      "\"copy\": this shape was never tuned, and its neighbours disagree: what is best at one "
      "is at least 30 % slower at another: tune it");
  EXPECT_EQ(f.events[1].kind, EventKind::seed_used);
}

TEST(Runtime, AnotherDriversDecisionIsASeed) {
  testing::TemporaryFolder folder;
  const std::vector<std::uint64_t> shape{3, 3, 3};
  DecidedRuntime f({.files = {.folder = folder.path()}});
  const auto offer = [&](const ir::Sequence& sequence) {
    f.runtime.cache().offer(key_of(sequence.fingerprint(), shape), {.config = tile(8)},
                            {.backend = "reference", .driver = "older"});
  };
  offer(tiled_copy());
  EXPECT_EQ(f.runtime.resolve(tiled_copy(), shape).source, Source::seed);
  for (int k = 0; k < 3; ++k) EXPECT_EQ(f.launch(tiled_copy(), 3), Words(3, 100));
  ASSERT_EQ(f.events.size(), 1U);
  EXPECT_EQ(f.events[0].message,
            "\"copy\": no decision for this shape and device; using that of another driver, device "
            "or space as a seed: tune it to be sure");
  // One that gives something else under this driver never serves.
  offer(plus_tile());
  for (int k = 0; k < 3; ++k) EXPECT_EQ(f.launch(plus_tile(), 3), Words(3, 101));
  ASSERT_EQ(f.events.size(), 3U);
  EXPECT_EQ(f.events[2].message,
            "\"plus\": what was decided for another driver, device or space gives something else "
            "here, so the default is used: tune this shape");
}

TEST(Runtime, FallsBackToTheDefaultOnceAndForAll) {
  for (const Config& config : {tile(1 << 20), Config{{"tile", true}}, tile(0)}) {
    DecidedRuntime f;
    f.decide(plus_tile(), 3, config);
    EXPECT_EQ(f.launch(plus_tile(), 3), Words(3, 101));
    EXPECT_EQ(f.launch(plus_tile(), 3), Words(3, 101));
    ASSERT_EQ(f.events.size(), 1U);
    EXPECT_EQ(f.events[0].kind, EventKind::fallback);
    EXPECT_TRUE(f.events[0].message.starts_with(
        "\"plus\": the remembered configuration is refused and the default used: "))
        << f.events[0].message;
    f.decide(plus_tile(), 3, tile(8));  // a better one takes its place
    EXPECT_EQ(f.launch(plus_tile(), 3), Words(3, 108));
  }
}

TEST(Runtime, ACallersMistakeIsTheCallersError) {
  DecidedRuntime f;
  f.decide(plus_tile(), 3, tile(8));
  const auto out = f.runtime.launch(plus_tile(), Call{});
  ASSERT_FALSE(out);
  EXPECT_EQ(out.error().message,
            "\"plus\": 0 inputs given, 1 wanted: one per read and read_write buffer");
  EXPECT_TRUE(f.events.empty());
}

TEST(Runtime, ACallersConfigIsUsedAsItIs) {
  DecidedRuntime f;
  f.decide(plus_tile(), 3, tile(8));
  const Config own = tile(2);
  EXPECT_EQ(f.launch(plus_tile(), 3, {.config = &own}), Words(3, 102));
}

TEST(Runtime, ConfigHasTheDeclaredTunablesInTheirOrder) {
  DecidedRuntime f;
  f.decide(plus_tile(), 3,
           {{"unused", std::int64_t{1}}, {"gone", true}, {"tile", std::int64_t{8}}});
  const auto resolved = f.runtime.resolve(plus_tile(), std::vector<std::uint64_t>{3, 3, 3});
  EXPECT_EQ(f.runtime.config_of(plus_tile(), resolved),
            (Config{{"tile", std::int64_t{8}}, {"unused", std::int64_t{1}}}));
  EXPECT_EQ(f.launch(plus_tile(), 3), Words(3, 108));
}

TEST(Runtime, TheWorkgroupSizeItselfMayBeDecided) {
  ASSERT_TRUE(has_free_workgroup(copy()));
  EXPECT_FALSE(has_free_workgroup(plus_tile()));
  DecidedRuntime f({.feedback = Feedback::gather});
  f.launch(copy(), 1000);
  EXPECT_EQ(f.runtime.feedback(copy())->observed_workgroup_size_x, 64U);
  f.decide(copy(), 1000, workgroup_config({256, 1, 1}));
  EXPECT_EQ(f.launch(copy(), 1000), Words(1000, 100));
  EXPECT_EQ(f.runtime.feedback(copy())->observed_workgroup_size_x, 256U);
  // A grid of the caller's fixes the size too.
  f.launch(copy(), 1000, {.grid = Extent{20, 1, 1}});
  EXPECT_EQ(f.runtime.feedback(copy())->observed_workgroup_size_x, 64U);
  f.decide(copy(), 1001, workgroup_config({1U << 30U, 1, 1}));
  EXPECT_EQ(f.launch(copy(), 1001), Words(1001, 100));
  EXPECT_EQ(f.events.back().kind, EventKind::fallback);
}

TEST(Runtime, WhatAsksForItsWorkgroupIsNotFree) {
  const auto is_free = [](const std::function<void(ir::Builder&, ir::Array&)>& body) {
    return has_free_workgroup(*ir::Sequence::make(*ir::build("k", [&](ir::Builder& b) {
      auto out = b.write(ir::u32, "out", 4);
      body(b, out);
    })));
  };
  EXPECT_TRUE(is_free([](ir::Builder& b, ir::Array& out) { out[b.global_id(0)] = 1; }));
  EXPECT_FALSE(is_free([](ir::Builder& b, ir::Array& out) { out[b.local_id(0)] = 1; }));
  EXPECT_FALSE(is_free([](ir::Builder& b, ir::Array& out) { out[b.global_id(1)] = 1; }));
  EXPECT_FALSE(is_free([](ir::Builder& b, ir::Array& out) { b.atomic_add(out, 0, 1); }));
  EXPECT_FALSE(is_free([](ir::Builder& b, ir::Array& out) { out[0] = 1, b.barrier(); }));
  EXPECT_FALSE(is_free([](ir::Builder& b, ir::Array& out) { out[0] = 1, b.grid(1); }));
}

TEST(Runtime, GathersFeedbackOnlyWhenAsked) {
  DecidedRuntime silent;
  silent.launch(copy(), 10);
  EXPECT_FALSE(silent.runtime.feedback(copy()));
  DecidedRuntime f({.feedback = Feedback::gather});
  f.launch(copy(), 1000);
  const auto feedback = f.runtime.feedback(copy());
  ASSERT_TRUE(feedback);
  EXPECT_GT(feedback->observed_throughput_per_us, 0);
  EXPECT_EQ(feedback->written_op_counts.at("load"), 1U);
  EXPECT_EQ(feedback->written_op_counts.at("store"), 1U);
  EXPECT_EQ(feedback->written_op_counts.at("lt"), 1U);
}

TEST(Runtime, ResizesWhatIsFreeWhenAsked) {
  // No device is that fast, so it doubles at first, and settles wherever it is fastest.
  DecidedRuntime f({.feedback = Feedback::resize, .resize = {.saturation_per_us = 1e9}});
  f.launch(copy(), 1000);
  EXPECT_EQ(f.launch(copy(), 1000), Words(1000, 100));
  EXPECT_EQ(f.runtime.feedback(copy())->observed_workgroup_size_x, 128U);
  for (int k = 0; k < 20; ++k) EXPECT_EQ(f.launch(copy(), 1000), Words(1000, 100));
  f.launch(plus_tile(), 3);
  f.launch(plus_tile(), 3);
  EXPECT_EQ(f.runtime.feedback(plus_tile())->observed_workgroup_size_x, 1U);
}

TEST(Runtime, WorksOnEveryBackend) {
  const Words x(5, 100);
  const std::vector<Input> inputs{as_input(x)};
  for (const Backend& each : backends()) {
    const auto devices = each.open({});
    if (!devices || devices->empty()) continue;  // not on this machine
    Runtime runtime = *Runtime::open(devices->front(), {});
    const std::vector<std::uint64_t> shape{5, 5, 5};
    const Key key = key_of(plus_tile().fingerprint(), shape);
    // The default, a decision, and one that the device refuses.
    for (const auto& [value, result] : {std::pair{1, 101}, {8, 108}, {1 << 30, 101}}) {
      if (value != 1) runtime.cache().offer(key, {.config = tile(value)});
      const auto out = runtime.launch(plus_tile(), {.inputs = inputs});
      ASSERT_TRUE(out) << each.name << ": " << out.error().message;
      if (!devices->front()->info().executes) continue;
      EXPECT_EQ(values_of<std::uint32_t>((*out)[0]), Words(5, static_cast<std::uint32_t>(result)))
          << each.name;
    }
  }
}

TEST(Runtime, WorksOnTheNullDevice) {
  Runtime runtime = *Runtime::open(open_null(), {.mode = Mode::on});
  EXPECT_EQ(runtime.mode(), Mode::on);
  const Words x(5, 1);
  const std::vector<Input> inputs{as_input(x)};
  EXPECT_TRUE(runtime.launch(plus_tile(), {.inputs = inputs}));
}

TEST(Runtime, SourcesHaveNames) {
  EXPECT_EQ(to_string(Source::untuned), "untuned");
  EXPECT_EQ(to_string(Source::decision), "decision");
  EXPECT_EQ(to_string(Source::seed), "seed");
  EXPECT_EQ(to_string(Source::nearest), "nearest");
}

TEST(Tuner, RemembersSizesByKey) {
  testing::TemporaryFolder folder;
  const DeviceLimits limits{.workgroup_items = 256, .workgroup_size = {256, 1, 1}};
  Tuner tuner({.adapter = "x", .folder = folder.path()}, Mode::natural, limits);
  EXPECT_EQ(tuner.mode(), Mode::natural);
  EXPECT_EQ(tuner.candidates().size(), 4U);
  const V1Shape shape{.output_bytes = 4096};
  EXPECT_EQ(tuner.resolve(v1_key(shape)), (Extent{64, 1, 1}));
  EXPECT_EQ(tuner.record_decision(shape, {128, 1, 1}), Offer::kept);
  EXPECT_EQ(tuner.resolve(v1_key(shape)), (Extent{128, 1, 1}));
  EXPECT_EQ(tuner.record_decision(shape, {0, 1, 1}), Offer::no_workgroup_size);
  EXPECT_EQ(tuner.resolve(v1_key(shape)), (Extent{128, 1, 1}));
  EXPECT_TRUE(folder.names().empty());  // in memory only, so far
  ASSERT_TRUE(tuner.persist());
  const Tuner again({.adapter = "x", .folder = folder.path()}, Mode::off, limits);
  EXPECT_EQ(again.resolve(v1_key(shape)), (Extent{128, 1, 1}));
}

}  // namespace
}  // namespace vyre
