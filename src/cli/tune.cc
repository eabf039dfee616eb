// `vyre tune`: a kernel and a budget in, a decision that can be trusted out.

#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <atomic>
#include <csignal>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/devices.h"
#include "cli/table.h"
#include "vyre/campaign.h"
#include "vyre/expression.h"
#include "vyre/runtime.h"

namespace vyre::cli {
namespace {

using Json = nlohmann::ordered_json;

struct TuneOptions {
  std::vector<std::string> kernels;
  std::string device = "best";
  double seconds = 12;
  std::uint64_t evaluations = 0;
  std::string strategy = "natural";
  std::uint64_t seed = 1;
  std::vector<std::string> sizes;
  std::string t4_file;
  bool as_json = false;
};

std::atomic<bool> interrupted = false;

void on_interrupt(int) { interrupted = true; }

struct Tuned {
  tuner::Problem problem;
  tuner::CampaignReport report;
  std::string kept;  // where the decision is, or why it is not kept
};

bool is_better(const tuner::CampaignReport& report) {
  return report.elapsed.high_ns < report.default_elapsed.low_ns;
}

Expected<tuner::ProblemSizes> parse_sizes(const std::vector<std::string>& texts) {
  tuner::ProblemSizes sizes;
  for (const std::string& text : texts) {
    const std::size_t equals = text.find('=');
    std::uint64_t value = 0;
    const char* end = text.data() + text.size();
    const char* begin = text.data() + std::min(equals, text.size() - 1) + 1;
    const auto [stop, code] = std::from_chars(begin, end, value);
    if (equals == std::string::npos || equals == 0 || code != std::errc() || stop != end ||
        value == 0) {
      return bad_inputs("--size {}: write it as NAME=NUMBER, the number above 0", quote(text));
    }
    sizes[text.substr(0, equals)] = value;
  }
  return sizes;
}

// A file, or the name of a bundled one.
Expected<tuner::Problem> find_problem(const std::string& kernel, const tuner::ProblemSizes& sizes) {
  const bool is_file = kernel.find('/') != std::string::npos || kernel.ends_with(".json");
  return is_file ? tuner::load_problem(kernel, sizes) : tuner::bundled_problem(kernel, sizes);
}

std::string ms(double ns) { return fmt::format("{:.3f} ms", ns / 1e6); }

void show_progress(const std::string& name, const tuner::Progress& p, double budget) {
  if (isatty(STDERR_FILENO) == 0) return;
  fmt::print(stderr, "\r\x1b[K{}: best {}, {:.2f} x, {} tried, {} failed, {:.0f} s left", name,
             ms(p.best_ns), p.best_ns > 0 ? p.default_ns / p.best_ns : 1.0, p.evaluations,
             p.failures, std::max(0.0, budget - p.seconds));
  std::fflush(stderr);
}

void clear_progress() {
  if (isatty(STDERR_FILENO) != 0) fmt::print(stderr, "\r\x1b[K");
}

class Tuning {
 public:
  Tuning(const TuneOptions& options, std::shared_ptr<backend::Device> device)
      : options_(options),
        device_(std::move(device)),
        folder_(tuner::from_env().cache_folder),
        runtime_(tuner::Runtime::open(
            device_, {.cache = {.adapter = backend::safe_name(device_->info()),
                                .folder = folder_.value_or(std::filesystem::path()),
                                .events = [](const tuner::Event& event) {
                                  fmt::print(stderr, "vyre: {}\n", event.message);
                                }}})) {}

  Expected<Tuned> tune(tuner::Problem problem) {
    for (const std::string& warning : problem.warnings) {
      fmt::print(stderr, "vyre: {}: {}\n", problem.name, warning);
    }
    VYRE_TRY(auto evaluator, tuner::evaluate_in_process(device_, problem));
    const tuner::SearchTask task = tuner::task_of(problem, device_->info());
    tuner::CampaignOptions options{
        .strategy = options_.strategy,
        .seed = options_.seed,
        .budget = {.seconds = options_.seconds, .evaluations = options_.evaluations},
        .on_progress = [&](const tuner::Progress& progress) {
          show_progress(problem.name, progress, options_.seconds);
          return !interrupted;
        }};
    if (folder_) options.journal = folder_->parent_path() / "journals" / (problem.name + ".jsonl");
    auto report = tuner::run_campaign(task, *evaluator, options);
    clear_progress();
    if (!report) return std::unexpected(report.error());
    VYRE_TRY(std::string kept, keep(problem, *report, options));
    return Tuned{std::move(problem), *std::move(report), std::move(kept)};
  }

