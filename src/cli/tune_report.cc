#include "cli/tune_report.h"

#include <fmt/format.h>

#include <map>

#include "base/error.h"
#include "base/json_value.h"
#include "base/text.h"
#include "cli/decisions.h"
#include "cli/table.h"
#include "vyre/space.h"

namespace vyre::cli {
namespace {

Expected<double> number_of(const Metric& metric, const Config& values) {
  std::vector<std::string> names;
  for (const auto& [name, value] : values.entries()) names.push_back(name);
  VYRE_TRY(const auto compiled, space::Expression::compile(metric.expression, names));
  VYRE_TRY(const Value value, compiled.evaluate(values));
  if (const double* real = std::get_if<double>(&value)) return *real;
  if (const auto* whole = std::get_if<std::int64_t>(&value)) return static_cast<double>(*whole);
  return bad_inputs("{} is no number", quote(metric.expression));
}

// The values that metrics may name, for one configuration at a time.
Config values_of(const Problem& problem, std::uint64_t index, double ns) {
  Config values = problem.space.config_at(index);
  for (const auto& [name, size] : problem.sizes) values.set(name, size);
  values.set("time_ms", ns / 1e6);
  return values;
}

// "12.3 GB/s, 4.1 GFLOP/s"
std::string metrics_text(const TunedKernel& kernel) {
  std::string out;
  const Config values =
      values_of(kernel.problem, kernel.tuned.report.best, kernel.tuned.report.elapsed.ns);
  for (const Metric& metric : kernel.problem.metrics) {
    const auto value = number_of(metric, values);
    if (value) out += fmt::format("{}{:.1f} {}", out.empty() ? "" : ", ", *value, metric.name);
  }
  return out;
}

Json metrics_json(const TunedKernel& kernel) {
  Json out = Json::object();
  const Config values =
      values_of(kernel.problem, kernel.tuned.report.best, kernel.tuned.report.elapsed.ns);
  for (const Metric& metric : kernel.problem.metrics) {
    if (const auto value = number_of(metric, values)) out[metric.name] = *value;
  }
  return out;
}

std::string gain_text(const CampaignReport& r) {
  if (!is_better(r)) return "1.00 x";
  return fmt::format("{:.2f} x ({:.2f} to {:.2f})", r.gain(), r.gained.low, r.gained.high);
}

// How many times as fast as the host's own code: 0.54 is about half as fast.
double ratio_to_host(const TunedKernel& kernel) {
  return kernel.host->ns / kernel.tuned.report.elapsed.ns;
}

// "92.1 GB/s; 0.74 x OpenMP on this machine's processor"; empty: neither is known.
std::string speed_text(const TunedKernel& kernel) {
  const std::string metrics = metrics_text(kernel);
  if (!kernel.host) return metrics;
  const double ratio = ratio_to_host(kernel);
  return fmt::format("{}{}{:.{}f} x {} on this machine's processor", metrics,
                     metrics.empty() ? "" : "; ", ratio, ratio < 0.1 ? 4 : 2, kernel.host->by);
}

Json host_json(const TunedKernel& kernel) {
  if (!kernel.host) return {};
  return {{"by", kernel.host->by}, {"ns", kernel.host->ns}, {"ratio", ratio_to_host(kernel)}};
}

Json to_json(const Estimate& e) {
  return {{"ns", e.ns}, {"low_ns", e.low_ns}, {"high_ns", e.high_ns}};
}

std::map<std::string_view, std::size_t> failures_by_kind(const CampaignReport& report) {
  std::map<std::string_view, std::size_t> out;
  for (const Failure& failure : report.failures) ++out[to_string(failure.status)];
  return out;
}

// The chosen plan in words; empty for a kernel that has none.
std::string plan_text(const TunedKernel& kernel) {
  if (kernel.problem.plans == nullptr) return "";
  return fuse::describe_plan(kernel.problem.space.config_at(kernel.tuned.report.best));
}

// "failed: 3 compile, 1 timeout", and where the reasons are; empty: nothing has failed.
std::string failures_text(const Tuned& tuned) {
  std::string out;
  for (const auto& [kind, count] : failures_by_kind(tuned.report)) {
    out += fmt::format("{}{} {}", out.empty() ? "failed: " : ", ", count, kind);
  }
  const bool has_report = !out.empty() && tuned.is_kept && !tuned.unsaved;
  if (has_report) {
    out += fmt::format("; `vyre report {}` says why", to_string(tuned.key).substr(0, kShownOfKey));
  }
  return out;
}

Json to_json(const TunedKernel& kernel) {
  const Problem& problem = kernel.problem;
  const Tuned& t = kernel.tuned;
  const bool is_saved = t.is_kept && !t.unsaved;
  return {{"kernel", problem.name},
          {"device", kernel.device.name},
          {"driver", fmt::format("{} {}", kernel.device.backend, kernel.device.driver)},
          {"decision", is_saved ? Json(to_string(t.key)) : Json()},
          {"why_not_kept", t.why_not_kept},
          {"config", to_json(problem.space.config_at(t.report.best))},
          {"plan", problem.plans == nullptr ? Json() : Json(plan_text(kernel))},
          {"default", to_json(t.report.default_elapsed)},
          {"tuned", to_json(t.report.elapsed)},
          {"gain", t.report.gain()},
          {"gain_low", t.report.gained.low},
          {"gain_high", t.report.gained.high},
          {"host_clock", t.decision.host_clock},
          {"drift", t.decision.drift > 0 ? Json(t.decision.drift) : Json()},
          {"better", is_better(t.report)},
          {"evaluations", t.report.evaluations},
          {"resumed", t.report.resumed},
          {"failures", t.report.failures.size()},
          {"failures_by_kind", failures_by_kind(t.report)},
          {"metrics", metrics_json(kernel)},
          {"host", host_json(kernel)},
          {"seconds", t.report.seconds},
          {"kernel_seconds", t.report.kernel_seconds},
          {"stopped", to_string(t.report.stopped)}};
}

}  // namespace

bool is_better(const CampaignReport& report) {
  const auto is_best = [&](const Standing& s) { return s.candidate.id == report.best; };
  const auto best = std::ranges::find_if(report.standings, is_best);
  return best != report.standings.end() && !best->candidate.is_default;
}

std::string ms_text(double ns) { return fmt::format("{:.3f} ms", ns / 1e6); }

std::string tried_text(const Problem& problem, const Tried& tried) {
  const bool ran = tried.result.status == Status::ok;
  const std::string found =
      ran ? ms_text(tried.result.time_ms * 1e6) : std::string(to_string(tried.result.status));
  return fmt::format("{:>12}  {}{}{}", found, to_string(problem.space.config_at(tried.index)),
                     tried.why.empty() ? "" : ": ", tried.why);
}

std::string table_of(const std::vector<TunedKernel>& all) {
  Table table({{"kernel"},
               {"default", Align::right},
               {"tuned", Align::right},
               {"gain", Align::right},
               {"tried", Align::right},
               {"failed", Align::right},
               {"s", Align::right}},
              kTerminalWidth);
  bool has_any = false;
  for (const TunedKernel& kernel : all) {
    const CampaignReport& r = kernel.tuned.report;
    if (r.elapsed.ns <= 0) continue;  // it was interrupted before anything was measured
    has_any = true;
    table.add({kernel.problem.name, ms_text(r.default_elapsed.ns), ms_text(r.elapsed.ns),
               gain_text(r), std::to_string(r.evaluations), std::to_string(r.failures.size()),
               fmt::format("{:.1f}", r.seconds)});
    table.note(to_string(kernel.problem.space.config_at(r.best)));
    table.note(plan_text(kernel));
    table.note(speed_text(kernel));
    table.note(failures_text(kernel.tuned));
  }
  return has_any ? table.text() : "";
}

Expected<void> check_metrics(const Problem& problem) {
  for (const Metric& metric : problem.metrics) {
    const auto value = number_of(metric, values_of(problem, problem.default_index, 1e6));
    if (value) continue;
    return bad_inputs("metric {}: {}", quote(metric.name), value.error().message);
  }
  return {};
}

std::string json_of(const std::vector<TunedKernel>& all) {
  Json json = Json::array();
  for (const TunedKernel& kernel : all) json.push_back(to_json(kernel));
  return json.dump(2, ' ', false, Json::error_handler_t::replace);
}

}  // namespace vyre::cli
