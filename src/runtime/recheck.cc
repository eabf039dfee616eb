// Rechecking: a campaign over two configurations, the default and what was decided.

#include <fmt/format.h>

#include "base/error.h"
#include "base/text.h"
#include "runtime/tuning.h"

namespace vyre {
namespace {

constexpr std::uint64_t kDecided = 1;  // its index in the pair

Estimate elapsed_of(const CampaignReport& report, std::uint64_t index) {
  for (const Standing& standing : report.standings) {
    if (standing.candidate.id == index && standing.fate != Fate::failed) return standing.elapsed;
  }
  return {};
}

std::string why_not(const Recheck& result) {
  if (result.elapsed.ns <= 0) return "it does not run, or its results are wrong";
  return fmt::format("it takes {:.4g} ms, the default {:.4g} ms", result.elapsed.ns / 1e6,
                     result.default_elapsed.ns / 1e6);
}

}  // namespace

Expected<Recheck> Tuning::recheck(const Prepared& prepared, const Call& call) {
  const std::string name = quote(prepared.sequence.def().name);
  if (call.grid) {
    return bad_inputs("{}: calls with a grid of their own are not tuned; leave it out", name);
  }
  const DecisionRef found = cache_.find(prepared.sequence.fingerprint(), prepared.shape);
  if (!found) return bad_inputs("{}: nothing is decided for this shape; tune it first", name);
  const Decision decided = cache_.read(found);
  VYRE_TRY(Searchable pair,
           make_pair_searchable(prepared.sequence, decided.config, device_->info().limits));
  if (pair.space.size() == 1) return Recheck{true, decided.elapsed, decided.default_elapsed};
  if (const auto declared = searchable(prepared.sequence.fingerprint())) {
    pair.tolerance = declared->tolerance;
    pair.opaque_outputs = declared->opaque_outputs;
  }
  Trial trial(prepared, call, std::make_shared<const Searchable>(std::move(pair)),
              {.sweeps = true,
               .budget = {.seconds = 0, .evaluations = 2},
               .worker = options_.worker ? &*options_.worker : nullptr});
  VYRE_TRY(const CampaignReport report, trial.run(device_));
  const Recheck result{report.best == kDecided, elapsed_of(report, kDecided),
                       report.default_elapsed};
  if (result.holds) return result;
  Decision standard = trial.decision(report);
  standard.strategy = "recheck";
  // Over another space than the one that it replaces, so it does however many samples that has.
  cache_.offer(prepared.key, std::move(standard));
  reopen(prepared.key);
  tell(EventKind::demoted, fmt::format("{}: what was decided no longer holds, and the default is "
                                       "used: {}",
                                       name, why_not(result)));
  VYRE_TRY_VOID(cache_.save());
  return result;
}

}  // namespace vyre
