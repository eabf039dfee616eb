#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <string>

#include "testing/golden.h"
#include "testing/sample_program.h"
#include "vyre/builder.h"
#include "vyre/substrate/pick.h"
#include "vyre/substrate/primitives.h"
#include "vyre/substrate/workgroup.h"

namespace vyre {
namespace {

using substrate::kOne;
using Words = std::vector<std::uint32_t>;
using Times = std::vector<std::uint64_t>;

std::uint64_t u64(const nlohmann::json& text) { return std::stoull(text.get<std::string>()); }

// Answers from a list; 0 is a failure.
class ListTimer final : public BackendTimer {
 public:
  explicit ListTimer(Times times) : times_(std::move(times)) {}
  Expected<std::uint64_t> measure_candidate_ns(const ir::Sequence&, const Extent& size) override {
    asked.push_back(size[0]);
    const std::uint64_t ns = times_[asked.size() - 1];
    if (ns != 0) return ns;
    return std::unexpected(
        Error{ErrorKind::backend, "E7", "device lost at " + std::to_string(size[0])});
  }
  Words asked;

 private:
  Times times_;
};

const ir::Sequence& program() {
  static const ir::Sequence kSequence = *ir::Sequence::make(testing::sample().program);
  return kSequence;
}

TEST(Candidates, ArePowersOfTwoThatFit) {
  EXPECT_TRUE(candidates_for(31).empty());
  EXPECT_EQ(candidates_for(64), (std::vector<Extent>{{32, 1, 1}, {64, 1, 1}}));
  EXPECT_EQ(candidates_for(4096).back(), (Extent{1024, 1, 1}));
  EXPECT_EQ(candidates_for(4096).size(), 6U);
}

TEST(Candidates, DefaultFitsTheDevice) {
  const auto size = [](std::uint32_t items, std::uint32_t x) {
    return default_workgroup_size({.workgroup_items = items, .workgroup_size = {x, 1, 1}})[0];
  };
  EXPECT_EQ(size(1024, 1024), 64U);
  EXPECT_EQ(size(48, 1024), 32U);
  EXPECT_EQ(size(1024, 1), 1U);
  EXPECT_EQ(size(0, 0), 1U);
}

TEST(BestOf, TakesTheFirstOfEquals) {
  ListTimer timer({30, 10, 20, 10});
  const auto sweep = best_of(timer, program(), candidates_for(256));
  EXPECT_EQ(sweep->best, (Measurement{{64, 1, 1}, 10}));
  EXPECT_EQ(timer.asked, (Words{32, 64, 128, 256}));
}

TEST(BestOf, HasNoResultWithoutCandidates) {
  ListTimer timer({});
  EXPECT_FALSE(best_of(timer, program(), {})->best);
}

TEST(BestOf, SkipsOrStopsAtAFailure) {
  ListTimer skipping({30, 0, 20});
  const auto skipped = best_of(skipping, program(), candidates_for(128));
  EXPECT_EQ(skipped->best, (Measurement{{128, 1, 1}, 20}));
  ASSERT_EQ(skipped->failed.size(), 1U);
  EXPECT_EQ(skipped->failed[0].index, 1U);
  ListTimer stopping({30, 0, 20});
  const auto stopped = best_of(stopping, program(), candidates_for(128), OnFailure::stop);
  EXPECT_EQ(stopped.error(), (Error{ErrorKind::backend, "E7", "device lost at 64"}));
  EXPECT_EQ(stopping.asked, (Words{32, 64}));
  ListTimer failing({0, 0});
  EXPECT_EQ(best_of(failing, program(), candidates_for(64)).error().message, "device lost at 32");
}

TEST(NaturalGradient, GivesTheOriginalsSteps) {
  const auto rows = testing::load_golden(VYRE_SOURCE_DIR, "suggest.json");
  ASSERT_EQ(rows.size(), 200U);
  int ties = 0;
  for (const auto& row : rows) {
    Times elapsed;
    for (const auto& ns : row["elapsed_ns"]) elapsed.push_back(u64(ns));
    const auto step = natural_gradient_step(elapsed, row["fisher_inv_sqrt_q16"].get<Words>(),
                                            u64(row["temperature_ns"]));
    ASSERT_TRUE(step);
    EXPECT_EQ(step->weights_q16, row["policy_weights_q16"].get<Words>());
    EXPECT_EQ(step->natural_gradient_q16, row["natural_gradient_q16"].get<Words>());
    EXPECT_EQ(row["workgroup_sizes"][step->best], row["best"]);
    EXPECT_EQ(step->best_elapsed_ns, u64(row["best_elapsed_ns"]));
    // Where several share the maximum the original takes the last of them, we the first.
    const Words& natural = step->natural_gradient_q16;
    const std::uint32_t most = std::ranges::max(natural);
    const auto last = std::find(natural.rbegin(), natural.rend(), most).base() - 1;
    EXPECT_EQ(row["workgroup_sizes"][static_cast<std::size_t>(last - natural.begin())],
              row["selected"]);
    EXPECT_EQ(std::ranges::find(natural, most) - natural.begin(),
              static_cast<std::ptrdiff_t>(step->selected));
    ties += std::ranges::count(natural, most) > 1 ? 1 : 0;
  }
  EXPECT_EQ(ties, 16);
}

TEST(NaturalGradient, GivesTheContractsExample) {
  Words metric = *identity_fisher_q16(3);
  metric[0] = 8 * kOne;
  ListTimer timer({12000, 8000, 10000});
  const std::vector<Extent> sizes{{64, 1, 1}, {128, 1, 1}, {256, 1, 1}};
  const auto sweep = best_of_natural_gradient(timer, program(), sizes, metric, 4000);
  ASSERT_TRUE(sweep);
  EXPECT_EQ(sweep->best, (Measurement{{128, 1, 1}, 8000}));
  EXPECT_EQ(sweep->step.selected, 0U);
  EXPECT_EQ(sweep->step.natural_gradient_q16, (Words{97688, 33193, 20132}));
}

TEST(NaturalGradient, StrikesFailedCandidatesFromTheMetric) {
  ListTimer timer({100, 0, 100});
  const Words metric{kOne, 9, 0, 9, 9, 9, 0, 9, 2 * kOne};
  const auto sweep = best_of_natural_gradient(timer, program(), candidates_for(128), metric);
  ASSERT_TRUE(sweep);
  EXPECT_EQ(sweep->step.natural_gradient_q16, (Words{32768, 65536}));
  EXPECT_EQ(sweep->step.measured, (std::vector<std::size_t>{0, 2}));
  EXPECT_EQ(sweep->step.selected, 2U);
  EXPECT_EQ(sweep->best, (Measurement{{32, 1, 1}, 100}));
  EXPECT_EQ(sweep->failed.size(), 1U);
  ListTimer failing({100, 0});
  const auto stopped = best_of_natural_gradient(failing, program(), candidates_for(64), {},
                                                std::nullopt, OnFailure::stop);
  EXPECT_EQ(stopped.error().code, "E7");
}

TEST(NaturalGradient, ChecksInOrder) {
  const Times one{5};
  EXPECT_EQ(natural_gradient_step({}, Words{1, 2}, 0).error(),
            (Error{ErrorKind::bad_inputs, "policy.measurements",
                   "no measurements; measure at least one candidate"}));
  EXPECT_EQ(natural_gradient_step(one, Words{1, 2}, 0).error(),
            (Error{ErrorKind::bad_inputs, "policy.temperature",
                   "temperature 0 ns; give one above zero, or none"}));
  EXPECT_EQ(natural_gradient_step(one, Words{1, 2}, 1).error(),
            (Error{ErrorKind::bad_inputs, "policy.metric",
                   "the metric has 2 cells for 1 measurements; give 1 x 1 of them, or none for the "
                   "identity"}));
  ListTimer timer({});
  EXPECT_EQ(best_of_natural_gradient(timer, program(), {}).error().message,
            "no measurements; measure at least one candidate");
  EXPECT_EQ(best_of_natural_gradient(timer, program(), candidates_for(64), {}, 0).error().code,
            kZeroTemperature);
  EXPECT_TRUE(timer.asked.empty());
}

TEST(NaturalGradient, NoMetricIsTheIdentityAndAnEmptyOneAnError) {
  const Times times{10, 20};
  const Words identity = *identity_fisher_q16(2);
  EXPECT_EQ(natural_gradient_step(times)->natural_gradient_q16,
            natural_gradient_step(times, identity)->natural_gradient_q16);
  const Words empty;
  const auto step = natural_gradient_step(times, empty);
  ListTimer timer({});
  const auto sweep = best_of_natural_gradient(timer, program(), candidates_for(64), empty);
  ASSERT_FALSE(step);
  ASSERT_FALSE(sweep);
  EXPECT_EQ(step.error(), sweep.error());
  EXPECT_EQ(step.error().code, kWrongMetric);
  EXPECT_TRUE(is_policy_error(step.error()));
  EXPECT_TRUE(timer.asked.empty());
  ListTimer failing({0, 0});
  EXPECT_FALSE(
      is_policy_error(best_of_natural_gradient(failing, program(), candidates_for(64)).error()));
}

ir::Sequence sized(const std::function<void(ir::Builder&, const ir::Value&)>& declare) {
  return *ir::Sequence::make(*ir::build("sized", [&](ir::Builder& b) {
    const ir::Value n = b.shape("n");
    auto x = b.read(ir::f32, "x", n);
    auto y = b.write(ir::f32, "y", n);
    declare(b, n);
    auto i = b.global_id();
    b.if_(i < n, [&] { y[i] = x[i]; });
  }));
}

TEST(V1ShapeOf, ReadsWhatTheProgramDeclares) {
  const std::vector<std::uint64_t> shape{100, 100, 100};
  const ir::Sequence plain = sized([](ir::Builder&, const ir::Value&) {});
  EXPECT_FALSE(declared_workgroup(plain));
  auto got = v1_shape_of(plain, shape);
  ASSERT_TRUE(got);
  EXPECT_EQ(got->fingerprint, plain.fingerprint());
  EXPECT_EQ(got->workgroup_size, (Extent{64, 1, 1}));
  EXPECT_FALSE(got->workgroup_count);
  EXPECT_EQ(got->output_bytes, 400U);

  const ir::Sequence fixed = sized([](ir::Builder& b, const ir::Value&) {
    b.workgroup(b.tunable("wide", 32) * 4, 2);
    b.grid(7);
  });
  EXPECT_EQ(declared_workgroup(fixed), (Extent{128, 2, 1}));
  got = v1_shape_of(fixed, shape);
  EXPECT_EQ(got->workgroup_size, (Extent{128, 2, 1}));
  EXPECT_EQ(got->workgroup_count, (Extent{7, 1, 1}));

  const ir::Sequence covering = sized([](ir::Builder& b, const ir::Value& n) { b.grid(n); });
  EXPECT_FALSE(v1_shape_of(covering, shape)->workgroup_count);
  EXPECT_EQ(v1_shape_of(plain, std::span(shape).first(1)).error().message,
            "\"sized\": the shape has 1 numbers, which is fewer than it has buffers");
  const ir::Sequence steps = *primitives::softmax_step(1U << 20U);
  EXPECT_FALSE(declared_workgroup(steps));
  EXPECT_EQ(v1_shape_of(steps, shape).error().message,
            "\"softmax_step\" has 3 steps; a v1 shape describes one program");
}

TEST(NaturalGradient, TemperatureFollowsTheBest) {
  EXPECT_EQ(relative_temperature_ns(0), 1U);
  EXPECT_EQ(relative_temperature_ns(8'000'000), 800'000U);
  const Times times{10'000'000, 11'000'000};
  EXPECT_EQ(natural_gradient_step(times, *identity_fisher_q16(2))->weights_q16,
            (Words{47911, 17625}));
}

TEST(Resize, GivesTheOriginalsSuggestionsButForZero) {
  const auto rows = testing::load_golden(VYRE_SOURCE_DIR, "resize.json");
  ASSERT_EQ(rows.size(), 200U);
  int zeros = 0;
  for (const auto& row : rows) {
    const ResizePolicy policy{.adapter_max = row["adapter_max"],
                              .minimum = row["minimum"],
                              .saturation_per_us = row["saturation_per_us"],
                              .idle_shrink_us = u64(row["idle_shrink_us"])};
    const auto throughput = row["throughput_per_us"];
    const TunerFeedback feedback{.idle_us = u64(row["idle_us"]),
                                 .observed_workgroup_size_x = row["observed_x"],
                                 .observed_throughput_per_us = throughput.is_number()
                                                                   ? throughput.get<double>()
                                                                   : std::nan("")};
    std::optional<std::uint32_t> expected;
    if (!row["suggest"].is_null()) expected = row["suggest"].get<std::uint32_t>();
    zeros += expected == 0U ? 1 : 0;
    if (expected == 0U) expected.reset();
    EXPECT_EQ(policy.suggest(feedback), expected) << row.dump();
  }
  EXPECT_EQ(zeros, 8);
}

TEST(Resize, HasNoAnswerToNan) {
  const TunerFeedback nan{.observed_workgroup_size_x = 64,
                          .observed_throughput_per_us = std::nan("")};
  EXPECT_FALSE(ResizePolicy{}.suggest(nan));
  EXPECT_FALSE(SteadyResize().suggest(nan));
}

// A device on which large workgroups wait for memory and small ones do not fill it: at 256 it
// idles, at 128 it is below saturation.
TunerFeedback synthetic_device(std::uint32_t size) {
  return {.idle_us = size >= 256 ? 200'000U : 0U,
          .observed_workgroup_size_x = size,
          .observed_throughput_per_us = size >= 256 ? 0.7 : 0.8 * size / 128.0};
}

template <class Policy>
Words sizes_taken(Policy policy, std::uint32_t size, int rounds) {
  Words out{size};
  for (int round = 0; round < rounds; ++round) {
    size = policy.suggest(synthetic_device(size)).value_or(size);
    out.push_back(size);
  }
  return out;
}

TEST(SteadyResize, SettlesWhereThePlainPolicyOscillates) {
  EXPECT_EQ(sizes_taken(ResizePolicy{}, 64, 7), (Words{64, 128, 256, 128, 256, 128, 256, 128}));
  EXPECT_EQ(sizes_taken(SteadyResize(), 64, 7), (Words{64, 128, 256, 128, 128, 128, 128, 128}));
  EXPECT_EQ(sizes_taken(SteadyResize(), 1024, 5), (Words{1024, 512, 256, 128, 128, 128}));
}

TEST(SteadyResize, WaitsForWhatItSuggested) {
  SteadyResize policy;
  EXPECT_EQ(policy.suggest(synthetic_device(64)), 128U);
  EXPECT_FALSE(policy.suggest(synthetic_device(64)));
  EXPECT_FALSE(policy.suggest(synthetic_device(64)));
  EXPECT_EQ(policy.suggest(synthetic_device(128)), 256U);
}

TEST(SteadyResize, StartsAgainWhenTheWorkChanges) {
  SteadyResize policy;
  TunerFeedback slow{.observed_workgroup_size_x = 64, .observed_throughput_per_us = 0.5};
  TunerFeedback fast{.observed_workgroup_size_x = 128, .observed_throughput_per_us = 0.2};
  EXPECT_EQ(policy.suggest(slow), 128U);
  EXPECT_EQ(policy.suggest(fast), 64U);   // measured, and worse
  EXPECT_FALSE(policy.suggest(slow));     // 128 is known to be worse
  slow.observed_throughput_per_us = 0.1;  // other work
  EXPECT_EQ(policy.suggest(slow), 128U);
}

}  // namespace
}  // namespace vyre
