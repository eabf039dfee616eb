#include "testing/recorded_races.h"

#include <algorithm>
#include <numeric>
#include <random>

namespace vyre::testing {
namespace {

constexpr std::size_t kCandidates = 50;
constexpr double kUsualSamples = 7;  // per configuration: what tuners take

using Random = std::mt19937_64;

struct Field {
  std::vector<std::vector<double>> runs_ns;
  std::vector<double> median_ns;
};

// Draws by hand: the standard's distributions and shuffles differ between libraries.
template <class T>
void shuffle(std::vector<T>& values, std::size_t first, Random& random) {
  for (std::size_t k = 0; k < first; ++k) {
    std::swap(values[k], values[k + random() % (values.size() - k)]);
  }
}

Field draw(const RecordedRuns& recorded, Random& random) {
  std::vector<std::size_t> rows(recorded.runs_ns.size());
  std::iota(rows.begin(), rows.end(), 0U);
  const std::size_t count = std::min(kCandidates, rows.size());
  shuffle(rows, count, random);
  rows.resize(count);
  std::sort(rows.begin(), rows.end());
  Field field;
  for (const std::size_t row : rows) {
    field.runs_ns.push_back(recorded.runs_ns[row]);
    field.median_ns.push_back(recorded.median_ns[row]);
  }
  return field;
}

Outcome race(Field field, const RaceOptions& options, RunOrder order, Random& random) {
  if (order == RunOrder::shuffled) {
    for (auto& runs : field.runs_ns) shuffle(runs, runs.size(), random);
  }
  Race race(options);
  for (std::size_t id = 0; id < field.runs_ns.size(); ++id) race.add({.id = id});
  std::vector<std::size_t> next(field.runs_ns.size(), 0);
  for (auto round = race.next_round(); !round.empty(); round = race.next_round()) {
    for (const std::uint64_t id : round) {
      race.tell(id, field.runs_ns[id][next[id]++ % field.runs_ns[id].size()]);
    }
  }
  return *race.outcome();
}

double share(bool is_so, std::uint32_t races) { return is_so ? 1.0 / races : 0; }

}  // namespace

RecordedRuns recorded_runs(std::string name, const recording::Recording& recording) {
  RecordedRuns recorded{.name = std::move(name), .runs_ns = {}, .median_ns = {}};
  for (const recording::Row& row : recording.rows) {
    if (row.status != recording::Status::ok || row.run_ms.empty()) continue;
    std::vector<double> runs_ns;
    for (const double ms : row.run_ms) runs_ns.push_back(ms * 1e6);
    recorded.median_ns.push_back(estimate(runs_ns).ns);
    recorded.runs_ns.push_back(std::move(runs_ns));
  }
  return recorded;
}

RaceFigures race_recorded(const RecordedRuns& recorded, const RaceOptions& options, RunOrder order,
                          std::uint32_t races) {
  // The constants of the race were chosen on other draws.
  Random random(20261);
  RaceFigures figures;
  for (std::uint32_t k = 0; k < races; ++k) {
    const Field field = draw(recorded, random);
    const Outcome one = race(field, options, order, random);
    const Outcome other = race(field, options, order, random);
    const auto best = std::min_element(field.median_ns.begin(), field.median_ns.end());
    const auto& best_runs = field.runs_ns[static_cast<std::size_t>(best - field.median_ns.begin())];
    const double noise = std::max(0.01, relative_spread(best_runs).value_or(0));
    const double excess = field.median_ns[one.winner] / *best - 1;
    figures.within_1_percent += share(excess <= 0.01, races);
    figures.within_noise += share(excess <= noise, races);
    figures.agreement += share(one.winner == other.winner, races);
    const double usual = kUsualSamples * static_cast<double>(field.runs_ns.size());
    figures.samples += static_cast<double>(one.samples) / usual / races;
  }
  return figures;
}

}  // namespace vyre::testing
