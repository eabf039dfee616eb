// `vyre tune`: a kernel and a budget in, a decision that can be trusted out.

#include "vyre/tune.h"

#include <fmt/format.h>

#include <filesystem>

#include "base/error.h"
#include "base/files/whole_file.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/decisions.h"
#include "cli/devices.h"
#include "cli/findings.h"
#include "cli/interrupts.h"
#include "cli/limits.h"
#include "cli/progress_line.h"
#include "cli/tune_problem.h"
#include "cli/tune_report.h"
#include "cli/verify_command.h"
#include "fleet/nodes.h"
#include "tune/evaluators.h"

namespace vyre::cli {
namespace {

struct TuneFlags {
  std::vector<std::string> kernels;
  std::string device = "best";
  double seconds = 12;
  std::uint64_t evaluations = 0;
  bool has_budget = false;  // seconds or evaluations were given
  std::string strategy = "natural";
  bool has_strategy = false;  // it was given
  std::uint64_t seed = 1;
  ProblemOptions problem;
  double absolute = 0;
  double relative = 0;
  std::vector<std::string> siblings;
  std::string verify;  // a command that judges results; empty: none
  LimitFlags limits;
  bool in_process = false;
  bool retry = false;
  bool force = false;
  std::string t4_file;
  bool as_json = false;
  bool is_verbose = false;
  std::string launcher;  // of nodes; empty: candidates run on this machine
  std::string node_program;
  std::uint32_t nodes = 1;
  std::uint32_t in_flight = fleet::kInFlight;
};

// The interpreter cannot crash; every other device's candidates run in workers unless asked.
Isolation isolation_of(const TuneFlags& options, const Device& device) {
  if (options.in_process) return Isolation::in_process;
  return device.info().backend == "reference" ? Isolation::automatic : Isolation::workers;
}

// What the problem's file asks for, where the command line says nothing else.
TuneFlags for_problem(TuneFlags options, const Problem& problem) {
  const Asked& asked = problem.asked;
  const bool asks_for_budget = asked.seconds || asked.evaluations;
  if (!options.has_budget && asks_for_budget) {
    options.seconds = asked.seconds.value_or(0);
    options.evaluations = asked.evaluations.value_or(0);
  }
  if (options.has_strategy || asked.strategy.empty()) return options;
  // Kernel Tuner's words for two strategies that are the same in every tuner.
  const std::string wanted = asked.strategy == "brute_force"     ? "exhaustive"
                             : asked.strategy == "random_sample" ? "random"
                                                                 : asked.strategy;
  if (std::ranges::find(strategies(), wanted, &StrategyKind::name) != strategies().end()) {
    options.strategy = wanted;
    if (records_space(wanted)) {
      if (!options.has_budget && !asks_for_budget) options.seconds = 0;
      options.retry = true;
    }
    return options;
  }
  fmt::print(stderr,
             "vyre: {}: Search asks for {}, which vyre does not have; {} is used (--strategy "
             "chooses another)\n",
             problem.name, quote(asked.strategy), options.strategy);
  return options;
}

void print_warnings(const Problem& problem) {
  constexpr std::size_t kMostShown = 5;
  const std::size_t shown = std::min(problem.warnings.size(), kMostShown);
  for (std::size_t k = 0; k < shown; ++k) {
    fmt::print(stderr, "vyre: {}: {}\n", problem.name, escaped(problem.warnings[k]));
  }
  if (problem.warnings.size() > shown) {
    fmt::print(stderr, "vyre: {}: {} more warnings\n", problem.name,
               problem.warnings.size() - shown);
  }
}

class KernelTuner {
 public:
  // `fleet`: null for candidates on this machine.
  KernelTuner(const TuneFlags& options, const Limits& limits, std::shared_ptr<Device> device,
              fleet::Fleet* fleet, Findings& findings)
      : options_(options),
        limits_(limits),
        device_(std::move(device)),
        fleet_(fleet),
        files_(from_env().files),
        findings_(findings) {}

  const DeviceInfo& device() const { return device_->info(); }

  Expected<TunedKernel> tune(Problem problem) {
    print_warnings(problem);
    const TuneFlags options = for_problem(options_, problem);
    TuneOptions wishes{
        .seconds = options.seconds,
        .evaluations = options.evaluations,
        .strategy = options.strategy,
        .seed = options.seed,
        .files = files_,
        .again = true,
        .replaces = options.force,
        // What was wrong before may be near enough now.
        .retry = options.retry || options.problem.has_tolerance() || !options.verify.empty(),
        .workers = {.isolation = isolation_of(options, *device_),
                    .build_limit = limits_.build,
                    .run_limit = limits_.run,
                    .build_memory = limits_.build_memory},
        .events = print_event};
    if (!options.verify.empty()) {
      wishes.verify = verifier_of({.command = options.verify, .limit = limits_.run}, problem);
    }
    VYRE_TRY(wishes.hints, siblings_of(problem));
    auto tuned = tune_with_progress(problem, std::move(wishes));
    if (!tuned) return std::unexpected(tuned.error());
    if (tuned->why_not_kept.empty() && files_.folder.empty()) {
      tuned->is_kept = false;
      tuned->why_not_kept = "there is no folder for it: set XDG_CACHE_HOME or HOME";
    }
    return TunedKernel{std::move(problem), *std::move(tuned), device()};
  }

