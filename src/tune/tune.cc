#include "vyre/tune.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/check.h"
#include "base/error.h"
#include "base/files/paths.h"
#include "base/text.h"
#include "tune/campaign.h"
#include "tune/campaign_journal.h"
#include "tune/compare.h"
#include "tune/cost.h"
#include "tune/evaluators.h"
#include "tune/hints.h"
#include "tune/journal_file.h"
#include "tune/plan_hint.h"
#include "tune/plan_opening.h"
#include "tune/problem_call.h"
#include "tune/quarantine.h"
#include "tune/verified_evaluator.h"
#include "tune/wary_evaluator.h"
#include "tune/worker/workers.h"

namespace vyre {
namespace {

constexpr std::uint64_t kFew = 32;        // below the patience of a campaign: none is left out
constexpr const char* kSweep = "random";  // all of them, but losers are not measured to the end

Estimate scaled(const Estimate& time, double by) {
  return {time.ns * by, time.low_ns * by, time.high_ns * by};
}

std::int64_t seconds_since_1970() {
  return std::chrono::duration_cast<std::chrono::seconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

Decision decision_of(const Problem& problem, const CampaignReport& report,
                     std::vector<std::uint64_t> shape, std::string strategy) {
  Decision out;
  out.program = problem.sequence.def().name;
  out.shape = std::move(shape);
  out.fingerprint = problem.sequence.fingerprint();
  out.config = problem.space.config_at(report.best);
  out.space = digest_of(problem.space);
  out.elapsed = report.elapsed;
  out.default_elapsed = report.default_elapsed;
  out.tied_candidates = static_cast<std::uint32_t>(report.outcome.tied.size());
  for (const Standing& standing : report.standings) {
    if (standing.candidate.id == report.best) {
      out.samples = static_cast<std::uint32_t>(standing.samples_ns.size()) + report.gained.pairs;
    }
    if (report.outcome.runner_up && standing.candidate.id == *report.outcome.runner_up) {
      out.runner_up = {problem.space.config_at(standing.candidate.id),
                       scaled(standing.elapsed, report.drift_since_race)};
    }
  }
  if (report.gained.pairs > 0) out.gain = report.gained;
  if (report.outcome.has_drifted) out.drift = report.outcome.drift.value_or(0);
  out.host_clock = report.is_timed_by_host;
  out.verified = compares_outputs(problem);
  out.strategy = std::move(strategy);
  out.decided_at = seconds_since_1970();
  out.version = VYRE_VERSION;
  return out;
}

// Whether the campaign ran this configuration too, or could not.
bool was_compared(const CampaignReport& report, std::uint64_t index) {
  const auto is_it = [&](const Standing& s) {
    return s.candidate.id == index && (s.fate == Fate::failed || !s.samples_ns.empty());
  };
  return std::ranges::any_of(report.standings, is_it) ||
         std::ranges::find(report.failures, index, &Failure::index) != report.failures.end();
}

}  // namespace

struct TuneSteps::Content {
  Content(std::shared_ptr<Device> given, Problem what, TuneOptions with)
      : device(std::move(given)),
        problem(std::move(what)),
        options(std::move(with)),
        adapter(safe_name(device->info())),
        identity(identity_of(device->info())) {}

  Expected<void> begin() {
    VYRE_TRY_VOID(check_strategy());
    VYRE_TRY(tuned.decision.shape, shape_of(problem, device->info().limits));
    tuned.name = problem.name;
    tuned.key = key_of(problem.sequence.fingerprint(), tuned.decision.shape);
    open_cache();
    cache->declare_space(problem.sequence.fingerprint(), digest_of(problem.space));
    if (auto file = own_journal_file(); !file.empty()) {
      tuned.journal = std::make_shared<const CampaignJournal>(CampaignJournal{.file = file});
    }
    if (!options.again && recall()) return {};
    VYRE_TRY_VOID(open_evaluator());
    return open_campaign();
  }

  // One fleet may have devices of one name with several drivers: a campaign for each.
  std::filesystem::path own_journal_file() const {
    const bool is_on_nodes = options.evaluator != nullptr && options.evaluator->answers_in_order();
    const std::string key = to_string(tuned.key);
    return journal_file(options.files, adapter,
                        is_on_nodes ? fmt::format("{}-{}", id_of(identity), key) : key);
  }

