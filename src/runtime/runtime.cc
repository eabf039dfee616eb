#include "vyre/runtime.h"

#include <fmt/format.h>

#include <mutex>
#include <new>
#include <set>

#include "backend/launcher.h"
#include "base/error.h"
#include "base/files/paths.h"
#include "base/text.h"
#include "runtime/accord.h"
#include "runtime/call_copy.h"
#include "runtime/observer.h"
#include "runtime/served_call.h"
#include "runtime/tuning.h"

namespace vyre {
namespace {

using backend::BoundCall;
using backend::Slots;
using Served = std::shared_ptr<const ServedCall>;

RuntimeOptions completed(RuntimeOptions options, const DeviceInfo& info) {
  options.resize.adapter_max = std::min(
      {options.resize.adapter_max, info.limits.workgroup_items, info.limits.workgroup_size[0]});
  return options;
}

CacheOptions cache_options(const RuntimeOptions& options, const DeviceInfo& info) {
  return {.adapter = safe_name(info),
          .folder = decisions_folder(options.files),
          .system_folder = options.files.system_folder,
          .fleet_folder = options.files.fleet_folder,
          .embedded = options.files.embedded,
          .identity = identity_of(info),
          .lock_seconds = options.lock_seconds,
          .events = options.events};
}

}  // namespace

std::string_view to_string(Source source) {
  switch (source) {
    case Source::untuned:
      return "untuned";
    case Source::decision:
      return "decision";
    case Source::seed:
      return "seed";
    case Source::nearest:
      return "nearest";
  }
  return "unknown";
}

struct Runtime::Content {
  Content(std::shared_ptr<Device> given, RuntimeOptions with)
      : device(std::move(given)),
        options(completed(std::move(with), device->info())),
        cache(DecisionCache::open(cache_options(options, device->info()))),
        launcher(device),
        observer(options.resize),
        tuning(device, options, cache) {}

  Resolved resolve(const ir::Sequence& sequence, std::span<const std::uint64_t> shape) const {
    const DecisionRef found = cache.find(sequence.fingerprint(), shape);
    if (found) return {found, found.is_seed() ? Source::seed : Source::decision};
    const Neighbourly near = cache.from_neighbours(sequence.fingerprint(), shape);
    return {near.decision, near.decision ? Source::nearest : Source::untuned, !near.doubt.empty()};
  }

  Config config_of(const ir::Sequence& sequence, const Resolved& resolved) const {
    Config out;
    if (!resolved.decision) return out;
    const Config config = cache.read(resolved.decision).config;
    for (const ir::Symbol& tunable : sequence.tunables()) {
      const Value* value = config.find(tunable.name);
      if (value != nullptr) out.set(tunable.name, *value);
    }
    return out;
  }

  // The steady state: a call that was bound under the cache's present generation just runs. All
  // others are looked up first.
  Expected<void> launch(const ir::Sequence& sequence, const Slots& slots,
                        const CallOptions& wanted) {
    VYRE_TRY_VOID(launcher.check_process());
    if (wanted.config != nullptr || wanted.workgroup) {
      VYRE_TRY(const auto bound, launcher.find_or_bind(sequence, slots, wanted));
      return launcher.run(*bound, slots);
    }
    const backend::CallKey key(sequence, slots, wanted);
    Served served = calls.find(key);
    if (served == nullptr || served->generation != cache.generation()) {
      VYRE_TRY(served, look_up(sequence, slots, wanted.grid, key));
    }
    if (served->bound == nullptr) return launch_with_care(*served, slots);
    auto result = launcher.run(*served->bound, slots);
    return result ? result : run_default(*served, slots, std::move(result).error());
  }

