// vyre_record_chain: every plan of a chain with every value of its tunables, timed, as a recording.
//
//   vyre_record_chain compile CHAIN.vyre [NAME=VALUE,VALUE...]...
//   vyre_record_chain time ROUNDS OUT_T4.json.gz CHAIN.vyre [NAME=VALUE,VALUE...]...
//
// NAME is a shape, which gets this size, or a tunable: then only configurations with these values
// are taken. `compile` runs each once, compares its output with the default's and leaves PoCL's
// cache full, so that `time` finds everything compiled: the machine must be quiet for `time` only.
// `time` adds rounds to the file, which it makes if there is none.
//
// A round samples every configuration once, in a random order. A machine that is slow for seconds
// then hits a few samples of many configurations, and not all samples of a few; medians over rounds
// leave it out. All configurations share their memory and those kernels that they have in common,
// so nothing is allocated or compiled between two samples.

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <random>

#include "base/error.h"
#include "base/statistics.h"
#include "e2e/chain_stage.h"
#include "e2e/slow_times.h"
#include "fuse/rates.h"
#include "tune/compare.h"
#include "vyre/problem.h"
#include "vyre/recording.h"

namespace {

using namespace vyre;
using recording::Recording;

// As in campaigns: a run that takes this long is a sample, a shorter one only warms up.
constexpr double kLongMs = 20;
// Twice as many as in campaigns: a recording is to say what is true more than what is seen.
constexpr std::size_t kMostRuns = 9;
constexpr double kEnoughMs = 6;

// ---- Which configurations

struct Wish {
  std::string name;
  std::vector<std::int64_t> values;
};

bool is_wanted(const Config& config, std::span<const Wish> wishes) {
  return std::ranges::all_of(wishes, [&](const Wish& wish) {
    const Value* value = config.find(wish.name);
    return value != nullptr &&
           std::ranges::find(wish.values, std::get<std::int64_t>(*value)) != wish.values.end();
  });
}

// The default first, whatever is wished: replays begin there.
std::vector<Config> configs_of(const Problem& problem, std::span<const Wish> wishes) {
  std::vector<Config> out{problem.space.config_at(problem.default_index)};
  for (std::uint64_t k = 0; k < problem.space.size(); ++k) {
    const Config config = problem.space.config_at(k);
    if (k != problem.default_index && is_wanted(config, wishes)) out.push_back(config);
  }
  return out;
}

// A recording lists the values that occur, ascending; tunables of chains are integers.
Recording empty_recording(const std::vector<Config>& configs) {
  Recording out;
  out.rows.resize(configs.size());
  for (std::size_t p = 0; p < configs[0].size(); ++p) {
    std::vector<std::int64_t> values;
    for (const Config& c : configs) values.push_back(std::get<std::int64_t>(c.entries()[p].second));
    std::vector<std::int64_t> sorted = values;
    std::ranges::sort(sorted);
    sorted.erase(std::ranges::unique(sorted).begin(), sorted.end());
    out.parameters.push_back({configs[0].entries()[p].first, {sorted.begin(), sorted.end()}});
    for (std::size_t k = 0; k < configs.size(); ++k) {
      const auto at = std::ranges::lower_bound(sorted, values[k]) - sorted.begin();
      out.rows[k].point.push_back(static_cast<std::uint32_t>(at));
    }
  }
  return out;
}

Config config_of(const Recording& recording, const recording::Row& row) {
  Config out;
  for (std::size_t p = 0; p < recording.parameters.size(); ++p) {
    const space::Parameter& parameter = recording.parameters[p];
    out.set(parameter.name, parameter.values[row.point[p]]);
  }
  return out;
}

// With all that a hint of the roofline needs, so that replays need no device.
Expected<void> describe(ChainStage& stage, Recording& out) {
  const DeviceInfo& device = stage.device()->info();
  VYRE_TRY(const fuse::Rates rates, fuse::measure_rates(stage.device()));
  out.metadata.set("kernel", stage.problem().name);
  for (const auto& [name, size] : stage.problem().sizes) {
    out.metadata.set(name, static_cast<std::int64_t>(size));
  }
  out.metadata.set("device", device.name);
  out.metadata.set("driver", fmt::format("{} {}", device.backend, device.driver));
  out.metadata.set("bytes_per_ns", rates.bytes_per_ns);
  out.metadata.set("operations_per_ns", rates.operations_per_ns);
  out.metadata.set("launch_ns", rates.launch_ns);
  out.metadata.set("local_bytes", static_cast<std::int64_t>(device.limits.local_bytes));
  out.metadata.set("workgroup_items", static_cast<std::int64_t>(device.limits.workgroup_items));
  return {};
}

// ---- Compiling

Expected<void> compile(ChainStage& stage, std::span<const Wish> wishes) {
  const std::vector<Config> configs = configs_of(stage.problem(), wishes);
  Outputs wanted;
  for (std::size_t k = 0; k < configs.size(); ++k) {
    VYRE_TRY(const auto call, stage.bind(configs[k]));
    VYRE_TRY_VOID(stage.restore());
    VYRE_TRY_VOID(stage.run_ms(*call));
    VYRE_TRY(Outputs got, stage.outputs());
    if (k == 0) wanted = got;
    if (const auto difference = first_difference(stage.problem(), got, wanted)) {
      return bad_inputs("{}: {}", to_string(configs[k]), *difference);
    }
    if (k % 50 == 0) fmt::print(stderr, "{}: {} of {}\n", stage.problem().name, k, configs.size());
  }
  fmt::print("{}: {} configurations agree\n", stage.problem().name, configs.size());
  return {};
}

// ---- Timing

Expected<double> sample_ms(ChainStage& stage, const backend::BoundCall& call) {
  VYRE_TRY(const double first, stage.run_ms(call));
  if (first >= kLongMs) return first;
  std::vector<double> ms;
  double sum = 0;
  while (ms.size() < kMostRuns && sum < kEnoughMs) {
    VYRE_TRY(ms.emplace_back(), stage.run_ms(call));
    sum += ms.back();
  }
  return median(ms);
}

std::size_t samples_in(const Recording& recording) {
  std::size_t out = 0;
  for (const recording::Row& row : recording.rows) out += row.run_ms.size();
  return out;
}

using Calls = std::vector<std::shared_ptr<const backend::BoundCall>>;

Expected<std::size_t> fastest(ChainStage& stage, const Calls& calls) {
  std::size_t best = 0;
  double best_ms = HUGE_VAL;
  for (std::size_t k = 0; k < calls.size(); ++k) {
    VYRE_TRY(const double ms, stage.run_ms(*calls[k]));
    if (ms < best_ms) best = k;
    best_ms = std::min(best_ms, ms);
  }
  return best;
}

Expected<void> add_rounds(ChainStage& stage, std::size_t rounds, Recording& recording) {
  Calls calls;
  std::vector<std::size_t> order;
  for (const recording::Row& row : recording.rows) {
    VYRE_TRY(calls.emplace_back(), stage.bind(config_of(recording, row)));
    order.push_back(order.size());
    VYRE_TRY_VOID(stage.run_ms(*calls.back()));  // loaded before anything is timed
  }
  VYRE_TRY(const std::size_t yardstick, fastest(stage, calls));
  VYRE_TRY(double before_ms, sample_ms(stage, *calls[yardstick]));
  std::mt19937_64 random(samples_in(recording));
  std::vector<Sample> samples;
  for (std::size_t round = 0; round < rounds; ++round) {
    std::ranges::shuffle(order, random);
    for (const std::size_t row : order) {
      VYRE_TRY(const double ms, sample_ms(stage, *calls[row]));
      VYRE_TRY(const double behind_ms, sample_ms(stage, *calls[yardstick]));
      samples.push_back({row, ms, std::max(before_ms, behind_ms)});
      before_ms = behind_ms;
    }
  }
  SlowTimes(std::move(samples)).add_to(recording);
  for (recording::Row& row : recording.rows) row.time_ms = median(row.run_ms);
  return {};
}

Expected<void> time(ChainStage& stage, std::size_t rounds, const std::filesystem::path& file,
                    std::span<const Wish> wishes) {
  Recording recording;
  if (std::filesystem::exists(file)) {
    VYRE_TRY(recording, recording::read_recording(file));
  } else {
    recording = empty_recording(configs_of(stage.problem(), wishes));
    VYRE_TRY_VOID(describe(stage, recording));
  }
  VYRE_TRY_VOID(add_rounds(stage, rounds, recording));
  fmt::print("{}: {} configurations, {} samples\n", stage.problem().name, recording.rows.size(),
             samples_in(recording));
  return recording::write_t4(file, recording);
}

// ---- The command

std::vector<Wish> wishes_of(std::span<char*> words) {
  std::vector<Wish> out;
  for (const std::string_view word : words) {
    const std::size_t equals = std::min(word.find('='), word.size());
    Wish& wish = out.emplace_back(Wish{std::string(word.substr(0, equals)), {}});
    for (std::size_t at = equals; at < word.size();
         at = std::min(word.find(',', at), word.size())) {
      ++at;
      std::int64_t value = 0;
      std::from_chars(word.data() + at, word.data() + word.size(), value);
      wish.values.push_back(value);
    }
  }
  return out;
}

// Those wishes that name a shape become sizes.
Expected<Problem> problem_of(const char* chain, std::vector<Wish>& wishes) {
  VYRE_TRY(Problem usual, load_chain(chain, {.fuse = true}));
  ChainOptions options{.fuse = true};
  std::erase_if(wishes, [&](const Wish& wish) {
    if (!usual.sizes.contains(wish.name) || wish.values.empty()) return false;
    options.sizes[wish.name] = static_cast<std::uint64_t>(wish.values[0]);
    return true;
  });
  return options.sizes.empty() ? std::move(usual) : load_chain(chain, options);
}

Expected<void> run(std::span<char*> words) {
  const bool is_timed = std::string_view(words[1]) == "time";
  const std::size_t chain = is_timed ? 4 : 2;
  std::vector<Wish> wishes = wishes_of(words.subspan(chain + 1));
  VYRE_TRY(Problem problem, problem_of(words[chain], wishes));
  VYRE_TRY(auto device, open_best_device());
  VYRE_TRY(ChainStage stage, ChainStage::make(std::move(device), std::move(problem)));
  if (!is_timed) return compile(stage, wishes);
  return time(stage, std::strtoull(words[2], nullptr, 10), words[3], wishes);
}

}  // namespace

int main(int argc, char** argv) {
  const std::span<char*> words(argv, static_cast<std::size_t>(argc));
  const std::string_view what = argc > 1 ? argv[1] : "";
  if (!(what == "compile" && argc > 2) && !(what == "time" && argc > 4)) {
    fmt::print(
        stderr,
        "usage: vyre_record_chain compile CHAIN.vyre [NAME=VALUE,VALUE...]...\n"
        "       vyre_record_chain time ROUNDS OUT_T4.json.gz CHAIN.vyre [NAME=VALUE...]...\n");
    return 2;
  }
  const auto done = run(words);
  if (done) return 0;
  fmt::print(stderr, "vyre_record_chain: {}\n", done.error().message);
  return 1;
}
