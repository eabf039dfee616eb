// `vyre explain KEY`: why a configuration was chosen, and on which evidence.

#include <fmt/chrono.h>
#include <fmt/format.h>

#include "base/error.h"
#include "base/files/whole_file.h"
#include "base/text.h"
#include "cli/campaign_plot.h"
#include "cli/command.h"
#include "cli/decisions.h"
#include "cli/export.h"
#include "cli/find_history.h"
#include "vyre/fuse.h"

namespace vyre::cli {
namespace {

std::string interval(const Estimate& e) {
  if (e.ns <= 0) return "not known";
  return fmt::format("{} ({} to {})", time_text(e.ns), time_text(e.low_ns), time_text(e.high_ns));
}

std::string gain(const Decision& d) {
  const auto times = times_faster(d);
  if (!times) return "not known: the default was not measured";
  const std::string text = fmt::format("{:.2f} times the default's speed", *times);
  if (d.gain.pairs == 0) return text;
  return fmt::format("{} ({:.2f} to {:.2f}), from {} pair(s) of runs side by side", text,
                     d.gain.low, d.gain.high, d.gain.pairs);
}

// Which steps of a chain run as one kernel, and what that and the other tunables are worth.
std::string plan_text(const Decision& d) {
  std::string out = fuse::describe_plan(d.config);
  const auto times = times_faster(d);
  if (!out.empty() && times) {
    out += fmt::format("; {:.2f} times the speed of the chain as it is written", *times);
  }
  return out;
}

std::string evidence(const Decision& d) {
  if (d.samples == 0) return "none: taken on trust, never measured here";
  return fmt::format("{} samples, output {}", d.samples,
                     d.verified ? "verified against a reference run" : "not verified");
}

std::string ties(const Decision& d) {
  const bool is_stale = d.runner_up && d.runner_up->elapsed.ns > 0 && d.elapsed.ns > 0 &&
                        d.runner_up->elapsed.ns < d.elapsed.ns;
  if (d.tied_candidates <= 1 && is_stale) {
    return "not known: the runner-up was measured while the device was faster; tune again";
  }
  if (d.tied_candidates <= 1) return "none: no other candidate was as fast";
  return fmt::format("{} candidates could not be told apart; the canonical one was taken",
                     d.tied_candidates);
}

std::string facts_text(const KernelFacts& facts) {
  return fmt::format(
      "{} registers, {} bytes spilled or in private arrays, {} bytes of local memory",
      facts.registers, facts.private_bytes, facts.local_bytes);
}

std::string supersedes(const Decision& d) {
  const std::size_t others = d.supersedes.ids.size() - 1;
  return fmt::format("decision {}{}", d.supersedes.ids.front(),
                     others == 0 ? "" : fmt::format(" and {} before it", others));
}

// std::gmtime in a form that cannot fail: a time that no calendar has is shown as a number.
std::string when(std::int64_t seconds) {
  constexpr std::int64_t kYear9999 = 253'402'300'799;
  if (seconds <= 0 || seconds > kYear9999) return fmt::format("{}", seconds);
  return fmt::format("{:%Y-%m-%d %H:%M} UTC", fmt::gmtime(static_cast<std::time_t>(seconds)));
}

std::string or_unknown(const std::string& text) { return text.empty() ? "not known" : quote(text); }

void print_line(std::string_view title, const std::string& text) {
  fmt::print("  {:<12}{}\n", title, escaped(text));
}

void print(const Listed& listed) {
  const Decision& d = listed.decision;
  fmt::print("{}\n", to_string(listed.key));
  print_line("program", or_unknown(d.program));
  print_line("shape", d.shape.empty() ? "not known" : shape_text(d.shape));
  print_line("config", d.config.empty() ? "the defaults" : to_string(d.config));
  if (const std::string plan = plan_text(d); !plan.empty()) print_line("plan", plan);
  print_line("elapsed", interval(d.elapsed));
  print_line("default", interval(d.default_elapsed));
  print_line("gain", gain(d));
  print_line("evidence", evidence(d));
  print_line("ties", ties(d));
  if (d.runner_up) {
    print_line("runner-up", fmt::format("{}: {}", to_string(d.runner_up->config),
                                        interval(d.runner_up->elapsed)));
  }
  for (const KernelFacts& kernel : d.kernels) print_line("kernel", facts_text(kernel));
  if (d.drift > 0) print_line("drift", drift_text(d.drift));
  if (!d.supersedes.ids.empty()) print_line("replaces", supersedes(d));
  print_line("found by",
             fmt::format("{}, over space {}", or_unknown(d.strategy), or_unknown(d.space)));
  print_line("when", fmt::format("{}, by vyre {}", when(d.decided_at), or_unknown(d.version)));
  const Identity& id = listed.identity;
  print_line("valid for",
             listed.identity_id.empty()
                 ? "any device: a line of the original's file"
                 : fmt::format("{} on {}, driver {}; elsewhere it is a seed", or_unknown(id.device),
                               or_unknown(id.backend), or_unknown(id.driver)));
  print_line("file", quote(listed.file.native()));
}

struct ExplainOptions {
  std::string key, file, plot;
  bool json = false;
};

// The plot is drawn before anything is printed: if it cannot be drawn, the error is the only
// output.
Expected<void> plot_of(const std::vector<Listed>& found, const ExplainOptions& options) {
  if (found.size() != 1) {
    return bad_inputs("{} decisions have the key {}; give more of its digits, or --file",
                      found.size(), quote(options.key));
  }
  VYRE_TRY(const FoundHistory history, find_history(found.front()));
  if (!history.is_of_decision) {
    fmt::print(stderr, "vyre: the plot is of a later campaign: the decision's own is gone\n");
  }
  return write_file_atomically(options.plot, to_svg(campaign_figure(history.history)));
}

Expected<void> plot_journal(const ExplainOptions& options) {
  VYRE_TRY(ReadJournal journal, read_journal(options.key));
  VYRE_TRY(const History history, history_of(std::move(journal)));
  return write_file_atomically(options.plot, to_svg(campaign_figure(history)));
}

Expected<void> explain(const ExplainOptions& options) {
  const bool is_journal = options.key.ends_with(".jsonl");
  if (is_journal && options.plot.empty()) {
    return bad_inputs("a journal can only be drawn; add --plot OUT.svg, or give a key");
  }
  if (!options.plot.empty()) VYRE_TRY_VOID(check_writable(options.plot));
  if (is_journal) return plot_journal(options);
  VYRE_TRY(const auto found, find_decisions(options.file, options.key));
  if (!options.plot.empty()) VYRE_TRY_VOID(plot_of(found, options));
  if (options.json) return print_json(found);
  for (std::size_t k = 0; k < found.size(); ++k) {
    if (k != 0) fmt::print("\n");
    print(found[k]);
  }
  return {};
}

}  // namespace

void add_explain(Command& vyre, Context& context) {
  auto o = std::make_shared<ExplainOptions>();
  Command command = vyre.add("explain", "Say why a configuration was chosen");
  command.option("key", o->key,
                 "Key of the decision, or how it starts, or the program's name; with --plot a "
                 "campaign's journal, too",
                 {.required = true});
  command.option("--file", o->file, "File of decisions; else all of the user's");
  command.flag("--json", o->json, "As JSON, all fields");
  command.option("--plot", o->plot,
                 "Draw the campaign's samples, and what the race dropped when, into this "
                 "file: SVG");
  command.callback([&context, o] { context.action = [o] { return explain(*o); }; });
}

}  // namespace vyre::cli