  // A wrong name is an error also where nothing is searched.
  Expected<void> check_strategy() const {
    const auto all = strategies();
    if (std::ranges::find(all, options.strategy, &StrategyKind::name) != all.end()) return {};
    auto unknown = make_strategy(options.strategy, problem.space, {});
    VYRE_CHECK(!unknown);
    return std::unexpected(std::move(unknown).error());
  }

  void open_cache() {
    cache = options.cache;
    if (cache != nullptr) return;
    own_cache.emplace(DecisionCache::open({.adapter = adapter,
                                           .folder = decisions_folder(options.files),
                                           .system_folder = options.files.system_folder,
                                           .fleet_folder = options.files.fleet_folder,
                                           .embedded = options.files.embedded,
                                           .identity = identity,
                                           .events = options.events}));
    cache = &*own_cache;
  }

  // Whether this was decided already, under today's identity and over this space.
  bool recall() {
    const DecisionRef found = cache->find_kept(tuned.key);
    if (!found || found.is_seed()) return false;
    Decision decision = cache->read(found);
    const auto index = problem.space.find(decision.config);
    if (!index || decision.samples == 0) return false;
    tuned.decision = std::move(decision);
    tuned.report.best = *index;
    tuned.report.elapsed = tuned.decision.elapsed;
    tuned.report.default_elapsed = tuned.decision.default_elapsed;
    tuned.report.gained = tuned.decision.gain;
    if (tuned.report.gained.pairs == 0 && tuned.report.elapsed.ns > 0) {
      const double times = tuned.report.default_elapsed.ns / tuned.report.elapsed.ns;
      tuned.report.gained = {times, times, times, 0};
    }
    tuned.report.stopped = StopReason::converged;
    tuned.is_remembered = true;
    tuned.is_kept = true;
    return true;
  }

  Expected<void> open_evaluator() {
    evaluator = options.evaluator;
    const auto file = own_journal_file();
    if (!file.empty()) {
      VYRE_TRY(journal, JournalFile::take(file));
      if (!journal) {
        tell(fmt::format("{}: another process tunes it; if this one is interrupted, it starts anew",
                         problem.name));
      }
    }
    if (evaluator != nullptr) return {};
    // What is judged here would disturb what is timed in another worker meanwhile.
    if (options.verify && !options.workers.workers) options.workers.workers = 1;
    VYRE_TRY(auto made, make_evaluator(options, device, problem));
    device_evaluator = made.get();
    own_evaluator = std::move(made);
    if (options.verify) {
      own_evaluator = std::make_unique<VerifiedEvaluator>(std::move(own_evaluator), device, problem,
                                                          options.verify);
    }
    if (journal && !runs_in_workers(options.workers, device->info())) {
      own_evaluator = std::make_unique<WaryEvaluator>(
          std::move(own_evaluator), trying_file(journal->path()), problem.default_index);
    }
    evaluator = own_evaluator.get();
    return {};
  }

  Expected<void> open_campaign() {
    std::string data;
    if (journal) {
      VYRE_TRY(data, digest_of_data(problem));
      if (options.verify) data += "-verified";  // what was only compared was not judged
    }
    const SearchTask task = task_of(problem, device->info(), data);
    VYRE_TRY(const CampaignOptions wanted, campaign_options(task));
    VYRE_TRY(CampaignSteps begun, CampaignSteps::begin(task, *evaluator, wanted));
    steps.emplace(std::move(begun));
    return {};
  }

  // What a new decision would replace.
  std::optional<std::uint64_t> known_best() const {
    const DecisionRef found = cache->find_kept(tuned.key);
    if (!found || found.is_seed()) return std::nullopt;
    return problem.space.find(cache->read(found).config);
  }

  // What the roofline says of the plans of a widened sequence. A device whose rates cannot be found
  // is searched without it. HIP's compiler may not be used in the process of a campaign
  // (docs/backends.md).
  void add_prediction(CampaignOptions& out) const {
    const bool is_measurable = options.evaluator == nullptr && !options.files.folder.empty() &&
                               device->info().backend != "hip";
    if (problem.plans == nullptr || !is_measurable) return;
    const auto rates = fuse::rates_of(device, options.files);
    if (!rates) return;
    Hint hint = plan_hint(problem, device->info().limits, *rates);
    if (!hint.times.empty()) out.hints.push_back(std::move(hint));
  }