 private:
  Expected<std::string> keep(const tuner::Problem& problem, const tuner::CampaignReport& report,
                             const tuner::CampaignOptions& options) {
    if (report.stopped == tuner::StopReason::asked) return std::string("interrupted: not decided");
    tuner::Decision decision = tuner::decision_of(problem, report, options);
    const std::vector<backend::Input> inputs(problem.inputs->begin(), problem.inputs->end());
    std::vector<backend::Argument> arguments;
    for (const auto& [name, bits] : problem.arguments) arguments.push_back({name, bits});
    VYRE_TRY(decision.shape,
             runtime_.shape_of(problem.sequence, {.inputs = inputs, .arguments = arguments}));
    const tuner::Key key = tuner::key_of(decision.fingerprint, decision.shape);
    runtime_.cache().declare_space(decision.fingerprint, decision.space);
    runtime_.cache().offer(key, std::move(decision));
    VYRE_TRY_VOID(runtime_.cache().save());
    return tuner::to_string(key);
  }

  const TuneOptions& options_;
  std::shared_ptr<backend::Device> device_;
  std::optional<std::filesystem::path> folder_;
  tuner::Runtime runtime_;
};

std::optional<double> number_of(const std::string& expression, const Config& values) {
  std::vector<std::string> names;
  for (const auto& [name, value] : values.entries()) names.push_back(name);
  const auto compiled = space::Expression::compile(expression, names);
  if (!compiled) return std::nullopt;
  const auto value = compiled->evaluate(values);
  if (!value) return std::nullopt;
  if (const double* real = std::get_if<double>(&*value)) return *real;
  if (const auto* whole = std::get_if<std::int64_t>(&*value)) return static_cast<double>(*whole);
  return std::nullopt;
}

// The problem's own figures at a time: "12.3 GB/s".
std::string metrics_at(const Tuned& tuned, double ns) {
  std::string out;
  Config values = tuned.problem.space.config_at(tuned.report.best);
  for (const auto& [name, size] : tuned.problem.sizes) values.set(name, size);
  values.set("time_ms", ns / 1e6);
  for (const tuner::Metric& metric : tuned.problem.metrics) {
    const auto value = number_of(metric.expression, values);
    if (value) out += fmt::format("{}{:.1f} {}", out.empty() ? "" : ", ", *value, metric.name);
  }
  return out;
}

std::string gain_text(const tuner::CampaignReport& r) {
  if (r.best == r.standings.front().candidate.id && !is_better(r)) return "1.00 x";
  return fmt::format("{:.2f} x ({:.2f} to {:.2f})", r.gain(),
                     r.default_elapsed.low_ns / r.elapsed.high_ns,
                     r.default_elapsed.high_ns / r.elapsed.low_ns);
}

void print_table(const std::vector<Tuned>& all) {
  Table table({{"kernel"},
               {"default", Align::right},
               {"tuned", Align::right},
               {"gain", Align::right},
               {"tried", Align::right},
               {"failed", Align::right},
               {"s", Align::right},
               {"at"},
               {"configuration"}});
  for (const Tuned& t : all) {
    const tuner::CampaignReport& r = t.report;
    table.add({t.problem.name, ms(r.default_elapsed.ns), ms(r.elapsed.ns), gain_text(r),
               std::to_string(r.evaluations), std::to_string(r.failures.size()),
               fmt::format("{:.1f}", r.seconds), metrics_at(t, r.elapsed.ns),
               to_string(t.problem.space.config_at(r.best))});
  }
  fmt::print("{}", table.text());
}

Json to_json(const tuner::Estimate& e) {
  return {{"ns", e.ns}, {"low_ns", e.low_ns}, {"high_ns", e.high_ns}};
}

Json to_json(const Tuned& t) {
  Json config = Json::object();
  const Config best = t.problem.space.config_at(t.report.best);
  for (const auto& [name, value] : best.entries()) {
    std::visit([&, key = name](const auto& v) { config[key] = v; }, value);
  }
  return {{"kernel", t.problem.name},
          {"decision", t.kept},
          {"config", config},
          {"default", to_json(t.report.default_elapsed)},
          {"tuned", to_json(t.report.elapsed)},
          {"gain", t.report.gain()},
          {"better", is_better(t.report)},
          {"evaluations", t.report.evaluations},
          {"resumed", t.report.resumed},
          {"failures", t.report.failures.size()},
          {"seconds", t.report.seconds},
          {"stopped", tuner::to_string(t.report.stopped)}};
}

Expected<std::vector<Tuned>> tune_all(const TuneOptions& options, Tuning& tuning,
                                      const tuner::ProblemSizes& sizes) {
  std::vector<Tuned> all;
  std::vector<tuner::Problem> problems;  // all are right before the first is tuned
  for (const std::string& kernel : options.kernels) {
    VYRE_TRY(tuner::Problem problem, find_problem(kernel, sizes));
    problems.push_back(std::move(problem));
  }
  for (tuner::Problem& problem : problems) {
    VYRE_TRY(Tuned tuned, tuning.tune(std::move(problem)));
    all.push_back(std::move(tuned));
    if (interrupted) break;
  }
  return all;
}

Expected<void> run_tune(TuneOptions options, Context& context) {
  if (!(options.seconds > 0) && options.evaluations == 0) {
    return bad_inputs("the budget is empty; give --budget seconds or --evaluations");
  }
  VYRE_TRY(const tuner::ProblemSizes sizes, parse_sizes(options.sizes));
  if (options.kernels.empty()) {
    for (const auto& bundled : tuner::bundled_problems())
      options.kernels.emplace_back(bundled.name);
  }
  if (!options.t4_file.empty() && options.kernels.size() != 1) {
    return bad_inputs("--out takes one kernel; name it");
  }
  auto device = open_device(options.device);
  if (!device) {
    context.exit_code = kNoDevice;
    return std::unexpected(device.error());
  }
  if (!options.as_json) {
    fmt::print("device: {} ({}, driver {})\n\n", (*device)->info().name, (*device)->info().backend,
               (*device)->info().driver);
  }
  std::signal(SIGINT, on_interrupt);
  Tuning tuning(options, *device);
  auto all = tune_all(options, tuning, sizes);
  if (!all) {
    if (all.error().kind == ErrorKind::rejected) context.exit_code = kAllFailed;
    return std::unexpected(all.error());
  }
  if (options.as_json) {
    Json json = Json::array();
    for (const Tuned& tuned : *all) json.push_back(to_json(tuned));
    fmt::print("{}\n", json.dump(2));
  } else {
    print_table(*all);
  }
  if (!options.t4_file.empty()) {
    VYRE_TRY_VOID(fair::write_t4(options.t4_file,
                                 tuner::recording_of(all->front().problem, all->front().report)));
  }
  const bool any_better =
      std::ranges::any_of(*all, [](const Tuned& t) { return is_better(t.report); });
  if (!any_better) context.exit_code = kNothingBetter;
  if (interrupted) {
    return bad_inputs("interrupted; the same command goes on from where it stopped");
  }
  return {};
}

std::string bundled_names() {
  std::string out;
  for (const auto& bundled : tuner::bundled_problems()) {
    out += fmt::format("\n  {:<10} {}", bundled.name, bundled.what);
  }
  return out;
}

}  // namespace

void add_tune(CLI::App& app, Context& context) {
  auto options = std::make_shared<TuneOptions>();
  CLI::App* command =
      app.add_subcommand("tune", "Find the fastest configuration of a kernel on a device");
  command->footer(
      "Bundled kernels:" + bundled_names() +
      "\n\nExit codes: 0 something faster than the default was found, 1 an error, 3 "
      "nothing\nfaster was found, 4 no such device, 5 the default configuration fails.");
  command->add_option("KERNEL", options->kernels,
                      "T1 files, or names of bundled kernels; none: all bundled ones");
  command->add_option("--device", options->device, kDeviceHelp)->capture_default_str();
  command->add_option("--budget", options->seconds, "Seconds for each kernel; 0: no limit")
      ->capture_default_str();
  command
      ->add_option("--evaluations", options->evaluations,
                   "Configurations to try for each kernel; 0: no limit")
      ->capture_default_str();
  command->add_option("--strategy", options->strategy, "As `vyre replay --help` lists them")
      ->capture_default_str();
  command->add_option("--seed", options->seed, "Of the search")->capture_default_str();
  command->add_option("--size", options->sizes, "NAME=NUMBER: a size of the problem");
  command->add_option("--out", options->t4_file, "T4 file for everything that was measured");
  command->add_flag("--json", options->as_json, "Print the results as JSON");
  command->callback([&context, options] {
    context.action = [options, &context] { return run_tune(*options, context); };
  });
}

}  // namespace vyre::cli
