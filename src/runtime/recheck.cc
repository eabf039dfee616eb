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

Expected<Recheck> Tuning::recheck(const ServedCall& call, const backend::BoundCall& bound,
                                  const backend::Slots& slots) {
  const std::string name = quote(call.sequence.def().name);
  if (call.grid) {
    return bad_inputs("{}: calls with a grid of their own are not tuned; leave it out", name);
  }
  const DecisionRef found = cache_.find(call.sequence.fingerprint(), call.shape);
  if (!found) return bad_inputs("{}: nothing is decided for this shape; tune it first", name);
  const Decision decided = cache_.read(found);
  VYRE_TRY(Choice pair, choice_of_two(call.sequence, decided.config, device_->info().limits));
  if (pair.space.size() == 1) return Recheck{true, decided.elapsed, decided.default_elapsed};
  if (const auto declared = choice_for(call.sequence.fingerprint())) {
    pair.tolerance = declared->tolerance;
    pair.opaque_outputs = declared->opaque_outputs;
  }
  VYRE_TRY(const Problem problem, problem_of(call, pair, bound, slots));
  auto apart = DecisionCache::open({.identity = cache_.identity()});  // two are not the whole space
  VYRE_TRY(const Tuned tuned, tune(device_, problem,
                                   {.seconds = 0,
                                    .evaluations = 2,
                                    .mode = Mode::on,
                                    .again = true,
                                    .workers = options_.workers,
                                    .cache = &apart}));
  const Recheck result{tuned.report.best == kDecided, elapsed_of(tuned.report, kDecided),
                       tuned.report.default_elapsed};
  if (result.holds) return result;
  Decision standard = tuned.decision;
  standard.strategy = "recheck";
  // Over another space than the one that it replaces, so it does however many samples that has.
  cache_.offer(call.key, std::move(standard));
  reopen(call.key);
  tell(EventKind::demoted, fmt::format("{}: what was decided no longer holds, and the default is "
                                       "used: {}",
                                       name, why_not(result)));
  VYRE_TRY_VOID(cache_.save());
  return result;
}

}  // namespace vyre