  Expected<CampaignOptions> campaign_options(const SearchTask& task) {
    CampaignOptions out{.strategy = options.strategy,
                        .seed = options.seed,
                        .budget = {.seconds = options.seconds, .evaluations = options.evaluations},
                        .rival = known_best(),
                        .hints = options.hints,
                        .race = options.race,
                        .on_progress = options.on_progress,
                        .on_tried = options.on_tried};
    const bool sweeps = options.mode == Mode::on && problem.space.size() <= kFew &&
                        options.strategy == TuneOptions().strategy;
    if (is_workgroup_choice(problem.space)) {
      out.workgroup = {.mode = options.mode, .sequence = problem.sequence};
      out.strategy = options.mode == Mode::on ? "best_of" : "natural_search";
    } else if (sweeps) {
      out.strategy = kSweep;
    }
    strategy = sweeps && !out.workgroup ? "sweep" : out.strategy;
    const bool is_endless = out.budget.evaluations == 0 && !(out.budget.seconds > 0);
    if (is_endless && (sweeps || out.workgroup)) out.budget.evaluations = problem.space.size();
    for (const Config& config : options.first) {
      if (const auto index = problem.space.find(config)) out.seeds.push_back(*index);
    }
    if (!records_space(out.strategy)) out.opening = plan_opening(problem);
    for (Hint& hint : hints_from(*cache, problem)) out.hints.push_back(std::move(hint));
    add_prediction(out);
    if (!options.files.folder.empty()) {
      VYRE_TRY(quarantine, Quarantine::open(quarantine_file(options.files, adapter),
                                            {.build_limit = options.workers.build_limit,
                                             .run_limit = options.workers.run_limit,
                                             .now = seconds_since_1970()}));
      if (!options.retry) out.known_failures = quarantine->of(problem, identity);
    }
    out.keeps_journal = options.evaluator == nullptr;
    if (journal) {
      out.journal = journal->path();
      Hint hint =
          hint_from_journal(out.journal, campaign_line(task, out, *evaluator), problem.space);
      if (!hint.times.empty()) out.hints.push_back(std::move(hint));
    }
    return out;
  }

  Expected<bool> step() {
    if (tuned.is_remembered) return false;
    for (;;) {
      const bool was_replaying = steps->is_replaying();
      auto more = steps->step();
      // The default fails, and would do so from the journal whatever was mended.
      if (!more && more.error().kind == ErrorKind::rejected) VYRE_TRY_VOID(steps->finish_journal());
      if (!more || !*more || !was_replaying) return more;
    }
  }

  Expected<Tuned> finish() {
    if (tuned.is_remembered) return std::move(tuned);
    VYRE_TRY(tuned.report, steps->report());
    describe();
    if (device_evaluator != nullptr && device->info().tells_facts) {
      tuned.decision.kernels = device_evaluator->facts(tuned.report.best);
    }
    tuned.why_not_kept = why_undecided();
    // Whatever cannot be written, what was found is returned.
    auto saved = tuned.why_not_kept.empty() ? keep() : Expected<void>();
    if (saved && quarantine && !tuned.is_interrupted()) {
      saved = quarantine->add(problem, identity, tuned.report.failures);
    }
    if (saved && !tuned.is_interrupted()) saved = steps->finish_journal();
    if (!saved) tuned.unsaved = saved.error();
    return std::move(tuned);
  }

  // Nothing is decided. The journal has all answers, and the next campaign goes on from there.
  Expected<Tuned> finish_after(const Error& error) {
    if (error.kind == ErrorKind::rejected) return std::unexpected(error);
    auto found = steps->report();
    if (!found && !is_stop(error)) return std::unexpected(error);
    tuned.report = std::move(found).value_or(CampaignReport{.best = problem.default_index});
    tuned.report.stopped = StopReason::asked;
    describe();
    tuned.why_not_kept = why_undecided();
    if (!is_stop(error)) tuned.ended_by = error;
    return std::move(tuned);
  }

  // The decision as the report has it, and the journal that it rests on.
  void describe() {
    tuned.decision = decision_of(problem, tuned.report, std::move(tuned.decision.shape), strategy);
    if (options.verify) tuned.decision.verified = true;
    if (journal) return;  // its file is known
    auto kept = steps->kept_journal();
    tuned.journal =
        kept == nullptr
            ? nullptr
            : std::make_shared<const CampaignJournal>(CampaignJournal{.kept = std::move(kept)});
  }

