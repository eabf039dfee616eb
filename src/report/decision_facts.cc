#include "report/decision_facts.h"

#include <fmt/format.h>

#include "base/text.h"
#include "report/words.h"
#include "vyre/fuse.h"

namespace vyre::report {
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

std::string or_unknown(const std::string& text) { return text.empty() ? "not known" : quote(text); }

std::string valid_for(const Listed& listed) {
  if (listed.identity_id.empty()) return "any device: a line of the original's file";
  const Identity& id = listed.identity;
  return fmt::format("{} on {}, driver {}; elsewhere it is a seed", or_unknown(id.device),
                     or_unknown(id.backend), or_unknown(id.driver));
}

void add_choice(const Decision& d, std::vector<Fact>& out) {
  out.push_back({"program", or_unknown(d.program)});
  out.push_back({"shape", d.shape.empty() ? "not known" : shape_text(d.shape)});
  out.push_back({"config", d.config.empty() ? "the defaults" : to_string(d.config)});
  if (std::string plan = plan_text(d); !plan.empty()) out.push_back({"plan", std::move(plan)});
  out.push_back({"elapsed", interval(d.elapsed)});
  out.push_back({"default", interval(d.default_elapsed)});
  out.push_back({"gain", gain(d)});
}

void add_evidence(const Decision& d, std::vector<Fact>& out) {
  out.push_back({"evidence", evidence(d)});
  out.push_back({"ties", ties(d)});
  if (d.runner_up) {
    out.push_back({"runner-up", fmt::format("{}: {}", to_string(d.runner_up->config),
                                            interval(d.runner_up->elapsed))});
  }
  if (d.host_clock) out.push_back({"clock", "the host's: the times contain the launch"});
  for (const KernelFacts& kernel : d.kernels) out.push_back({"kernel", facts_text(kernel)});
  if (d.drift > 0) out.push_back({"drift", drift_text(d.drift)});
}

}  // namespace

std::vector<Fact> facts_of(const Listed& listed) {
  const Decision& d = listed.decision;
  std::vector<Fact> out;
  add_choice(d, out);
  add_evidence(d, out);
  if (!d.supersedes.ids.empty()) out.push_back({"replaces", supersedes(d)});
  out.push_back(
      {"found by", fmt::format("{}, over space {}", or_unknown(d.strategy), or_unknown(d.space))});
  out.push_back(
      {"when", fmt::format("{}, by vyre {}", date_text(d.decided_at), or_unknown(d.version))});
  out.push_back({"valid for", valid_for(listed)});
  if (!listed.file.empty()) out.push_back({"file", quote_path(listed.file.native())});
  return out;
}

std::string lines_of(const Key& key, const std::vector<Fact>& facts) {
  std::string out = to_string(key) + "\n";
  for (const Fact& fact : facts) out += fmt::format("  {:<12}{}\n", fact.title, escaped(fact.text));
  return out;
}

}  // namespace vyre::report
