#include "runtime/tuning.h"

#include <fmt/format.h>

#include <new>

#include "base/error.h"
#include "base/text.h"

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
  if (is_enabled_) remove_old_journals(cache_);
}

void Tuning::tell(EventKind kind, std::string message) const {
  if (options_.cache.events) options_.cache.events({.kind = kind, .message = std::move(message)});
}

Expected<void> Tuning::declare(const ir::Sequence& sequence, const Declaration& declaration) {
  VYRE_TRY(Searchable made, make_searchable(sequence, declaration));
  const std::string digest = digest_of(made.space);
  {
    const std::lock_guard lock(mutex_);
    searchables_[sequence.fingerprint()] = std::make_shared<const Searchable>(std::move(made));
  }
  cache_.declare_space(sequence.fingerprint(), digest);
  return {};
}

void Tuning::meet(const ir::Sequence& sequence) {
  if (!is_enabled_) return;
  {
    const std::lock_guard lock(mutex_);
    if (searchables_.contains(sequence.fingerprint())) return;
  }
  auto made = make_workgroup_searchable(sequence, device_->info().limits);
  if (!made && !sequence.tunables().empty()) {
    tell(EventKind::not_tuned,
         fmt::format("{}: not tuned, because nobody has said which values its tunables may take; "
                     "call Runtime::declare",
                     quote(sequence.def().name)));
  }
  const std::string digest = made ? digest_of(made->space) : "";
  {
    const std::lock_guard lock(mutex_);
    auto shared = made ? std::make_shared<const Searchable>(*std::move(made)) : nullptr;
    searchables_.try_emplace(sequence.fingerprint(), std::move(shared));
  }
  if (!digest.empty()) cache_.declare_space(sequence.fingerprint(), digest);
}

std::shared_ptr<const Searchable> Tuning::searchable(const ir::Fingerprint& fingerprint) {
  const std::lock_guard lock(mutex_);
  const auto it = searchables_.find(fingerprint);
  return it == searchables_.end() ? nullptr : it->second;
}

bool Tuning::is_open(const Prepared& prepared) {
  if (!is_enabled_ || searchable(prepared.sequence.fingerprint()) == nullptr) return false;
  const std::lock_guard lock(mutex_);
  const auto it = states_.find(prepared.key);
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

std::shared_ptr<Trial> Tuning::find_or_begin(const Prepared& prepared, const Call& call) {
  {
    const std::lock_guard lock(mutex_);
    ++launches_;
    const auto it = states_.find(prepared.key);
    if (it != states_.end()) {
      it->second.met = launches_;
      return it->second.trial;
    }
    if (is_online() && (!share_.allows() || !has_room())) return nullptr;
    states_[prepared.key] = {.met = launches_};
  }
  const auto start = TimeShare::Clock::now();
  auto trial = without_exceptions<std::shared_ptr<Trial>>(quote(prepared.sequence.def().name),
                                                          [&] { return begin(prepared, call); });
  if (is_online()) share_.spend(TimeShare::Clock::now() - start);
  if (!trial) {
    settle(prepared.key);
    tell(EventKind::not_tuned, trial.error().message);
    return nullptr;
  }
  if (!is_online()) return *trial;
  const std::lock_guard lock(mutex_);
  return states_[prepared.key].trial = *trial;
}

std::shared_ptr<Trial> Tuning::begin(const Prepared& prepared, const Call& call) {
  const auto searched = searchable(prepared.sequence.fingerprint());
  return std::make_shared<Trial>(
      prepared, call, searched,
      TrialOptions{.sweeps = options_.mode == Mode::on,
                   .budget = budget_of(options_, searched->space),
                   .seed = cache_.read(prepared.resolved.decision).config,
                   .displaces = prepared.is_refused,
                   .worker = options_.worker ? &*options_.worker : nullptr,
                   .beside = &cache_});
}

void Tuning::follow(const std::shared_ptr<Trial>& trial) {
  if (!is_online()) {
    return conclude(*trial, without_exceptions<CampaignReport>(
                                trial->name(), [&] { return trial->run(device_); }));
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
    conclude(trial, more ? trial.report() : std::unexpected(more.error()));
  } else {
    trial.leave();
  }
  share_.spend(TimeShare::Clock::now() - start);
}

void Tuning::conclude(Trial& trial, Expected<CampaignReport>&& report) {
  if (report) {
    keep(trial, *report);
  } else {
    tell(EventKind::not_tuned, fmt::format("not tuned: {}", report.error().message));
  }
  trial.remove_journal();
  settle(trial.key());
}

void Tuning::keep(const Trial& trial, const CampaignReport& report) {
  if (report.stopped == StopReason::budget && report.evaluations <= 1) {
    return tell(EventKind::not_tuned,
                fmt::format("{}: not tuned: the budget was spent on the default alone; give more",
                            trial.name()));
  }
  const Decision decision = trial.decision(report);
  Offer offer = cache_.offer(trial.key(), decision);
  if (offer == Offer::less_evidence && trial.displaces()) {
    // More samples win over the same space only; what the file has must give way too.
    Decision place = decision;
    place.space = "refused";
    cache_.offer(trial.key(), std::move(place));
    if (const auto saved = cache_.save(); !saved) tell(EventKind::warning, saved.error().message);
    offer = cache_.offer(trial.key(), decision);
  }
  const auto saved = cache_.save();
  tell(EventKind::tuned,
       fmt::format("{}: tuned in {:.2f} s: {:.2f} times as fast as the default, with {}; {} "
                   "configurations tried, {} of them before a restart",
                   trial.name(), report.seconds, report.gain(), to_string(decision.config),
                   report.evaluations, report.resumed));
  if (offer != Offer::kept) {
    tell(EventKind::warning, fmt::format("{}: {}", trial.name(), reason_of(offer)));
  }
  if (!saved) tell(EventKind::warning, saved.error().message);
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

}  // namespace vyre
