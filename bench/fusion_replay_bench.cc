// How near to the best of all plans a campaign of 60 evaluations comes, and what the hint of the
// roofline and the pruner are worth to it, on recordings of whole spaces.
//
// recordings/chains/ has one recording per chain; bench/e2e/README.md says how they are made. A
// campaign is near if the median of what it chose is at most 2 % above the best median of all.
// Everything is simulated and repeatable: the rates and the limits of the device are taken from the
// recording.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <map>

#include "base/check.h"
#include "base/error.h"
#include "testing/bench.h"
#include "tune/campaign.h"
#include "tune/plan_hint.h"
#include "vyre/recording.h"

namespace vyre::testing {
namespace {

constexpr std::uint64_t kCampaigns = 100;
constexpr std::array<std::uint64_t, 4> kAfter{10, 20, 40, 60};  // evaluations
constexpr double kNear = 1.02;

struct Recorded {
  std::string name;
  Replay device;
  Replay steady;                  // the same without noise: every run takes the median
  std::vector<double> truth;      // the median of each row; infinite where the configuration failed
  std::vector<double> plan = {};  // of each row: the least of those of the same plan
  double best = 0;
  std::size_t plans = 0;
  Hint hint = {};          // what the roofline says
  std::size_t pruned = 0;  // rows that the pruner leaves out
  double best_pruned = 0;  // the best of the others
};

double number_in(const recording::Recording& recording, std::string_view name) {
  const Value* value = recording.metadata.find(name);
  VYRE_CHECK(value != nullptr);
  if (const auto* whole = std::get_if<std::int64_t>(value)) return static_cast<double>(*whole);
  return std::get<double>(*value);
}

DeviceLimits limits_of(const recording::Recording& recording) {
  const auto items = static_cast<std::uint32_t>(number_in(recording, "workgroup_items"));
  return {.workgroup_items = items,
          .workgroup_size = {items, items, items},
          .buffer_bytes = std::uint64_t{1} << 40U,
          .local_bytes = static_cast<std::uint64_t>(number_in(recording, "local_bytes"))};
}

// Predictions for configurations of the problem, as far as they were recorded.
Hint recorded_part(const Hint& hint, const Problem& problem, const space::Space& recorded) {
  Hint out;
  for (const Hint::Time& t : hint.times) {
    const auto row = recorded.find(problem.space.config_at(t.index));
    if (row) out.times.push_back({*row, t.time});
  }
  return out;
}

// With the recorded sizes.
Expected<Problem> chain_called(const std::string& name, const recording::Recording& recording,
                               std::optional<DeviceLimits> limits) {
  const auto folder = std::filesystem::path(VYRE_SOURCE_DIR) / "examples" / "chains";
  ChainOptions options{.fuse = true, .limits = limits};
  VYRE_TRY(const Problem usual, load_chain(folder / (name + ".vyre"), options));
  for (const auto& [size, value] : usual.sizes) {
    options.sizes[size] = static_cast<std::uint64_t>(number_in(recording, size));
  }
  return load_chain(folder / (name + ".vyre"), options);
}

void add_priors(Recorded& out) {
  const recording::Recording& recording = out.device.recording();
  const DeviceLimits limits = limits_of(recording);
  const auto problem = chain_called(out.name, recording, std::nullopt);
  const auto pruned = chain_called(out.name, recording, limits);
  VYRE_CHECK(problem && pruned);
  const fuse::Rates rates{.bytes_per_ns = number_in(recording, "bytes_per_ns"),
                          .operations_per_ns = number_in(recording, "operations_per_ns"),
                          .launch_ns = number_in(recording, "launch_ns")};
  out.hint = recorded_part(plan_hint(*problem, limits, rates), *problem, out.device.space());
  out.best_pruned = HUGE_VAL;
  for (std::uint64_t row = 0; row < out.truth.size(); ++row) {
    const bool is_left = pruned->space.find(out.device.space().config_at(row)).has_value();
    if (is_left) out.best_pruned = std::min(out.best_pruned, out.truth[row]);
    if (!is_left) ++out.pruned;
  }
}

// The tunables fuse_* are the plan, all others are its tunables.
void add_plans(Recorded& out) {
  std::vector<std::string> plans;
  std::map<std::string, double> best;
  for (std::uint64_t row = 0; row < out.truth.size(); ++row) {
    Config plan;
    const Config config = out.device.space().config_at(row);
    for (const auto& [name, value] : config.entries()) {
      if (name.starts_with("fuse_")) plan.set(name, value);
    }
    plans.push_back(to_string(plan));
    const auto known = best.emplace(plans.back(), out.truth[row]).first;
    known->second = std::min(known->second, out.truth[row]);
  }
  for (const std::string& plan : plans) out.plan.push_back(best.at(plan));
  out.plans = best.size();
}

Recorded load_recorded(const std::filesystem::path& file) {
  auto recording = recording::read_recording(file);
  VYRE_CHECK(recording);
  std::string name = file.filename();
  name.resize(name.find("_T4"));
  std::vector<double> truth;
  for (const recording::Row& row : recording->rows) truth.push_back(row.time_ms.value_or(HUGE_VAL));
  auto device = Replay::make(*recording);
  for (recording::Row& row : recording->rows) row.run_ms.clear();
  auto steady = Replay::make(*std::move(recording));
  VYRE_CHECK(device && steady);
  Recorded out{.name = std::move(name),
               .device = *std::move(device),
               .steady = *std::move(steady),
               .truth = std::move(truth)};
  out.best = std::ranges::min(out.truth);
  add_plans(out);
  add_priors(out);
  return out;
}

std::vector<Recorded> all_recorded() {
  std::vector<std::filesystem::path> files;
  const auto folder = std::filesystem::path(VYRE_SOURCE_DIR) / "recordings" / "chains";
  std::error_code none;
  for (const auto& entry : std::filesystem::directory_iterator(folder, none)) {
    if (entry.path().extension() == ".gz") files.push_back(entry.path());
  }
  std::ranges::sort(files);
  std::vector<Recorded> out;
  for (const auto& file : files) out.push_back(load_recorded(file));
  return out;
}

// Of many campaigns.
struct Course {
  std::array<double, kAfter.size()> fraction{};  // mean share of the best plan's speed by then
  double near = 0;                               // share of campaigns that end near
  double near_plan = 0;  // the same, if the chosen plan had its best tunables
};

// One campaign; the first of them tries the default, which is row 0.
void add_campaign(const Recorded& chain, Replay device, std::vector<Hint> hints, std::uint64_t seed,
                  Course& sum) {
  const SearchTask task{
      .name = chain.name, .identity = "recorded", .space = device.space(), .default_index = 0};
  std::array<double, kAfter.size()> reached{};
  const auto note = [&](const Progress& progress) {
    for (std::size_t k = 0; k < kAfter.size(); ++k) {
      if (progress.evaluations <= kAfter[k]) reached[k] = chain.best / chain.truth[progress.best];
    }
    return true;
  };
  const auto found = run_campaign(task, device,
                                  {.seed = seed,
                                   .budget = {.seconds = 0, .evaluations = kAfter.back()},
                                   .hints = std::move(hints),
                                   .race = {.warm_up_samples = 0},  // recorded runs are warm
                                   .on_progress = note});
  VYRE_CHECK(found);
  reached.back() = chain.best / chain.truth[found->best];
  for (std::size_t k = 0; k < kAfter.size(); ++k) sum.fraction[k] += reached[k];
  if (chain.truth[found->best] <= kNear * chain.best) ++sum.near;
  if (chain.plan[found->best] <= kNear * chain.best) ++sum.near_plan;
}

Course campaigns(const Recorded& chain, const Replay& device, const std::vector<Hint>& hints) {
  Course out;
  for (std::uint64_t seed = 0; seed < kCampaigns; ++seed) {
    add_campaign(chain, device, hints, seed, out);
  }
  for (double& fraction : out.fraction) fraction /= kCampaigns;
  out.near /= kCampaigns;
  out.near_plan /= kCampaigns;
  return out;
}

void add_rows(Report& report, const std::string& name, const Course& hinted, const Course& cold) {
  for (std::size_t k = 0; k < kAfter.size(); ++k) {
    report.add({.name = fmt::format("roofline's hint, {}: of the best plan's speed after {}", name,
                                    kAfter[k]),
                .value = hinted.fraction[k],
                .unit = "x",
                .baseline = cold.fraction[k],
                .note = "baseline: without the hint"});
  }
}

std::string note_on(const Course& hinted, const Course& cold, const Course& steady) {
  return fmt::format(
      "its plan: {:.3f}; without the hint: {:.3f}, its plan {:.3f}; without noise: {:.3f}",
      hinted.near_plan, cold.near, cold.near_plan, steady.near);
}

VYRE_BENCHMARK(fusion_replay) {
  const std::vector<Recorded> chains = all_recorded();
  if (chains.empty()) return;
  Course hinted_mean;
  Course cold_mean;
  Course steady_mean;
  const auto add_to = [&](Course& mean, const Course& one) {
    const auto count = static_cast<double>(chains.size());
    for (std::size_t k = 0; k < kAfter.size(); ++k) mean.fraction[k] += one.fraction[k] / count;
    mean.near += one.near / count;
    mean.near_plan += one.near_plan / count;
  };
  for (const Recorded& chain : chains) {
    const Course hinted = campaigns(chain, chain.device, {chain.hint});
    const Course cold = campaigns(chain, chain.device, {});
    const Course steady = campaigns(chain, chain.steady, {chain.hint});
    add_to(hinted_mean, hinted);
    add_to(cold_mean, cold);
    add_to(steady_mean, steady);
    report.add(
        {.name = fmt::format("replayed campaigns of {}, {} configurations, {} plans: within 2 %",
                             chain.name, chain.truth.size(), chain.plans),
         .value = hinted.near,
         .unit = "share",
         .note = note_on(hinted, cold, steady)});
    report.add({.name = fmt::format("pruner, {}: configurations left out", chain.name),
                .value = static_cast<double>(chain.pruned),
                .unit = "",
                .note = fmt::format("the best of the others has {:.3f} of the best plan's speed",
                                    chain.best / chain.best_pruned)});
    add_rows(report, chain.name, hinted, cold);
  }
  report.add({.name = "replayed campaigns of all recorded chains: within 2 % of the best plan",
              .value = hinted_mean.near,
              .unit = "share",
              .goal = at_least(0.95),
              .note = note_on(hinted_mean, cold_mean, steady_mean)});
  add_rows(report, "mean of all recorded chains", hinted_mean, cold_mean);
}

}  // namespace
}  // namespace vyre::testing
