// Fusion as a tuned decision, chain by chain (examples/chains).
//
// Three problems are tuned with the same number of evaluations: the chain as it is written, the
// chain with its plans, and the chain as it was fused by hand. Then the three winners run in turn,
// and each round gives its ratios, so that a change of clock speed hits all of them. Times are
// spans on the device's clock, fills with zeros included.

#include <fmt/format.h>

#include <array>
#include <chrono>
#include <cmath>

#include "backend/owned_call.h"
#include "base/check.h"
#include "base/statistics.h"
#include "testing/bench.h"
#include "testing/chains.h"
#include "tune/in_process.h"
#include "vyre/fuse.h"
#include "vyre/tune.h"

namespace vyre::testing {
namespace {

constexpr std::uint64_t kEvaluations = 60;
constexpr std::uint32_t kRounds = 21;
constexpr std::uint32_t kWallRuns = 21;

struct Rival {
  Problem problem;
  std::uint64_t best = 0;
  std::unique_ptr<Evaluator> evaluator;

  Config config() const { return problem.space.config_at(best); }
  double run_ms() const {
    const auto answer = answer_of(*evaluator, {Step::sample, best});
    VYRE_CHECK(answer && answer->result.status == Status::ok);
    return answer->result.time_ms;
  }
};

Rival tuned(const std::shared_ptr<Device>& device, const Expected<Problem>& problem) {
  VYRE_CHECK(problem);
  const auto found = tune(
      device, *problem,
      {.seconds = 0, .evaluations = kEvaluations, .workers = {.isolation = Isolation::in_process}});
  VYRE_CHECK(found);
  return {*problem, found->report.best, evaluate_in_process(device, *problem)};
}

// How long a caller waits for the chosen configuration, with all memory on the device already.
double wall_ms(const std::shared_ptr<Device>& device, const Rival& rival) {
  using Clock = std::chrono::steady_clock;
  const auto inputs = inputs_of(rival.problem);
  const auto arguments = arguments_of(rival.problem);
  const Config config = rival.config();
  const auto call =
      backend::OwnedCall::make(device, rival.problem.sequence,
                               Call{.inputs = inputs, .arguments = arguments, .config = &config});
  VYRE_CHECK(call);
  std::vector<backend::InputContent> contents;
  for (const Input& input : inputs) contents.push_back({.host = input});
  VYRE_CHECK((*call)->write_inputs(contents));
  std::vector<double> ms;
  for (std::uint32_t k = 0; k < kWallRuns; ++k) {
    const auto start = Clock::now();
    VYRE_CHECK((*call)->run());
    ms.push_back(std::chrono::duration<double, std::milli>(Clock::now() - start).count());
  }
  return median(ms);
}

struct Contest {
  std::array<double, 3> ms{};  // of the chain as written, with its plans, by hand
  double gain = 0;             // as written / chosen
  double by_hand = 0;          // by hand / chosen
};

Contest side_by_side(const std::array<const Rival*, 3>& rivals) {
  std::array<std::vector<double>, 3> ms;
  std::vector<double> gain;
  std::vector<double> by_hand;
  for (std::uint32_t round = 0; round < kRounds; ++round) {
    for (std::size_t k = 0; k < 3; ++k) {
      const std::size_t whose = round % 2 == 0 ? k : 2 - k;
      ms[whose].push_back(rivals[whose]->run_ms());
    }
    gain.push_back(ms[0].back() / ms[1].back());
    by_hand.push_back(ms[2].back() / ms[1].back());
  }
  return {{median(ms[0]), median(ms[1]), median(ms[2])}, median(gain), median(by_hand)};
}

struct Measured {
  const Chain* chain = nullptr;
  Contest contest;
};
std::vector<Measured>& all_measured() {
  static std::vector<Measured> measured;
  return measured;
}

void add_rows(Report& report, const Chain& chain, const Contest& contest, const Rival& chosen) {
  const std::string plan = fuse::describe_plan(chosen.config());
  report.add({.name = fmt::format("fusion of {}: tuned unfused over chosen", chain.name),
              .value = contest.ms[0],
              .unit = "ms",
              .baseline = contest.ms[1],
              .ratio = contest.gain,
              .goal = at_least(0.98),
              .note = plan.empty() ? "nothing is fused" : plan});
  report.add({.name = fmt::format("fusion of {}: by hand over chosen", chain.name),
              .value = contest.ms[2],
              .unit = "ms",
              .baseline = contest.ms[1],
              .ratio = contest.by_hand,
              .goal = at_least(0.9),
              .note = to_string(chosen.config())});
}

// The original and what is widened from it compute the same, so the latter is compared with the
// output of its default, which is the original; the program by hand with the same, through the
// plain computation's tolerance.
void measure(Report& report, std::string_view name) {
  const auto device = open_device("opencl");
  if (!device) return;
  const auto chain = std::ranges::find(chains(), name, &Chain::name);
  VYRE_CHECK(chain != chains().end());
  const ir::Sequence written = chain_as_written(VYRE_SOURCE_DIR, *chain);
  const Rival unfused = tuned(*device, problem_for(*chain, written, {}));
  const Rival chosen = tuned(*device, problem_for(*chain, written, {}, Plans::all));
  const Rival by_hand =
      tuned(*device, problem_for(*chain, chain_by_hand(VYRE_SOURCE_DIR, *chain), {}));
  const Contest contest = side_by_side({&unfused, &chosen, &by_hand});
  add_rows(report, *chain, contest, chosen);
  report.add({.name = fmt::format("fusion of {}: chosen, wall clock", name),
              .value = wall_ms(*device, chosen),
              .unit = "ms",
              .baseline = wall_ms(*device, unfused),
              .note = "baseline: tuned unfused"});
  all_measured().push_back({&*chain, contest});
}

// The geometric mean of a ratio over the chains that `counts` takes.
template <class Counts, class Ratio>
double mean_of(const Counts& counts, const Ratio& ratio) {
  double sum = 0;
  int chains = 0;
  for (const Measured& m : all_measured()) {
    if (!counts(*m.chain)) continue;
    sum += std::log(ratio(m.contest));
    ++chains;
  }
  return chains == 0 ? 0 : std::exp(sum / chains);
}

#define VYRE_FUSION_OF(chain) \
  VYRE_BENCHMARK(fusion_of_##chain) { measure(report, #chain); }

VYRE_FUSION_OF(vadd)
VYRE_FUSION_OF(waxpby)
VYRE_FUSION_OF(saxpy4)
VYRE_FUSION_OF(axpydot)
VYRE_FUSION_OF(gesummv)
VYRE_FUSION_OF(gemver)
VYRE_FUSION_OF(rmsnorm)
VYRE_FUSION_OF(layernorm)
VYRE_FUSION_OF(softmax)
VYRE_FUSION_OF(blur)
VYRE_FUSION_OF(unsharp)
VYRE_FUSION_OF(harris)
VYRE_FUSION_OF(gemm_bias_gelu)
VYRE_FUSION_OF(attention)

// Behind all of the above: benchmarks run in the order of their names.
VYRE_BENCHMARK(fusion_overall) {
  if (all_measured().empty()) return;
  report.add({.name = "fusion: tuned unfused over chosen, geometric mean of those that must gain",
              .value = mean_of([](const Chain& c) { return c.must_gain; },
                               [](const Contest& c) { return c.gain; }),
              .unit = "times",
              .goal = at_least(1.6),
              .note = fmt::format("{} chains were measured", all_measured().size())});
  report.add({.name = "fusion: by hand over chosen, geometric mean",
              .value = mean_of([](const Chain&) { return true; },
                               [](const Contest& c) { return c.by_hand; }),
              .unit = "times",
              .goal = at_least(0.95)});
}

}  // namespace
}  // namespace vyre::testing