  // Binds what can be bound at once, so that the next launch just runs. No lock is held while a
  // kernel compiles.
  Expected<Served> look_up(const ir::Sequence& sequence, const Slots& slots,
                           const std::optional<Extent>& grid, const backend::CallKey& key) {
    VYRE_TRY(ServedCall call, describe_call(sequence, slots, grid, device->info().limits));
    {
      const std::lock_guard lock(mutex);
      decide(call);
    }
    const bool is_plain = !call.is_open && !call.is_unproved && options.feedback == Feedback::none;
    if (is_plain) {
      auto bound = launcher.bind(sequence, slots, call.tuned_options());
      if (bound) call.bound = *std::move(bound);
    }
    auto served = std::make_shared<const ServedCall>(std::move(call));
    if (served->bound != nullptr || !is_plain) calls.insert(key, sequence, served);
    return served;
  }

  void decide(ServedCall& call) {
    const ir::Sequence& sequence = call.sequence;
    tuning.meet(sequence);
    call.generation = cache.generation();
    call.resolved = resolve(sequence, call.shape);
    call.is_refused = refused.contains(call.resolved.decision.get());
    const auto proof = proofs.find({call.key, call.resolved.decision.get()});
    const bool is_disproved = proof != proofs.end() && !proof->second;
    const bool is_vetoed = accord.forbids(call.key, call.resolved.decision);
    if (call.is_refused || is_disproved || is_vetoed) call.resolved = {};
    call.is_agreed = call.resolved.decision && cache.is_pinned();
    const bool is_decided = call.resolved.source == Source::decision;
    if (!is_decided) {
      call.is_refused = call.is_refused || accord.forbids(call.key, cache.find_kept(call.key));
      if (!call.grid) accord.wish(call);
    }
    call.is_open = !is_decided && !call.grid && tuning.is_open(call);
    call.config = config_of(sequence, call.resolved);
    const bool is_foreign =
        call.resolved.source == Source::nearest || call.resolved.source == Source::seed;
    call.is_unproved = is_foreign && !call.config.empty() && proof == proofs.end();
    if (call.resolved.decision && !call.grid && has_free_workgroup(sequence)) {
      call.workgroup = workgroup_of(cache.read(call.resolved.decision).config);
    }
    tell_of_seed(call);
  }

  // Once per decision, and once more if there is a doubt.
  void tell_of_seed(const ServedCall& call) {
    const auto& [decision, source, is_doubtful] = call.resolved;
    if (source != Source::seed && source != Source::nearest) return;
    if (!told.insert({decision.get(), is_doubtful}).second) return;
    const ir::Sequence& sequence = call.sequence;
    if (is_doubtful) {
      const Neighbourly near = cache.from_neighbours(sequence.fingerprint(), call.shape);
      return tell(EventKind::tune_advised,
                  fmt::format("{}: this shape was never tuned, and {}: tune it",
                              quote(sequence.def().name), near.doubt));
    }
    tell(EventKind::seed_used,
         fmt::format(
             "{}: no decision for this shape and device; using that of {} as a seed: "
             "tune it to be sure",
             quote(call.sequence.def().name),
             source == Source::seed ? "another driver, device or space" : "the nearest shape"));
  }

  void tell(EventKind kind, std::string message) const {
    if (options.events) options.events({.kind = kind, .message = std::move(message)});
  }

  // A launch that has more to do than to run: it is timed, proved or followed by tuning.
  Expected<void> launch_with_care(const ServedCall& call, const Slots& slots) {
    return call.is_open ? run_and_tune(call, slots) : run_served(call, slots);
  }

  CallOptions options_for(const ServedCall& call) const {
    CallOptions out = call.tuned_options();
    // Ranks that agreed launch the same size.
    const bool may_resize = options.feedback == Feedback::resize && !call.resolved.decision &&
                            !call.grid && has_free_workgroup(call.sequence) && !cache.is_pinned();
    if (may_resize) {
      if (const auto x = observer.size(call.sequence.fingerprint())) {
        out.workgroup = Extent{*x, 1, 1};
      }
    }
    return out;
  }

