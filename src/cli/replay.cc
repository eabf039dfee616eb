// `vyre replay`: strategies on recordings of real devices, scored against random search.

#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/files/whole_file.h"
#include "base/gzip.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/recordings.h"
#include "cli/table.h"
#include "report/convergence.h"

namespace vyre::cli {
namespace {

using report::SpaceRuns;
using report::StrategyRuns;

struct ReplayOptions {
  std::vector<std::string> files;
  std::vector<std::string> strategies;
  std::uint32_t runs = 10;
  std::uint32_t budget = 150;
  std::uint32_t horizon = 150;
  std::uint64_t seed = 0;
  std::vector<std::string> siblings;
  std::string out;
  std::string plot;
};

struct RecordedSpace {
  std::string name;
  Replay device;
  Yardstick yardstick;
  std::vector<Hint> hints = {};
};

std::vector<std::string> usual_strategies(bool is_show) {
  if (!is_show) return {"natural"};
  return {"natural", "evolution", "local", "random"};
}

// conv_A100.csv.gz and conv_A100_T4.json.gz are both the space conv_A100.
std::string space_name(const std::filesystem::path& file) {
  std::string name = file.filename();
  for (const char* suffix : {".gz", ".csv", ".json", "_T4"}) {
    if (name.ends_with(suffix)) name.resize(name.size() - std::string_view(suffix).size());
  }
  return name;
}

Expected<RecordedSpace> space_of(const std::string& file, recording::Recording recording,
                                 std::uint32_t horizon) {
  for (const std::string& warning : recording.warnings) {
    fmt::print(stderr, "vyre: {}: {}\n", quote_path(file), warning);
  }
  auto yardstick = Yardstick::make(recording, horizon);
  if (!yardstick) return bad_inputs("{}: {}", quote_path(file), yardstick.error().message);
  VYRE_TRY(Replay device, Replay::make(std::move(recording)));
  return RecordedSpace{space_name(file), std::move(device), *std::move(yardstick)};
}

Expected<std::vector<RecordedSpace>> bundled_spaces(std::uint32_t horizon) {
  constexpr std::size_t kMostBytes = 64U << 20U;
  std::vector<RecordedSpace> out;
  for (const EmbeddedFile& file : embedded_recordings()) {
    const std::string name(file.name);
    VYRE_TRY(const std::string text, gunzip(file.bytes, kMostBytes));
    VYRE_TRY(recording::Recording recording, recording::parse_t4(text, name));
    VYRE_TRY(RecordedSpace space, space_of(name, std::move(recording), horizon));
    out.push_back(std::move(space));
  }
  return out;
}

Expected<std::vector<RecordedSpace>> spaces_of(const ReplayOptions& options) {
  if (options.files.empty()) return bundled_spaces(options.horizon);
  std::vector<RecordedSpace> out;
  for (const std::string& file : options.files) {
    VYRE_TRY(recording::Recording recording, recording::read_recording(file));
    VYRE_TRY(RecordedSpace space, space_of(file, std::move(recording), options.horizon));
    out.push_back(std::move(space));
  }
  return out;
}

// Each space gets hints from all other spaces that know any of its configurations.
Expected<void> seed(std::vector<RecordedSpace>& spaces, const std::vector<std::string>& files) {
  for (const std::string& file : files) {
    VYRE_TRY(const recording::Recording sibling, recording::read_recording(file));
    for (RecordedSpace& space : spaces) {
      if (space.name == space_name(file)) continue;
      Hint hint = hint_of(space.device.space(), sibling);
      if (hint.times.empty()) continue;
      fmt::print("{}: seeded from {}: {} of its {} configurations\n", space.name, space_name(file),
                 hint.times.size(), space.device.space().size());
      space.hints.push_back(std::move(hint));
    }
  }
  return {};
}

void append_json_line(std::string& lines, const std::string& space, const std::string& strategy,
                      const Run& run) {
  nlohmann::ordered_json line{{"space", space}, {"strategy", strategy}, {"seed", run.seed}};
  auto& values = line["values"] = nlohmann::ordered_json::array();
  for (const auto& v : run.values) {
    values.push_back(v ? nlohmann::ordered_json(*v) : nlohmann::ordered_json(nullptr));
  }
  line["wall"] = run.own_seconds;
  line["simulated_seconds"] = run.simulated_seconds;
  lines += line.dump() + '\n';
}

std::string scored(double value) { return fmt::format("{:+.3f}", value); }

Table summary_table(std::string first_column) {
  std::vector<Column> columns{{std::move(first_column)},
                              {"runs", Align::right},
                              {"score", Align::right},
                              {"± s.e.", Align::right},
                              {"worst", Align::right}};
  for (const std::uint32_t mark : kMarks) {
    columns.push_back({fmt::format("@{}", mark), Align::right});
  }
  columns.push_back({"opt@100", Align::right});
  columns.push_back({"evals", Align::right});
  columns.push_back({"ms/eval", Align::right});
  return Table(std::move(columns));
}

void add_row(Table& table, const std::string& name, const Summary& s) {
  std::vector<std::string> cells{name, std::to_string(s.runs), scored(s.score),
                                 fmt::format("{:.3f}", s.score_error),
                                 fmt::format("{:+.2f}", s.worst_space_score)};
  for (const double f : s.fraction) cells.push_back(fmt::format("{:.3f}", f));
  cells.push_back(fmt::format("{:.0f}%", 100 * s.optimum_share[3]));
  cells.push_back(fmt::format("{:.0f}", s.mean_evaluations));
  cells.push_back(fmt::format("{:.2f}", s.own_ms_per_evaluation));
  table.add(std::move(cells));
}

// Of one strategy, per space and over all.
struct Score {
  std::string strategy;
  std::vector<Summary> spaces;
};

std::vector<Score> scores_of(std::span<const SpaceRuns> spaces) {
  std::vector<Score> out;
  for (std::size_t s = 0; s < spaces.front().strategies.size(); ++s) {
    Score& score = out.emplace_back(Score{spaces.front().strategies[s].strategy, {}});
    for (const SpaceRuns& space : spaces) {
      score.spaces.push_back(summarise(*space.yardstick, space.strategies[s].runs));
    }
  }
  return out;
}

void print_tables(std::span<const SpaceRuns> spaces) {
  std::vector<Score> scores = scores_of(spaces);
  for (const Score& s : scores) {
    fmt::print("{}\n", s.strategy);
    Table table = summary_table("space");
    for (std::size_t k = 0; k < spaces.size(); ++k) add_row(table, spaces[k].space, s.spaces[k]);
    fmt::print("{}\n", table.text());
  }
  std::ranges::sort(scores, std::ranges::greater{},
                    [](const Score& s) { return over_spaces(s.spaces).score; });
  fmt::print("over {} space(s)\n", spaces.size());
  Table table = summary_table("strategy");
  for (const Score& s : scores) add_row(table, s.strategy, over_spaces(s.spaces));
  fmt::print("{}", table.text());
  fmt::print(
      "\nscore: 0 is random search, 1 the optimum at once, up to T = {} evaluations."
      "\n@k: fraction of the optimum's speed after k evaluations.\n",
      spaces.front().yardstick->horizon());
}

Expected<std::vector<Run>> runs_of(const RecordedSpace& space, const std::string& strategy,
                                   const ReplayOptions& options) {
  std::vector<Run> out;
  for (std::uint32_t k = 0; k < options.runs; ++k) {
    VYRE_TRY(auto run,
             run_replay(space.device, strategy, {.seed = options.seed + k, .hints = space.hints},
                        options.budget));
    out.push_back(std::move(run));
  }
  return out;
}

std::string json_lines(std::span<const SpaceRuns> spaces) {
  std::string out;
  for (std::size_t s = 0; s < spaces.front().strategies.size(); ++s) {
    for (const SpaceRuns& space : spaces) {
      const StrategyRuns& strategy = space.strategies[s];
      for (const Run& run : strategy.runs) {
        append_json_line(out, space.space, strategy.strategy, run);
      }
    }
  }
  return out;
}

Expected<void> replay(const ReplayOptions& options) {
  for (const std::string& file : {options.out, options.plot}) {
    if (!file.empty()) VYRE_TRY_VOID(check_writable(file));
  }
  VYRE_TRY(std::vector<RecordedSpace> spaces, spaces_of(options));
  VYRE_TRY_VOID(seed(spaces, options.siblings));
  std::vector<SpaceRuns> all;
  for (const RecordedSpace& space : spaces) {
    SpaceRuns& runs = all.emplace_back(SpaceRuns{space.name, &space.yardstick});
    for (const std::string& strategy : options.strategies) {
      VYRE_TRY(auto of_one, runs_of(space, strategy, options));
      runs.strategies.push_back({strategy, std::move(of_one)});
    }
  }
  if (!options.out.empty()) VYRE_TRY_VOID(write_file_atomically(options.out, json_lines(all)));
  if (!options.plot.empty()) {
    VYRE_TRY_VOID(write_file_atomically(options.plot,
                                        report::to_svg(report::convergence(all, options.budget))));
  }
  print_tables(all);
  return {};
}

}  // namespace

void add_replay(Command& vyre, Context& context) {
  auto options = std::make_shared<ReplayOptions>();
  Command command = vyre.add(
      "replay", "Run search strategies on recorded spaces and score them against random search");
  command.option(
      "files", options->files,
      "Recordings: T4, CSV or Kernel Tuner's cache files, gzipped or not; none: those of "
      "bundled kernels on a CPU");
  command.option("--strategy", options->strategies,
                 "Strategies to run, by name: natural, evolution, local, random, exhaustive; none "
                 "named: natural, and without files all but the last",
                 {.has_commas = true});
  command.option("--runs", options->runs, "Runs per space, each with its own seed",
                 {.shows_default = true, .range = {{1, 100'000}}});
  command.option("--budget", options->budget, "Evaluations per run",
                 {.shows_default = true, .range = {{1, 10'000'000}}});
  command.option("--T", options->horizon, "Evaluations that count for the score, at most 400",
                 {.shows_default = true, .range = {{1, 400}}});
  command.option("--seed", options->seed, "Seed of the first run; the next ones count up",
                 {.shows_default = true});
  command.option("--seed-from", options->siblings,
                 "Recordings of other devices, drivers or shapes of the same kernel that the "
                 "search may learn from; one is never a seed for itself",
                 {.has_commas = true, .one_word_each = true});
  command.option("--out", options->out, "Write every run as a line of JSON to this file");
  command.option("--plot", options->plot,
                 "Draw how fast each strategy finds the optimum into this file: SVG");
  command.callback([&context, options] {
    if (options->strategies.empty()) options->strategies = usual_strategies(options->files.empty());
    context.action = [options] { return replay(*options); };
  });
}

}  // namespace vyre::cli
