// `vyre tune`: a kernel and a budget in, a decision that can be trusted out.

#include "vyre/tune.h"

#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <filesystem>

#include "base/error.h"
#include "base/files/whole_file.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/decisions.h"
#include "cli/devices.h"
#include "cli/tune_problem.h"
#include "cli/tune_report.h"

namespace vyre::cli {
namespace {

struct TuneFlags {
  std::vector<std::string> kernels;
  std::string device = "best";
  double seconds = 12;
  std::uint64_t evaluations = 0;
  std::string strategy = "natural";
  std::uint64_t seed = 1;
  ProblemOptions problem;
  std::vector<std::string> siblings;
  double run_limit = 10;
  bool in_process = false;
  bool retry = false;
  bool force = false;
  std::string t4_file;
  bool as_json = false;
};

std::atomic<bool> interrupted = false;

void on_interrupt(int) { interrupted = true; }

void show_progress(const std::string& name, const Progress& p, double budget) {
  if (isatty(STDERR_FILENO) == 0) return;
  const std::string time = budget > 0
                               ? fmt::format("{:.0f} s left", std::max(0.0, budget - p.seconds))
                               : fmt::format("{:.0f} s", p.seconds);
  fmt::print(stderr, "\r\x1b[K{}: best {}, {:.2f} x, {} tried, {} failed, {}", name,
             ms_text(p.best_ns), p.best_ns > 0 ? p.default_ns / p.best_ns : 1.0, p.evaluations,
             p.failures, time);
  std::fflush(stderr);
}

void clear_progress() {
  if (isatty(STDERR_FILENO) != 0) fmt::print(stderr, "\r\x1b[K");
}

// The interpreter cannot crash; every other device's candidates run in workers unless asked.
Isolation isolation_of(const TuneFlags& options, const Device& device) {
  if (options.in_process) return Isolation::in_process;
  return device.info().backend == "reference" ? Isolation::automatic : Isolation::workers;
}

class KernelTuner {
 public:
  KernelTuner(const TuneFlags& options, std::chrono::milliseconds run_limit,
              std::shared_ptr<Device> device)
      : options_(options),
        run_limit_(run_limit),
        device_(std::move(device)),
        files_(from_env().files) {}

  Expected<TunedKernel> tune(Problem problem) {
    for (const std::string& warning : problem.warnings) {
      fmt::print(stderr, "vyre: {}: {}\n", problem.name, escaped(warning));
    }
    TuneOptions wishes{
        .seconds = options_.seconds,
        .evaluations = options_.evaluations,
        .strategy = options_.strategy,
        .seed = options_.seed,
        .files = files_,
        .again = true,
        .replaces = options_.force,
        .retry = options_.retry,
        .workers = {.isolation = isolation_of(options_, *device_), .run_limit = run_limit_},
        .on_progress =
            [&](const Progress& progress) {
              show_progress(problem.name, progress, options_.seconds);
              return !interrupted;
            },
        .events = print_event};
    VYRE_TRY(wishes.hints, siblings_of(problem));
    auto tuned = vyre::tune(device_, problem, wishes);
    clear_progress();
    if (!tuned) return std::unexpected(tuned.error());
    if (tuned->why_not_kept.empty() && files_.folder.empty()) {
      tuned->is_kept = false;
      tuned->why_not_kept = "there is no folder for it: set XDG_CACHE_HOME or HOME";
    }
    return TunedKernel{std::move(problem), *std::move(tuned)};
  }

  // Right after the campaign, when no candidate runs any more and the machine is as it was. The
  // interpreter is not there to be fast.
  void compare_with_host(TunedKernel& kernel) const {
    const DeviceInfo& device = device_->info();
    if (interrupted || !device.shares_host_cores || device.backend == "reference") return;
    kernel.host = measure_host(kernel.problem);
  }