  // With feedback the launch is waited for: its time is what is asked for.
  Expected<void> run(const ServedCall& call, const Slots& slots, const CallOptions& with) {
    VYRE_TRY(const auto bound, launcher.find_or_bind(call.sequence, slots, with));
    const auto begin = Observer::Clock::now();
    VYRE_TRY_VOID(launcher.run(*bound, slots));
    if (options.feedback == Feedback::none) return {};
    VYRE_TRY_VOID(launcher.finish());
    observer.observe(call.sequence, bound->plan().steps[0].specialisation.workgroup[0],
                     call.output_elements, begin, Observer::Clock::now());
    return {};
  }

  // Only a configuration that came from us can be at fault for what the default does not do.
  Expected<void> run_default(const ServedCall& call, const Slots& slots, Error&& why) {
    if (!call.resolved.decision && options.feedback != Feedback::resize) {
      return std::unexpected(std::move(why));
    }
    if (call.is_agreed) return refuse_agreed(call, slots, std::move(why));
    VYRE_TRY_VOID(run(call, slots, call.default_options()));
    const std::lock_guard lock(mutex);
    if (!call.resolved.decision) return {};  // a size that the resize policy chose
    accord.veto(call.key, call.resolved.decision);
    if (!refused.insert(call.resolved.decision.get()).second) return {};
    calls.clear();
    tuning.reopen(call.key);
    tell(EventKind::fallback,
         fmt::format("{}: the remembered configuration is refused and the default used: {}",
                     quote(call.sequence.def().name), why.message));
    return {};
  }

  // All ranks launch this configuration, so this one must not quietly launch another. If the
  // default cannot be bound either, then the call is at fault and not the configuration.
  Expected<void> refuse_agreed(const ServedCall& call, const Slots& slots, Error&& why) {
    VYRE_TRY_VOID(launcher.find_or_bind(call.sequence, slots, call.default_options()));
    const std::lock_guard lock(mutex);
    accord.veto(call.key, call.resolved.decision);
    const Config config = cache.read(call.resolved.decision).config;
    why.message = fmt::format(
        "{}: this device refuses the configuration that all ranks agreed on ({}): {}; call "
        "Runtime::agree again on all ranks, where this rank vetoes it",
        quote(call.sequence.def().name), escaped(to_string(config)), why.message);
    return std::unexpected(std::move(why));
  }

  // Tunables that were decided for another shape may not fit this one: a tile that does not divide
  // it, for example. Those of another driver or space may be wrong under this one. So the first
  // launch gives the default's result, and then tries them on copies: they serve the launches after
  // it if they gave the same, to the last bit.
  Expected<void> run_and_prove(const ServedCall& call, const Slots& slots) {
    VYRE_TRY(const auto standard,
             launcher.find_or_bind(call.sequence, slots, call.default_options()));
    VYRE_TRY(CallCopy copy, CallCopy::make(*device, call.sequence, standard->plan(), slots));
    VYRE_TRY_VOID(run(call, slots, call.default_options()));
    VYRE_TRY_VOID(launcher.finish());
    Slots others(call.sequence);
    copy.place(others);
    const bool has_run = run(call, others, options_for(call)) && launcher.finish();
    const bool is_same = has_run && copy.gave_the_same(slots).value_or(false);
    const std::lock_guard lock(mutex);
    proofs[{call.key, call.resolved.decision.get()}] = is_same;
    calls.clear();
    if (is_same) return {};
    accord.veto(call.key, call.resolved.decision);
    tell(
        EventKind::fallback,
        fmt::format("{}: what was decided for another {} gives something else here, so the "
                    "default is used: tune this shape",
                    quote(call.sequence.def().name),
                    call.resolved.source == Source::nearest ? "shape" : "driver, device or space"));
    return {};
  }

  // With what is remembered, else the default.
  Expected<void> run_served(const ServedCall& call, const Slots& slots) {
    if (call.is_unproved) return run_and_prove(call, slots);
    const CallOptions tuned = options_for(call);
    auto result = run(call, slots, tuned);
    const bool is_tuned = tuned.config != nullptr || tuned.workgroup;
    if (result || !is_tuned) return result;
    return run_default(call, slots, std::move(result).error());
  }

