// Choosing a workgroup size: the original's policies against the general campaign, on the same
// sizes. Counted are runs of kernels; the decisions are compared by alternating runs.

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "base/check.h"
#include "base/statistics.h"
#include "testing/bench.h"
#include "tune/campaign.h"
#include "tune/in_process.h"
#include "tune/problem_call.h"
#include "vyre/builder.h"
#include "vyre/opencl.h"
#include "vyre/substrate/workgroup.h"

namespace vyre::testing {
namespace {

constexpr std::uint32_t kCount = 1 << 22;
constexpr std::uint32_t kSamples = 31;
constexpr int kCampaigns = 5;

// Counts the runs that are asked of it.
class CountingEvaluator final : public Evaluator {
 public:
  explicit CountingEvaluator(std::unique_ptr<Evaluator> inner) : inner_(std::move(inner)) {}

  Expected<void> start(const Work& work) override {
    ++runs;
    return inner_->start(work);
  }
  Expected<std::optional<Answer>> next(double until) override { return inner_->next(until); }
  void give_up() override { inner_->give_up(); }
  double now_seconds() const override { return inner_->now_seconds(); }

  std::uint64_t runs = 0;

 private:
  std::unique_ptr<Evaluator> inner_;
};

Problem saxpy(const DeviceLimits& limits) {
  const auto program = ir::build("saxpy", [](ir::Builder& b) {
    auto n = b.shape("n");
    auto x = b.read(ir::f32, "x", n);
    auto y = b.read_write(ir::f32, "y", n);
    auto i = b.global_id(0);
    b.if_(i < n, [&] { y[i] = 2.0F * x[i] + y[i]; });
  });
  VYRE_CHECK(program);
  const auto sequence = ir::Sequence::make(*program);
  const auto choice = workgroup_choice(*sequence, limits);
  VYRE_CHECK(choice);
  const std::vector<float> ones(kCount, 1.0F);
  const auto bytes = as_input(ones);
  const std::vector<std::byte> content(bytes.begin(), bytes.end());
  return {.name = "saxpy",
          .sequence = *sequence,
          .space = choice->space,
          .default_index = choice->default_index,
          .inputs = std::make_shared<const Outputs>(Outputs{content, content})};
}

struct Chosen {
  std::vector<double> runs = {};
  std::vector<std::uint64_t> best = {};
};

Chosen choose(const std::shared_ptr<Device>& device, const Problem& problem,
              std::optional<Mode> policy) {
  Chosen out;
  for (int k = 0; k < kCampaigns; ++k) {
    CountingEvaluator evaluator(evaluate_in_process(device, problem));
    CampaignOptions options{.seed = static_cast<std::uint64_t>(k),
                            .budget = {.seconds = 30, .evaluations = 100}};
    if (policy) options.workgroup = {.mode = *policy, .sequence = problem.sequence};
    const auto report = run_campaign(task_of(problem, device->info()), evaluator, options);
    VYRE_CHECK(report);
    out.runs.push_back(static_cast<double>(evaluator.runs));
    out.best.push_back(report->best);
  }
  return out;
}

double run_ms(Evaluator& evaluator, std::uint64_t index) {
  const auto answer = answer_of(evaluator, {Step::sample, index});
  VYRE_CHECK(answer && answer->result.status == Status::ok);
  return answer->result.time_ms;
}

// The time of what was chosen, a median over campaigns and alternating runs.
std::pair<double, double> side_by_side(const std::shared_ptr<Device>& device,
                                       const Problem& problem, const Chosen& first,
                                       const Chosen& second) {
  const auto evaluator = evaluate_in_process(device, problem);
  std::vector<double> ns[2];
  for (std::uint32_t k = 0; k < kSamples; ++k) {
    for (int c = 0; c < kCampaigns; ++c) {
      const auto at = static_cast<std::size_t>(c);
      ns[0].push_back(run_ms(*evaluator, first.best[at]));
      ns[1].push_back(run_ms(*evaluator, second.best[at]));
    }
  }
  return {median(ns[0]), median(ns[1])};
}

VYRE_BENCHMARK(workgroup) {
  const auto device = open_device("opencl");
  if (!device) return;
  const Problem problem = saxpy((*device)->info().limits);
  const Chosen general = choose(*device, problem, std::nullopt);
  for (const auto& [mode, name] :
       {std::pair{Mode::on, "best_of"}, std::pair{Mode::natural, "natural_search"}}) {
    const Chosen policy = choose(*device, problem, mode);
    const auto [ours, theirs] = side_by_side(*device, problem, policy, general);
    report.add({.name = fmt::format("workgroup size of saxpy, {} sizes: runs of {}",
                                    problem.space.size(), name),
                .value = median(policy.runs),
                .unit = "runs",
                .baseline = median(general.runs),
                .goal = at_most(1),
                .note = "baseline: the general campaign"});
    report.add({.name = fmt::format("workgroup size of saxpy: speed of what {} chose", name),
                .value = 1 / ours,
                .unit = "1/ms",
                .baseline = 1 / theirs,
                .goal = at_least(0.97)});
  }
}

}  // namespace
}  // namespace vyre::testing