  std::string why_undecided() const {
    if (tuned.is_interrupted()) return "interrupted";
    const CampaignReport& report = tuned.report;
    const bool is_alone =
        report.stopped == StopReason::budget && report.evaluations <= 1 && problem.space.size() > 1;
    return is_alone ? "the budget was spent on the default alone; give more" : "";
  }

  // The campaign has compared the new decision with the one that is there, if it ran both.
  void supersede_known() {
    static_cast<void>(cache->save());  // what other processes have decided counts, too
    const DecisionRef found = cache->find_kept(tuned.key);
    if (!found || found.is_seed()) return;
    const Decision known = cache->read(found);
    const auto index = problem.space.find(known.config);
    if (options.replaces || (index && was_compared(tuned.report, *index))) {
      supersede(tuned.decision, known, identity);
    }
  }

  Expected<void> keep() {
    supersede_known();
    const Offer offer = cache->offer(tuned.key, tuned.decision);
    tuned.is_kept = offer == Offer::kept;
    tuned.why_not_kept = reason_of(offer);
    return cache->save();
  }

  void tell(std::string message) const {
    if (options.events) options.events({.kind = EventKind::warning, .message = std::move(message)});
  }

  std::shared_ptr<Device> device;
  Problem problem;
  TuneOptions options;
  std::string adapter;
  Identity identity;
  Tuned tuned;
  std::string strategy;  // as the decision names it
  std::optional<DecisionCache> own_cache;
  DecisionCache* cache = nullptr;
  std::optional<JournalFile> journal;
  std::optional<Quarantine> quarantine;
  std::unique_ptr<Evaluator> own_evaluator;
  DeviceEvaluator* device_evaluator = nullptr;  // within it
  Evaluator* evaluator = nullptr;
  std::optional<CampaignSteps> steps;  // uses the evaluator
};

TuneSteps::TuneSteps(std::unique_ptr<Content> content) : content_(std::move(content)) {}
TuneSteps::TuneSteps(TuneSteps&&) noexcept = default;
TuneSteps::~TuneSteps() = default;

Expected<TuneSteps> TuneSteps::begin(std::shared_ptr<Device> device, Problem problem,
                                     TuneOptions options) {
  if (device == nullptr) return bad_inputs("there is no device to tune on; open one");
  auto content =
      std::make_unique<Content>(std::move(device), std::move(problem), std::move(options));
  VYRE_TRY_VOID(content->begin());
  return TuneSteps(std::move(content));
}

Expected<bool> TuneSteps::step() { return content_->step(); }
Expected<Tuned> TuneSteps::finish() { return content_->finish(); }
Expected<Tuned> TuneSteps::finish_after(const Error& error) {
  return content_->finish_after(error);
}

Expected<Tuned> tune(std::shared_ptr<Device> device, const Problem& problem,
                     const TuneOptions& options) {
  VYRE_TRY(TuneSteps steps, TuneSteps::begin(std::move(device), problem, options));
  for (;;) {
    const auto more = steps.step();
    if (!more) return steps.finish_after(more.error());
    if (!*more) return steps.finish();
  }
}

recording::Recording recording_of(const Problem& problem, const CampaignReport& report) {
  recording::Recording out;
  out.parameters = problem.space.parameters();
  const auto row_of = [&](std::uint64_t index) {
    recording::Row row{.point = problem.space.at(index)};
    const auto cost = report.costs.find(index);
    if (cost == report.costs.end()) return row;
    row.compile_ms = cost->second.compile_seconds * 1000;
    row.validation_ms = cost->second.verify_seconds * 1000;
    row.search_ms = cost->second.search_seconds * 1000;
    row.timestamp = utc_text(cost->second.unix_ms);
    return row;
  };
  for (const Standing& standing : report.standings) {
    if (standing.fate == Fate::failed || standing.elapsed.ns <= 0) continue;
    recording::Row row = row_of(standing.candidate.id);
    row.time_ms = standing.elapsed.ns / 1e6;
    for (const double ns : standing.samples_ns) row.run_ms.push_back(ns / 1e6);
    out.rows.push_back(std::move(row));
  }
  for (const Failure& failure : report.failures) {
    recording::Row row = row_of(failure.index);
    row.status = failure.status;
    out.rows.push_back(std::move(row));
  }
  return out;
}

}  // namespace vyre