  // The trial copies the inputs before the launch changes them.
  Expected<void> run_and_tune(const ServedCall& call, const Slots& slots) {
    VYRE_TRY_VOID(tuning.try_out(call, slots));
    VYRE_TRY(const auto standard,
             launcher.find_or_bind(call.sequence, slots, call.default_options()));
    const auto trial = tuning.find_or_begin(call, standard->plan(), slots);
    const auto begin = TimeShare::Clock::now();
    auto result = run_served(call, slots);
    if (result && tuning.is_online()) result = launcher.finish();
    tuning.count_launch(TimeShare::Clock::now() - begin);
    if (trial != nullptr && result) tuning.follow(trial);
    if (trial != nullptr && !result) tuning.give_back(*trial);
    if (!tuning.is_open(call)) forget_calls();
    return result;
  }

  Expected<Recheck> recheck(const ir::Sequence& sequence, const Slots& slots,
                            const std::optional<Extent>& grid) {
    VYRE_TRY_VOID(launcher.check_process());
    VYRE_TRY(const ServedCall call, describe_call(sequence, slots, grid, device->info().limits));
    VYRE_TRY(const auto bound, launcher.find_or_bind(sequence, slots, call.default_options()));
    const auto find = [&] { return cache.find(sequence.fingerprint(), call.shape).get(); };
    const PackedDecision* decided = find();
    auto result = tuning.recheck(call, bound->plan(), slots);
    // Only the user's decisions can be replaced.
    forget_calls(result && !result->holds && find() == decided ? decided : nullptr);
    return result;
  }

  // `unwanted`: not to be used any more; null: all may.
  void forget_calls(const PackedDecision* unwanted = nullptr) {
    const std::lock_guard lock(mutex);
    if (unwanted != nullptr) {
      refused.insert(unwanted);
      accord.veto(cache.entry(DecisionRef(unwanted)).key, DecisionRef(unwanted));
    }
    calls.clear();
  }

  // The bytes that this rank sends, whatever has gone wrong here: others wait for them.
  std::string ballot_bytes(const AgreeOptions& wanted) {
    const auto is_ours = launcher.check_process();
    if (!is_ours) return failed_ballot(wanted, is_ours.error().message);
    try {
      return print_ballot(make_ballot(wanted));
    } catch (const std::bad_alloc&) {
      return failed_ballot(wanted, "out of memory for its ballot");
    }
  }

  Ballot make_ballot(const AgreeOptions& wanted) {
    Ballot out;
    {
      const std::lock_guard lock(mutex);
      out = accord.ballot(wanted);
    }
    out.spaces = tuning.declared_spaces();
    DecisionText sent = decisions_to_send(cache);
    out.decisions = std::move(sent.text);
    if (sent.left_out > 0) {
      tell(EventKind::warning,
           fmt::format("{} decisions are too many to be sent to the other ranks, and are not "
                       "served while ranks agree: prune the cache",
                       sent.left_out));
    }
    return out;
  }

  Expected<Agreement> agree(const Exchange& exchange, const AgreeOptions& wanted) {
    if (!exchange) return bad_inputs("there is no exchange to agree through; give a function");
    const std::lock_guard one_at_a_time(agreeing);
    const std::string mine = ballot_bytes(wanted);
    VYRE_TRY(const std::vector<std::string> all, exchanged(exchange, mine));
    VYRE_TRY(Tally counted, tally(all, mine, wanted));
    Agreement out = agreement_of(counted, all.size());
    const std::lock_guard lock(mutex);
    if (accord.take(std::move(counted))) calls.clear();
    return out;
  }