  // Right after the campaign, when no candidate runs any more and the machine is as it was. The
  // interpreter is not there to be fast, and nodes may have other processors than this machine.
  void compare_with_host(TunedKernel& kernel) const {
    const DeviceInfo& device = device_->info();
    if (fleet_ != nullptr) return;
    if (Interrupts::is_asked() || !device.shares_host_cores || device.backend == "reference")
      return;
    kernel.host = measure_host(kernel.problem);
  }

 private:
  Expected<std::vector<Hint>> siblings_of(const Problem& problem) const {
    std::vector<Hint> hints;
    for (const std::string& file : options_.siblings) {
      VYRE_TRY(const recording::Recording sibling, recording::read_recording(file));
      hints.push_back(hint_of(problem.space, sibling));
      if (!hints.back().times.empty()) continue;
      return bad_inputs("{}: none of its configurations is one of {}; leave it out",
                        quote_path(file), problem.name);
    }
    return hints;
  }

  Expected<Tuned> tune_with_progress(const Problem& problem, TuneOptions wishes) const {
    ProgressLine line(problem.name, wishes.seconds);
    wishes.on_progress = [&](const Progress& progress) {
      line.show(progress);
      findings_.note(problem.name, progress);
      return !Interrupts::is_asked();
    };
    if (options_.is_verbose) {
      wishes.on_tried = [&](const Tried& tried) { line.print_above(tried_text(problem, tried)); };
    }
    wishes.on_wait = [&](double seconds) {
      line.wait(seconds);
      return !Interrupts::is_asked();
    };
    std::unique_ptr<Evaluator> nodes;
    if (fleet_ != nullptr) {
      VYRE_TRY(nodes, fleet::evaluate_on_nodes(*fleet_, problem,
                                               {.in_flight = options_.in_flight,
                                                .workers = wishes.workers,
                                                .on_wait = wishes.on_wait}));
      wishes.evaluator = nodes.get();
    }
    return vyre::tune(device_, problem, wishes);
  }

