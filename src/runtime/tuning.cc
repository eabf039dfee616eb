#include "runtime/tuning.h"

#include <fmt/format.h>

#include <algorithm>
#include <new>

#include "base/error.h"
#include "base/text.h"
#include "runtime/call_copy.h"
#include "tune/evaluators.h"
#include "tune/worker/workers.h"

namespace vyre {
namespace {

constexpr std::size_t kMostTrials = 8;      // online, at a time
constexpr std::uint64_t kForgotten = 1000;  // launches without one of that key

bool is_empty(const Budget& budget) { return !(budget.seconds > 0) && budget.evaluations == 0; }

// Why nothing can be tuned; empty: it can.
std::string mistake_in(const RuntimeOptions& options) {
  if (options.online) {
    const auto& [share, stall] = *options.online;
    if (!(share > 0 && share <= 1)) {
      return fmt::format(
          "online tuning with a share of {}: nothing is tuned; choose one above 0, at most 1",
          share);
    }
    if (stall >= 0) return "";
    return fmt::format(
        "online tuning with a stall of {} seconds: nothing is tuned; choose 0 or more", stall);
  }
  if (!is_empty(options.miss_budget)) return "";
  return "tuning on a miss with an empty budget: nothing is tuned; give seconds or evaluations";
}

Budget budget_of(const RuntimeOptions& options, const space::Space& space) {
  if (!options.online) return options.miss_budget;
  const std::uint64_t evaluations = options.miss_budget.evaluations;
  return {.seconds = 0, .evaluations = evaluations > 0 ? evaluations : space.size()};
}

// Trials copy and compile what the application did not: they end, it does not.
template <class T, class F>
Expected<T> without_exceptions(const std::string& name, const F& function) {
  try {
    return function();
  } catch (const std::bad_alloc&) {
    return backend_error("{}: out of memory for copies of its buffers; tune smaller sizes", name);
  }
}

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

Tuning::Tuning(std::shared_ptr<Device> device, const RuntimeOptions& options, DecisionCache& cache)
    : device_(std::move(device)),
      options_(options),
      cache_(cache),
      share_(options.online.value_or(Online{}).share) {
  if (options_.mode == Mode::off) return;
  const std::string mistake = mistake_in(options_);
  is_enabled_ = mistake.empty() && device_->info().executes;
  if (!mistake.empty()) tell(EventKind::not_tuned, mistake);
}

void Tuning::tell(EventKind kind, std::string message) const {
  if (options_.events) options_.events({.kind = kind, .message = std::move(message)});
}

Expected<void> Tuning::declare(const ir::Sequence& sequence, const Declaration& declaration) {
  VYRE_TRY(Choice made, declared_choice(sequence, declaration));
  const std::string digest = digest_of(made.space);
  {
    const std::lock_guard lock(mutex_);
    choices_[sequence.fingerprint()] = std::make_shared<const Choice>(std::move(made));
  }
  cache_.declare_space(sequence.fingerprint(), digest);
  return {};
}

std::map<ir::Fingerprint, std::string> Tuning::declared_spaces() {
  const std::lock_guard lock(mutex_);
  std::map<ir::Fingerprint, std::string> out;
  for (const auto& [fingerprint, choice] : choices_) {
    if (choice != nullptr) out.emplace(fingerprint, digest_of(choice->space));
  }
  return out;
}

void Tuning::meet(const ir::Sequence& sequence) {
  if (!is_enabled_) return;
  {
    const std::lock_guard lock(mutex_);
    if (choices_.contains(sequence.fingerprint())) return;
  }
  auto made = free_choice(sequence, device_->info().limits);
  if (!made && !sequence.tunables().empty()) {
    tell(EventKind::not_tuned,
         fmt::format("{}: not tuned, because nobody has said which values its tunables may take; "
                     "call Runtime::declare",
                     quote(sequence.def().name)));
  }
  const std::string digest = made ? digest_of(made->space) : "";
  {
    const std::lock_guard lock(mutex_);
    auto shared = made ? std::make_shared<const Choice>(*std::move(made)) : nullptr;
    choices_.try_emplace(sequence.fingerprint(), std::move(shared));
  }
  if (!digest.empty()) cache_.declare_space(sequence.fingerprint(), digest);
}

std::shared_ptr<const Choice> Tuning::choice_for(const ir::Fingerprint& fingerprint) {
  const std::lock_guard lock(mutex_);
  const auto it = choices_.find(fingerprint);
  return it == choices_.end() ? nullptr : it->second;
}

bool Tuning::is_open(const ServedCall& call) {
  if (!is_enabled_ || choice_for(call.sequence.fingerprint()) == nullptr) return false;
  const std::lock_guard lock(mutex_);
  const auto it = states_.find(call.key);
  return it == states_.end() || !it->second.is_settled;
}

// For one more trial online: each holds copies, kernels and buffers. One that nobody has launched
// for long gives way; its journal waits for it.
bool Tuning::has_room() {
  std::size_t trials = 0;
  auto oldest = states_.end();
  for (auto it = states_.begin(); it != states_.end(); ++it) {
    if (it->second.is_settled) continue;
    ++trials;
    if (oldest == states_.end() || it->second.met < oldest->second.met) oldest = it;
  }
  if (trials < kMostTrials) return true;
  if (oldest->second.met + kForgotten > launches_) return false;
  const auto& trial = oldest->second.trial;
  if (trial == nullptr || !trial->try_enter()) return false;  // somebody is at it
  states_.erase(oldest);
  return true;
}

Expected<void> Tuning::try_out(const ServedCall& call, const backend::Slots& slots) {
  const auto has_source = [](const ir::Program& program) { return program.source.has_value(); };
  const bool is_needed = std::ranges::any_of(call.sequence.def().programs, has_source) &&
                         runs_in_workers(options_.workers, device_->info());
  if (!is_needed) return {};
  std::shared_ptr<TryOut> mine;
  {
    const std::lock_guard lock(mutex_);
    auto& entry = tried_out_[call.sequence.fingerprint()];
    if (entry == nullptr) entry = std::make_shared<TryOut>();
    mine = entry;
  }
  std::call_once(mine->once, [&] {
    const std::string name = quote(call.sequence.def().name);
    const auto done =
        without_exceptions<void>(name, [&] { return run_default_in_worker(call, slots); });
    if (!done) mine->failure = build_failure(name, done.error().code);
  });
  if (mine->failure) return std::unexpected(*mine->failure);
  return {};
}

// None: it was not the compiler.
std::optional<Error> Tuning::build_failure(const std::string& name, const std::string& code) const {
  const WorkerOptions& limits = options_.workers;
  const bool is_memory = code == kBuildMemoryCode;
  if (!is_memory && code != kBuildLimitCode) return std::nullopt;
  const std::string exceeded =
      is_memory ? fmt::format("took more than {} MiB of memory", limits.build_memory >> 20U)
                : fmt::format("took longer than {} ms", limits.build_limit.count());
  return Error{.kind = ErrorKind::backend,
               .code = code,
               .message = fmt::format("{}: compiling {} in a worker and was given up; make the "
                                      "kernel smaller or raise the limit (WorkerOptions::{})",
                                      name, exceeded, is_memory ? "build_memory" : "build_limit")};
}

Expected<void> Tuning::run_default_in_worker(const ServedCall& call, const backend::Slots& slots) {
  const auto choice = choice_for(call.sequence.fingerprint());
  VYRE_TRY(
      const backend::Plan plan,
      backend::make_plan(call.sequence, slots, call.default_options(), device_->info().limits));
  VYRE_TRY(const Problem problem, problem_of(call, *choice, plan, slots));
  TuneOptions options{.files = options_.files, .workers = options_.workers};
  options.workers.workers = 1;
  VYRE_TRY(const auto evaluator, make_evaluator(options, device_, problem));
  VYRE_TRY_VOID(answer_of(*evaluator, {Step::admit, problem.default_index}));
  return {};
}

std::shared_ptr<Trial> Tuning::find_or_begin(const ServedCall& call, const backend::Plan& plan,
                                             const backend::Slots& slots) {
  {
    const std::lock_guard lock(mutex_);
    ++launches_;
    const auto it = states_.find(call.key);
    if (it != states_.end()) {
      it->second.met = launches_;
      return it->second.trial;
    }
    if (is_online() && (!share_.allows() || !has_room())) return nullptr;
    states_[call.key] = {.met = launches_};
  }
  const auto start = TimeShare::Clock::now();
  auto trial = without_exceptions<std::shared_ptr<Trial>>(quote(call.sequence.def().name),
                                                          [&] { return begin(call, plan, slots); });
  if (is_online()) share_.spend(TimeShare::Clock::now() - start);
  if (!trial) {
    settle(call.key);
    tell(EventKind::not_tuned, trial.error().message);
    return nullptr;
  }
  if (!is_online()) return *trial;
  const std::lock_guard lock(mutex_);
  return states_[call.key].trial = *trial;
}

Expected<Problem> Tuning::problem_of(const ServedCall& call, const Choice& choice,
                                     const backend::Plan& plan, const backend::Slots& slots) {
  Problem out{.name = quote(call.sequence.def().name),
              .sequence = call.sequence,
              .space = choice.space,
              .default_index = choice.default_index,
              .opaque_outputs = choice.opaque_outputs,
              .tolerance = choice.tolerance};
  VYRE_TRY(const CallCopy copy, CallCopy::make(*device_, call.sequence, plan, slots));
  copy.put_into(out);
  return out;
}

Expected<std::shared_ptr<Trial>> Tuning::begin(const ServedCall& call, const backend::Plan& plan,
                                               const backend::Slots& slots) {
  const auto choice = choice_for(call.sequence.fingerprint());
  VYRE_TRY(Problem problem, problem_of(call, *choice, plan, slots));
  const Budget budget = budget_of(options_, choice->space);
  TuneOptions options{.seconds = budget.seconds,
                      .evaluations = budget.evaluations,
                      .mode = options_.mode,
                      .files = options_.files,
                      .again = true,
                      .replaces = call.is_refused,
                      .workers = options_.workers,
                      .events = options_.events,
                      .cache = &cache_};
  if (call.resolved.decision) options.first.push_back(cache_.read(call.resolved.decision).config);
  return std::make_shared<Trial>(call.key, std::move(problem), std::move(options));
}

void Tuning::follow(const std::shared_ptr<Trial>& trial) {
  if (!is_online()) {
    return conclude(*trial,
                    without_exceptions<Tuned>(trial->name(), [&] { return trial->run(device_); }));
  }
  // One step, if there is time for it and no other thread takes one.
  if (!share_.allows() || !trial->try_enter()) return;
  if (!side_thread_.run([this, trial] { advance(*trial); }, options_.online->stall_seconds)) {
    trial->leave();
  }
}

void Tuning::advance(Trial& trial) {
  const auto start = TimeShare::Clock::now();
  const auto more = without_exceptions<bool>(trial.name(), [&] { return trial.step(device_); });
  const bool is_over = !more || !*more;
  if (is_over) {
    conclude(trial, more ? without_exceptions<Tuned>(trial.name(), [&] { return trial.finish(); })
                         : std::unexpected(more.error()));
  } else {
    trial.leave();
  }
  share_.spend(TimeShare::Clock::now() - start);
}

void Tuning::conclude(const Trial& trial, const Expected<Tuned>& tuned) {
  if (!tuned) {
    tell(EventKind::not_tuned, fmt::format("not tuned: {}", tuned.error().message));
  } else if (tuned->report.evaluations <= 1 && !tuned->is_kept) {
    tell(EventKind::not_tuned, fmt::format("{}: not tuned: {}", trial.name(), tuned->why_not_kept));
  } else {
    const CampaignReport& report = tuned->report;
    tell(EventKind::tuned,
         fmt::format("{}: tuned in {:.2f} s: {:.2f} times as fast as the default, with {}; {} "
                     "configurations tried, {} of them before a restart",
                     trial.name(), report.seconds, report.gain(), to_string(tuned->decision.config),
                     report.evaluations, report.resumed));
  }
  if (tuned && tuned->unsaved) tell(EventKind::warning, tuned->unsaved->message);
  settle(trial.key());
}

void Tuning::settle(const Key& key) {
  const std::lock_guard lock(mutex_);
  states_[key] = {.is_settled = true};
}

void Tuning::give_back(const Trial& trial) {
  if (is_online()) return;
  const std::lock_guard lock(mutex_);
  states_.erase(trial.key());
}

void Tuning::reopen(const Key& key) {
  const std::lock_guard lock(mutex_);
  const auto it = states_.find(key);
  if (it != states_.end() && it->second.is_settled) states_.erase(it);
}

// A campaign over two configurations, the default and the decided one.
Expected<Recheck> Tuning::recheck(const ServedCall& call, const backend::Plan& plan,
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
  VYRE_TRY(const Problem problem, problem_of(call, pair, plan, slots));
  auto apart = DecisionCache::open({.identity = cache_.identity()});  // two are not the whole space
  VYRE_TRY(const Tuned tuned, tune(device_, problem,
                                   {.seconds = 0,
                                    .evaluations = 2,
                                    .mode = Mode::on,
                                    .again = true,
                                    .workers = options_.workers,
                                    .cache = &apart}));
  if (tuned.ended_by) return std::unexpected(*tuned.ended_by);
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
