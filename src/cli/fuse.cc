// `vyre fuse`: which steps of a sequence can be fused; or whether a chain of regions should be,
// from the ranks between them alone.

#include "vyre/fuse.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/devices.h"
#include "cli/fusion_report.h"
#include "cli/load_sequence.h"
#include "fuse/rates.h"
#include "tune/plan_hint.h"
#include "vyre/problem.h"
#include "vyre/substrate/chain_fusion.h"

namespace vyre::cli {
namespace {

struct FuseOptions {
  std::string file;
  std::string ranks;
  std::string threshold;
  std::string device = {};  // empty: the interpreter for ranks, the best one for a file
  bool json = false;
};

template <class T>
Expected<T> parse_number(std::string_view option, std::string_view text, std::string_view wanted) {
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc() && end == text.data() + text.size()) return value;
  return bad_inputs("{}: {} is not {}", option, quote(text), wanted);
}

Expected<std::vector<std::uint64_t>> parse_ranks(std::string_view text) {
  std::vector<std::uint64_t> out;
  while (true) {
    const std::size_t comma = text.find(',');
    VYRE_TRY(const std::uint64_t rank,
             parse_number<std::uint64_t>("--ranks", text.substr(0, comma),
                                         "an element count; write for example 64,64,8"));
    out.push_back(rank);
    if (comma == std::string_view::npos) return out;
    text.remove_prefix(comma + 1);
  }
}

struct Decision {
  double pressure = 0;
  bool fuse = false;
  std::size_t links = 0;  // that carry data
  double mean = 0;        // geometric, of their ranks
};

// The mean is shown to people; the decision does not use it.
std::string reason(const Decision& d, double threshold) {
  if (std::isnan(threshold) || threshold <= 0) {
    return fmt::format("a threshold of {} fuses nothing", threshold);
  }
  const std::string_view than = d.fuse ? "at most" : "above";
  if (d.links == 0) {
    return fmt::format("no link carries data, which counts as 1: {} {}", than, threshold);
  }
  return fmt::format("the geometric mean of {} rank(s), about {:.6g}, is {} {}", d.links, d.mean,
                     than, threshold);
}

Expected<void> decide_by_ranks(const FuseOptions& options) {
  VYRE_TRY(const auto ranks, parse_ranks(options.ranks));
  VYRE_TRY(const double threshold, parse_number<double>("--threshold", options.threshold,
                                                        "a number; write for example 32"));
  VYRE_TRY(auto device,
           open_watched(options.device.empty() ? "reference" : options.device, device_options()));
  auto dispatcher = make_dispatcher(device);
  substrate::ChainScratch scratch;
  Decision d;
  VYRE_TRY(d.pressure, substrate::fusion_pressure_via(*dispatcher, ranks, scratch));
  VYRE_TRY(d.fuse, substrate::should_fuse_chain_via(*dispatcher, ranks, threshold, scratch));
  d.links = ranks.size() - static_cast<std::size_t>(std::ranges::count(ranks, 0U));
  if (d.links != 0) d.mean = std::pow(d.pressure, 1 / static_cast<double>(d.links));
  const std::string why = reason(d, threshold);
  if (!options.json) {
    fmt::print("pressure  {:.0f}\ndecision  {}\nwhy       {}\ndevice    {} ({})\n", d.pressure,
               d.fuse ? "fuse" : "keep apart", why, device->info().name, device->info().backend);
    return {};
  }
  // JSON has no NaN and no infinity: such a threshold is null.
  const nlohmann::ordered_json json{{"ranks", ranks},
                                    {"threshold", threshold},
                                    {"pressure", d.pressure},
                                    {"fuse", d.fuse},
                                    {"why", why},
                                    {"device", device->info().backend}};
  fmt::print("{}\n", json.dump());
  return {};
}

// For the sizes that the sequence declares.
Expected<void> predict(const FuseOptions& options, FusionReport& report) {
  VYRE_TRY(const Problem problem, chain_problem(report.original, {.fuse = true}));
  VYRE_TRY(const auto device,
           open_watched(options.device.empty() ? "best" : options.device, device_options()));
  VYRE_TRY(const fuse::Rates rates, fuse::rates_of(device, from_env().files));
  report.gains = predicted_gains(problem, device->info().limits, rates);
  report.predicted_for = fmt::format(
      "for {} ({}), which moves {:.1f} GB/s, computes {:.1f} G operations/s, takes {:.1f} us a "
      "launch",
      device->info().name, device->info().backend, rates.bytes_per_ns, rates.operations_per_ns,
      rates.launch_ns / 1e3);
  return {};
}

Expected<void> list_fusions(const FuseOptions& options) {
  VYRE_TRY(const ir::Sequence sequence, load_sequence(options.file));
  const auto begin = std::chrono::steady_clock::now();
  VYRE_TRY(const fuse::Widened widened, fuse::widen(sequence));
  const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - begin;
  FusionReport report{sequence, widened, took.count(), {}, {}};
  if (auto done = predict(options, report); !done) {
    report.predicted_for = fmt::format("for no device: {}", done.error().message);
  }
  fmt::print("{}{}", options.json ? fusion_json(report) : fusion_text(report),
             options.json ? "\n" : "");
  return {};
}

// The option that is missing or in the way; empty: none.
std::string mistake_in(const FuseOptions& options, const Command& command) {
  const bool has_ranks = command.was_given("--ranks");
  const bool has_threshold = command.was_given("--threshold");
  if (options.file.empty() && !has_ranks) return "--ranks is required";
  if (options.file.empty() && !has_threshold) return "--threshold is required";
  if (!options.file.empty() && (has_ranks || has_threshold)) {
    return "give a file, or --ranks and --threshold, but not both";
  }
  return "";
}

}  // namespace

void add_fuse(Command& vyre, Context& context) {
  auto options = std::make_shared<FuseOptions>();
  Command command = vyre.add("fuse", "List which steps of a sequence can become one kernel");
  command.footer(
      "With a file: the links between its steps, the kinds of fusion that are proved to keep the\n"
      "results, and the rule behind each refusal. `vyre tune FILE --fuse` measures them.\n"
      "With --ranks and --threshold: whether a chain of kernels should be fused, from the sizes "
      "of\n"
      "the buffers between them.");
  command.option("FILE", options->file, "A sequence in text form (docs/ir_text.md)");
  command.option("--ranks", options->ranks, "Element counts of those buffers: 64,64,8");
  command.option("--threshold", options->threshold,
                 "Fuse while the geometric mean of the counts is at most this");
  command.option("--device", options->device,
                 "Device to predict for (best), or to compute ranks on (reference)");
  command.flag("--json", options->json, "Print one JSON object");
  command.callback([&context, options, command] {
    const std::string mistake = mistake_in(*options, command);
    if (!mistake.empty()) context.exit_code = kUsage;
    context.action = [options, mistake]() -> Expected<void> {
      if (!mistake.empty()) return bad_inputs("{}; see vyre fuse --help", mistake);
      return options->file.empty() ? decide_by_ranks(*options) : list_fusions(*options);
    };
  });
}

}  // namespace vyre::cli