 private:
  Expected<std::vector<Hint>> siblings_of(const Problem& problem) const {
    std::vector<Hint> hints;
    for (const std::string& file : options_.siblings) {
      VYRE_TRY(const recording::Recording sibling, recording::read_recording(file));
      hints.push_back(hint_of(problem.space, sibling));
      if (!hints.back().times.empty()) continue;
      return bad_inputs("{}: none of its configurations is one of {}; leave it out", quote(file),
                        problem.name);
    }
    return hints;
  }

  const TuneFlags& options_;
  std::chrono::milliseconds run_limit_;
  std::shared_ptr<Device> device_;
  Files files_;
};

// Kernels that were tuned before an error are in `all`, too.
Expected<void> tune_all(const TuneFlags& options, KernelTuner& tuner,
                        std::vector<TunedKernel>& all) {
  std::vector<Problem> problems;  // all are right before the first is tuned
  for (const std::string& kernel : options.kernels) {
    VYRE_TRY(Problem problem, find_problem(kernel, options.problem));
    problems.push_back(std::move(problem));
  }
  for (std::size_t k = 0; k < problems.size(); ++k) {
    VYRE_TRY(TunedKernel kernel, tuner.tune(std::move(problems[k])));
    if (names_bundled(options.kernels[k])) tuner.compare_with_host(kernel);
    all.push_back(std::move(kernel));
    if (all.back().tuned.unsaved) return std::unexpected(*all.back().tuned.unsaved);
    if (interrupted) break;
  }
  return {};
}

void print(const TuneFlags& options, const std::vector<TunedKernel>& all) {
  if (options.as_json) return fmt::print("{}\n", json_of(all));
  if (!all.empty()) fmt::print("{}", table_of(all));
  for (const TunedKernel& kernel : all) {
    const Tuned& tuned = kernel.tuned;
    if (!tuned.why_not_kept.empty() && !tuned.is_interrupted()) {
      fmt::print(stderr, "vyre: {}: not kept: {}\n", kernel.problem.name,
                 escaped(tuned.why_not_kept));
    }
    if (tuned.decision.drift > 0) {
      fmt::print(stderr, "vyre: {}: {}\n", kernel.problem.name, drift_text(tuned.decision.drift));
    }
  }
}

// Which command goes on, if not all is done.
Expected<void> check_complete(const TuneFlags& options, const std::vector<TunedKernel>& all) {
  const std::size_t done = all.size() - (all.back().tuned.is_interrupted() ? 1 : 0);
  if (done == options.kernels.size()) return {};
  if (done == 0) return bad_inputs("interrupted; the same command goes on from where it stopped");
  std::string rest;
  for (std::size_t k = done; k < options.kernels.size(); ++k) rest += " " + options.kernels[k];
  return bad_inputs("interrupted; the same command with these kernels does the rest:{}", rest);
}

recording::Recording recording_of(const TunedKernel& kernel, const DeviceInfo& device) {
  recording::Recording out = recording_of(kernel.problem, kernel.tuned.report);
  out.metadata.set("kernel", kernel.problem.name);
  for (const auto& [name, size] : kernel.problem.sizes) {
    out.metadata.set(name, static_cast<std::int64_t>(size));
  }
  out.metadata.set("device", device.name);
  out.metadata.set("driver", fmt::format("{} {}", device.backend, device.driver));
  return out;
}

Expected<void> run_tune(TuneFlags options, Context& context) {
  if (!(options.seconds > 0) && options.evaluations == 0 && !records_space(options.strategy)) {
    return bad_inputs("the budget is empty; give --budget seconds or --evaluations");
  }
  if (options.kernels.empty()) {
    for (const auto& bundled : bundled_problems()) options.kernels.emplace_back(bundled.name);
  }
  const bool is_about_one =
      !options.t4_file.empty() || !options.siblings.empty() || options.problem.is_about_one();
  if (is_about_one && options.kernels.size() != 1) {
    return bad_inputs(
        "--out, --input, --reference, --metric and --seed-from take one kernel; name it");
  }
  VYRE_TRY(const auto run_limit, limit_of("--run-limit", options.run_limit));
  if (!(options.seconds >= 0)) return bad_inputs("--budget: give seconds, or 0 for no limit");
  if (!options.t4_file.empty()) VYRE_TRY_VOID(check_writable(options.t4_file));
  auto device = open_device(options.device, device_options());
  if (!device) {
    context.exit_code = kNoDevice;
    return std::unexpected(device.error());
  }
  if (!options.as_json) {
    fmt::print("device: {} ({}, driver {})\n\n", (*device)->info().name, (*device)->info().backend,
               (*device)->info().driver);
  }
  std::signal(SIGINT, on_interrupt);
  std::signal(SIGTERM, on_interrupt);
  KernelTuner tuner(options, run_limit, *device);
  std::vector<TunedKernel> all;
  const auto tuned = tune_all(options, tuner, all);
  if (tuned || !all.empty()) print(options, all);
  if (!tuned) {
    if (tuned.error().kind == ErrorKind::rejected) context.exit_code = kAllFailed;
    return tuned;
  }
  if (!options.t4_file.empty()) {
    VYRE_TRY_VOID(
        recording::write_t4(options.t4_file, recording_of(all.front(), (*device)->info())));
  }
  const bool any_better =
      std::ranges::any_of(all, [](const TunedKernel& k) { return is_better(k.tuned.report); });
  VYRE_TRY_VOID(check_complete(options, all));
  if (!any_better) context.exit_code = kNothingBetter;
  return {};
}

std::string bundled_names() {
  std::string out;
  for (const auto& bundled : bundled_problems()) {
    out += fmt::format("\n  {:<10} {}", bundled.name, bundled.what);
  }
  return out;
}

}  // namespace

void add_tune(Command& vyre, Context& context) {
  auto options = std::make_shared<TuneFlags>();
  Command command = vyre.add("tune", "Find the fastest configuration of a kernel on a device");
  command.footer("Bundled kernels:" + bundled_names() +
                 "\n\nExit codes: 0 something faster than the default was chosen, 1 an error, 3 "
                 "the default\nwas chosen, 4 no such device, 5 the default configuration fails.");
  command.option("KERNEL", options->kernels,
                 "T1 files, or names of bundled kernels; none: all bundled ones");
  command.option("--device", options->device, kDeviceHelp, {.shows_default = true});
  command.option("--budget", options->seconds,
                 "Seconds for each kernel; 0: no limit, as is usual with --strategy exhaustive",
                 {.shows_default = true});
  command.option("--evaluations", options->evaluations,
                 "Configurations to try for each kernel; 0: no limit", {.shows_default = true});
  command.option("--strategy", options->strategy, "As `vyre replay --help` lists them",
                 {.shows_default = true});
  command.option("--seed", options->seed, "Of the search", {.shows_default = true});
  command.option("--size", options->problem.sizes, "NAME=NUMBER: a size of the problem");
  command.option("--input", options->problem.inputs,
                 "NAME=FILE: bytes of an input, instead of generated ones");
  command.option("--reference", options->problem.references,
                 "NAME=FILE: bytes that an output must have, instead of the default's");
  command.option("--metric", options->problem.metrics,
                 "NAME=EXPRESSION over parameters, sizes and time_ms: a figure for the table");
  command.option("--run-limit", options->run_limit, "Seconds after which a run counts as hanging",
                 {.shows_default = true});
  command.flag("--in-process", options->in_process,
               "Run candidates in this process: one that crashes ends it");
  command.flag("--force", options->force,
               "Keep the new decision, whatever the one is that is there");
  command.flag("--retry", options->retry, "Try again what failed in earlier campaigns");
  command.option("--seed-from", options->siblings,
                 "T4 or CSV files of the same kernel on other devices or sizes: tells the "
                 "search where to look first");
  command.option("--out", options->t4_file, "T4 file for everything that was measured");
  command.flag("--json", options->as_json, "Print the results as JSON");
  command.callback([&context, options, command] {
    if (records_space(options->strategy)) {
      if (!command.was_given("--budget")) options->seconds = 0;
      options->retry = true;  // failures are part of the recording
    }
    context.action = [options, &context] { return run_tune(*options, context); };
  });
}

}  // namespace vyre::cli