  std::shared_ptr<Device> device;
  RuntimeOptions options;
  DecisionCache cache;
  backend::Launcher launcher;
  Observer observer;
  Tuning tuning;
  backend::CallCache<ServedCall> calls;
  std::mutex agreeing;
  std::mutex mutex;  // of everything below; taken before that of `tuning`
  Accord accord{cache};
  std::set<const PackedDecision*> refused;
  // Whether what was decided for another shape gave the same at this key.
  std::map<std::pair<Key, const PackedDecision*>, bool> proofs;
  std::set<std::pair<const PackedDecision*, bool>> told;  // without a doubt, and with one
};

Runtime::Runtime(std::unique_ptr<Content> content) : content_(std::move(content)) {}
Runtime::Runtime(Runtime&&) noexcept = default;
Runtime& Runtime::operator=(Runtime&&) noexcept = default;
// In a forked child there are no threads to join and no driver to ask: all of it is left as it is.
Runtime::~Runtime() {
  if (content_ != nullptr && content_->launcher.is_in_child()) (void)content_.release();
}

Expected<Runtime> Runtime::open(std::shared_ptr<Device> device, RuntimeOptions options) {
  if (device == nullptr) return bad_inputs("there is no device to launch on; open one");
  return Runtime(std::make_unique<Content>(std::move(device), std::move(options)));
}

Resolved Runtime::resolve(const ir::Sequence& sequence,
                          std::span<const std::uint64_t> shape) const {
  return content_->resolve(sequence, shape);
}

Expected<std::vector<std::uint64_t>> Runtime::shape_of(const ir::Sequence& sequence,
                                                       std::span<const Arg> args) const {
  Slots slots(sequence);
  VYRE_TRY_VOID(backend::place(sequence, args, slots));
  VYRE_TRY(ServedCall described,
           describe_call(sequence, slots, std::nullopt, content_->device->info().limits));
  return std::move(described.shape);
}

Expected<std::vector<std::uint64_t>> Runtime::shape_of(const ir::Sequence& sequence,
                                                       const Call& call) const {
  Slots slots(sequence);
  VYRE_TRY_VOID(backend::place(sequence, call, nullptr, slots));
  VYRE_TRY(ServedCall described,
           describe_call(sequence, slots, call.grid, content_->device->info().limits));
  return std::move(described.shape);
}

Config Runtime::config_of(const ir::Sequence& sequence, const Resolved& resolved) const {
  return content_->config_of(sequence, resolved);
}

Expected<void> Runtime::launch(const ir::Sequence& sequence, std::span<const Arg> args,
                               const CallOptions& options) {
  Slots slots(sequence);
  VYRE_TRY_VOID(backend::place(sequence, args, slots));
  return content_->launch(sequence, slots, options);
}

Expected<void> Runtime::launch(const ir::Sequence& sequence, const Call& call, Outputs& outputs) {
  const CallOptions options = backend::options_of(call);
  Slots slots(sequence);
  VYRE_TRY_VOID(backend::place(sequence, call, &outputs, slots));
  return content_->launch(sequence, slots, options);
}

Expected<Outputs> Runtime::launch(const ir::Sequence& sequence, const Call& call) {
  Outputs outputs;
  VYRE_TRY_VOID(launch(sequence, call, outputs));
  return outputs;
}

Expected<void> Runtime::finish() { return content_->launcher.finish(); }

Expected<void> Runtime::declare(const ir::Sequence& sequence, const Declaration& declaration) {
  return content_->tuning.declare(sequence, declaration);
}

Expected<Recheck> Runtime::recheck(const ir::Sequence& sequence, std::span<const Arg> args) {
  Slots slots(sequence);
  VYRE_TRY_VOID(backend::place(sequence, args, slots));
  return content_->recheck(sequence, slots, std::nullopt);
}

Expected<Recheck> Runtime::recheck(const ir::Sequence& sequence, const Call& call) {
  Slots slots(sequence);
  VYRE_TRY_VOID(backend::place(sequence, call, nullptr, slots));
  return content_->recheck(sequence, slots, call.grid);
}

Expected<Agreement> Runtime::agree(const Exchange& exchange, const AgreeOptions& options) {
  return content_->agree(exchange, options);
}

std::optional<TunerFeedback> Runtime::feedback(const ir::Sequence& sequence) const {
  return content_->observer.feedback(sequence.fingerprint());
}

Mode Runtime::mode() const { return content_->options.mode; }
DecisionCache& Runtime::cache() { return content_->cache; }
const DecisionCache& Runtime::cache() const { return content_->cache; }

}  // namespace vyre
