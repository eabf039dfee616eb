// How near to the best of all plans a campaign of 60 evaluations comes, on recordings of whole
// spaces.
//
// recordings/chains/ has one recording per chain, every plan with every value of its tunables;
// bench/e2e/README.md says how they are made. A campaign is near if the median of what it chose is
// at most 2 % above the best median of all.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "base/check.h"
#include "testing/bench.h"
#include "tune/campaign.h"
#include "vyre/recording.h"

namespace vyre::testing {
namespace {

constexpr std::uint64_t kCampaigns = 100;
constexpr std::uint64_t kEvaluations = 60;
constexpr double kNear = 1.02;

std::vector<std::filesystem::path> chain_recordings() {
  std::vector<std::filesystem::path> out;
  const auto folder = std::filesystem::path(VYRE_SOURCE_DIR) / "recordings" / "chains";
  std::error_code none;
  for (const auto& entry : std::filesystem::directory_iterator(folder, none)) {
    if (entry.path().extension() == ".gz") out.push_back(entry.path());
  }
  std::ranges::sort(out);
  return out;
}

// By row; infinite where the configuration failed.
std::vector<double> medians(const recording::Recording& recording) {
  std::vector<double> out;
  for (const recording::Row& row : recording.rows) {
    const bool ran = row.status == recording::Status::ok && !row.run_ms.empty();
    out.push_back(ran ? estimate(row.run_ms).ns : HUGE_VAL);
  }
  return out;
}

// The share of campaigns that come near.
double share_near(const recording::Recording& recording, const std::string& name) {
  const std::vector<double> truth = medians(recording);
  const double best = std::ranges::min(truth);
  std::uint64_t near = 0;
  for (std::uint64_t seed = 0; seed < kCampaigns; ++seed) {
    auto device = Replay::make(recording);
    VYRE_CHECK(device);
    const SearchTask task{
        .name = name, .identity = "recorded", .space = device->space(), .default_index = 0};
    const auto report = run_campaign(
        task, *device, {.seed = seed, .budget = {.seconds = 0, .evaluations = kEvaluations}});
    VYRE_CHECK(report);
    if (truth[report->best] <= kNear * best) ++near;
  }
  return static_cast<double>(near) / static_cast<double>(kCampaigns);
}

VYRE_BENCHMARK(fusion_replay) {
  double sum = 0;
  const auto files = chain_recordings();
  for (const auto& file : files) {
    const auto recording = recording::read_recording(file);
    VYRE_CHECK(recording);
    std::string name = file.filename();
    name.resize(name.find("_T4"));
    const double share = share_near(*recording, name);
    sum += share;
    report.add({.name = fmt::format("replayed campaigns of {}, {} configurations: within 2 %", name,
                                    recording->rows.size()),
                .value = share,
                .unit = "share"});
  }
  if (files.empty()) return;
  report.add({.name = "replayed campaigns of all recorded chains: within 2 % of the best plan",
              .value = sum / static_cast<double>(files.size()),
              .unit = "share",
              .goal = at_least(0.95)});
}

}  // namespace
}  // namespace vyre::testing