  const TuneFlags& options_;
  Limits limits_;
  std::shared_ptr<Device> device_;
  fleet::Fleet* fleet_;
  Files files_;
  Findings& findings_;
};

// Kernels that were tuned before an error are among the findings, too.
Expected<void> tune_all(const TuneFlags& options, KernelTuner& tuner, Findings& findings) {
  std::vector<Problem> problems;  // all are right before the first is tuned
  for (const std::string& kernel : options.kernels) {
    VYRE_TRY(Problem problem, find_problem(kernel, options.problem, tuner.device()));
    problems.push_back(std::move(problem));
  }
  for (std::size_t k = 0; k < problems.size(); ++k) {
    VYRE_TRY(TunedKernel kernel, tuner.tune(std::move(problems[k])));
    if (names_bundled(options.kernels[k])) tuner.compare_with_host(kernel);
    findings.add(std::move(kernel));
    const Tuned& tuned = findings.all().back().tuned;
    if (tuned.ended_by) return std::unexpected(*tuned.ended_by);
    if (tuned.unsaved) return std::unexpected(*tuned.unsaved);
    if (Interrupts::is_asked()) break;
  }
  return {};
}

void print_device(const DeviceInfo& info, std::size_t nodes) {
  fmt::print("device: {} ({}, driver {}){}{}\n\n", info.name, info.backend, info.driver,
             info.clock_step_ns == 0 ? ", timed by the host's clock" : "",
             nodes == 0 ? "" : fmt::format(", on {} node{}", nodes, nodes == 1 ? "" : "s"));
}

// Device by device: each of those that the nodes have gets campaigns and decisions of its own.
Expected<void> tune_devices(const TuneFlags& options, const Limits& limits,
                            std::shared_ptr<Device> device, fleet::Fleet* fleet,
                            Findings& findings) {
  std::size_t nodes = fleet == nullptr ? 0 : options.nodes;
  for (;;) {
    if (!options.as_json) print_device(device->info(), nodes);
    KernelTuner tuner(options, limits, device, fleet, findings);
    VYRE_TRY_VOID(tune_all(options, tuner, findings));
    if (fleet == nullptr || Interrupts::is_asked()) return {};
    const auto has_more = fleet->turn();
    if (!has_more && Interrupts::is_asked()) return {};
    if (!has_more) return std::unexpected(has_more.error());
    if (!*has_more) return {};
    device = fleet::describe_device(fleet->device());
    nodes = fleet->nodes_with_device();
    findings.expect_again();
  }
}

recording::Recording recording_of(const TunedKernel& kernel) {
  const DeviceInfo& device = kernel.device;
  recording::Recording out = recording_of(kernel.problem, kernel.tuned.report);
  out.metadata.set("kernel", kernel.problem.name);
  for (const auto& [name, size] : kernel.problem.sizes) {
    out.metadata.set(name, static_cast<std::int64_t>(size));
  }
  out.metadata.set("device", device.name);
  out.metadata.set("driver", fmt::format("{} {}", device.backend, device.driver));
  return out;
}

// One kernel on each device: the first one's file has the name that was given.
Expected<void> write_recordings(const std::filesystem::path& file,
                                const std::vector<TunedKernel>& all) {
  for (std::size_t k = 0; k < all.size(); ++k) {
    std::filesystem::path own = file;
    if (k > 0) {
      own.replace_filename(
          fmt::format("{}-{}{}", file.stem().string(), k + 1, file.extension().string()));
      fmt::print(stderr, "vyre: what was measured on {} is in {}\n", quote(all[k].device.name),
                 quote_path(own.string()));
    }
    VYRE_TRY_VOID(recording::write_t4(own, recording_of(all[k])));
  }
  return {};
}

Expected<fleet::Fleet> start_fleet(const TuneFlags& options) {
  std::string program = options.node_program;
  if (program.empty()) program = find_installed("vyre-node").string();
  if (program.empty()) {
    return bad_inputs("vyre-node is not beside vyre; name it with --node-program");
  }
  return fleet::Fleet::start({.launcher = options.launcher,
                              .program = std::move(program),
                              .arguments = {"--device", options.device},
                              .nodes = options.nodes,
                              .on_wait = [](double) { return !Interrupts::is_asked(); },
                              .events = print_event});
}

Expected<void> run_tune(TuneFlags options, Context& context) {
  if (!(options.seconds > 0) && options.evaluations == 0 && !records_space(options.strategy)) {
    return bad_inputs("the budget is empty; give --budget seconds or --evaluations");
  }
  if (options.kernels.empty()) {
    for (const auto& bundled : bundled_problems()) options.kernels.emplace_back(bundled.name);
  }
  const bool is_about_one = !options.t4_file.empty() || !options.siblings.empty() ||
                            !options.verify.empty() || options.problem.is_about_one();
  if (is_about_one && options.kernels.size() != 1) {
    return bad_inputs(
        "--out, --input, --reference, --ignore, --verify, --metric, --set, --atol, --rtol and "
        "--seed-from take one kernel; name it");
  }
  VYRE_TRY(const Limits limits, limits_of(options.limits));
  if (!(options.seconds >= 0)) return bad_inputs("--budget: give seconds, or 0 for no limit");
  if (!options.t4_file.empty()) VYRE_TRY_VOID(check_writable(options.t4_file));
  // The last words may outlive this function.
  const auto findings = std::make_shared<Findings>(options.kernels, options.as_json);
  const Interrupts interrupts([findings] { findings->show_as_last_words(); });
  DeviceOptions wanted = device_options();
  wanted.build_limit = limits.build;
  std::optional<fleet::Fleet> nodes;
  if (!options.launcher.empty()) {
    auto started = start_fleet(options);
    if (!started) {
      if (started.error().kind == ErrorKind::backend) context.exit_code = kNoDevice;
      return std::unexpected(started.error());
    }
    nodes.emplace(*std::move(started));
  }
  auto device =
      nodes ? fleet::describe_device(nodes->device()) : open_watched(options.device, wanted);
  if (!device) {
    context.exit_code = kNoDevice;
    return std::unexpected(device.error());
  }
  const auto tuned = tune_devices(options, limits, *device, nodes ? &*nodes : nullptr, *findings);
  const std::vector<TunedKernel>& all = findings->all();
  if (tuned || !all.empty()) findings->show();
  if (!tuned) {
    if (tuned.error().kind == ErrorKind::rejected) context.exit_code = kAllFailed;
    return tuned;
  }
  if (!options.t4_file.empty()) VYRE_TRY_VOID(write_recordings(options.t4_file, all));
  const bool any_better =
      std::ranges::any_of(all, [](const TunedKernel& k) { return is_better(k.tuned.report); });
  VYRE_TRY_VOID(findings->check_complete());
  if (!any_better) {
    context.exit_code = kNothingBetter;
    fmt::print(stderr, "vyre: nothing faster than the default was found (exit code {})\n",
               static_cast<int>(kNothingBetter));
  }
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
                 "T1 files, sequences in text form (.vyre), or names of bundled kernels; none: all "
                 "bundled ones");
  command.option("--device", options->device, kDeviceHelp, {.shows_default = true});
  command.option("--budget", options->seconds,
                 "Seconds for each kernel; 0: no limit, as is usual with --strategy exhaustive. "
                 "Without it and --evaluations a T1 file's own Budget counts",
                 {.shows_default = true});
  command.option("--evaluations", options->evaluations,
                 "Configurations to try for each kernel; 0: no limit", {.shows_default = true});
  command.option("--strategy", options->strategy,
                 "As `vyre replay --help` lists them. Without it a T1 file's own Search counts",
                 {.shows_default = true});
  command.option("--seed", options->seed, "Of the search", {.shows_default = true});
  command.option("--size", options->problem.sizes, "NAME=NUMBER: a size of the problem");
  command.option("--set", options->problem.sets, "NAME=VALUE: a scalar of a sequence");
  command.flag("--fuse", options->problem.fuse,
               "Let the search join steps of a sequence; `vyre fuse FILE` lists which");
  command.option("--input", options->problem.inputs,
                 "NAME=FILE: bytes of an input, instead of generated ones");
  command.option("--reference", options->problem.references,
                 "NAME=FILE: bytes that an output must have, instead of the default's");
  command.option("--ignore", options->problem.ignored,
                 "NAME: an output that may hold anything; it is not compared");
  command.option("--verify", options->verify,
                 "Command that judges the outputs of each configuration. It gets a folder with "
                 "config.json, input/NAME.bin and output/NAME.bin, and ends with 0 for right, or "
                 "with 1 and a line that says what is wrong");
  command.option("--atol", options->absolute,
                 "How far floats of an output may be from the expected ones, instead of the "
                 "problem's own tolerance",
                 {.range = {{0, 1e30}}});
  command.option("--rtol", options->relative,
                 "The same as a share of the expected value; both allowances are added",
                 {.range = {{0, 1e30}}});
  command.option("--metric", options->problem.metrics,
                 "NAME=EXPRESSION over parameters, sizes and time_ms: a figure for the table");
  add_limits(command, options->limits);
  command.flag("--in-process", options->in_process,
               "Run candidates in this process: one that crashes ends it");
  command.option("--launcher", options->launcher,
                 "Command that starts a program on another machine and carries its streams, for "
                 "example \"srun --quiet -u -N1 -n1 --exact\": candidates run there");
  command.option("--workers", options->nodes, "Times that --launcher is used: the number of nodes",
                 {.shows_default = true, .range = {{1, 4096}}});
  command.option("--in-flight", options->in_flight,
                 "Configurations that all nodes together have under way",
                 {.shows_default = true, .range = {{1, 4096}}});
  command.option("--node-program", options->node_program,
                 "vyre-node as the nodes find it; by default the one beside vyre");
  command.flag("--force", options->force,
               "Keep the new decision, whatever the one is that is there");
  command.flag("--retry", options->retry, "Try again what failed in earlier campaigns");
  command.option("--seed-from", options->siblings,
                 "Recordings (T4, CSV, Kernel Tuner's cache files) of the same kernel on other "
                 "devices or sizes: tells the search where to look first");
  command.option("--out", options->t4_file, "T4 file for everything that was measured");
  command.flag("--verbose", options->is_verbose,
               "A line on standard error for each configuration that was tried");
  command.flag("--json", options->as_json, "Print the results as JSON");
  command.callback([&context, options, command] {
    options->has_budget = command.was_given("--budget") || command.was_given("--evaluations");
    options->has_strategy = command.was_given("--strategy");
    if (records_space(options->strategy)) {
      if (!command.was_given("--budget")) options->seconds = 0;
      options->retry = true;  // failures are part of the recording
    }
    if (command.was_given("--atol")) options->problem.absolute = options->absolute;
    if (command.was_given("--rtol")) options->problem.relative = options->relative;
    const bool needs_launcher = command.was_given("--workers") ||
                                command.was_given("--in-flight") ||
                                command.was_given("--node-program");
    context.action = [options, needs_launcher, &context]() -> Expected<void> {
      if (options->launcher.empty() && needs_launcher) {
        return bad_inputs("--workers, --in-flight and --node-program need --launcher; give it");
      }
      if (!options->launcher.empty() && options->in_process) {
        return bad_inputs("--launcher and --in-process exclude each other; leave one out");
      }
      if (!options->launcher.empty() && !options->verify.empty()) {
        return bad_inputs("--verify runs on this machine and cannot be used with --launcher");
      }
      return run_tune(*options, context);
    };
  });
}

}  // namespace vyre::cli
