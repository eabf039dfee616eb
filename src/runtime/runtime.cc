#include "vyre/runtime.h"

#include <fmt/format.h>

#include <mutex>
#include <set>

#include "backend/plan.h"
#include "base/error.h"
#include "base/text.h"
#include "runtime/calls.h"
#include "runtime/observer.h"
#include "runtime/tuning.h"

namespace vyre {
namespace {

constexpr std::size_t kMostCalls = 1024;  // then all are forgotten, and looked up again

RuntimeOptions completed(RuntimeOptions options, const DeviceInfo& info) {
  options.cache.identity = identity_of(info);
  if (options.cache.adapter.empty()) options.cache.adapter = safe_name(info);
  options.resize.adapter_max = std::min(
      {options.resize.adapter_max, info.limits.workgroup_items, info.limits.workgroup_size[0]});
  return options;
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
        cache(DecisionCache::open(options.cache)),
        dispatcher(make_dispatcher(device)),
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

  // A copy, so that launches on several threads do not wait for each other here.
  Expected<Prepared> find_or_prepare(const ir::Sequence& sequence, const Call& call) {
    const std::lock_guard lock(mutex);
    const std::uint64_t generation = cache.generation();
    CallName name = name_of(sequence, call);
    auto it = calls.find(name);
    if (it == calls.end()) {
      VYRE_TRY(Prepared fresh, prepare(sequence, call, device->info().limits));
      if (calls.size() == kMostCalls) calls.clear();
      it = calls.emplace(std::move(name), std::move(fresh)).first;
    }
    if (it->second.generation != generation) look_up(it->second, call);
    it->second.generation = generation;
    return it->second;
  }

  void look_up(Prepared& prepared, const Call& call) {
    const ir::Sequence& sequence = prepared.sequence;
    tuning.meet(sequence);
    prepared.resolved = resolve(sequence, prepared.shape);
    prepared.is_refused = refused.contains(prepared.resolved.decision.get());
    const auto proof = proofs.find({prepared.key, prepared.resolved.decision.get()});
    const bool is_disproved = proof != proofs.end() && !proof->second;
    if (prepared.is_refused || is_disproved) prepared.resolved = {};
    const bool is_decided = prepared.resolved.source == Source::decision;
    prepared.is_open = !is_decided && !call.grid && tuning.is_open(prepared);
    prepared.config = config_of(sequence, prepared.resolved);
    prepared.is_unproved = prepared.resolved.source == Source::nearest &&
                           !prepared.config.empty() && proof == proofs.end();
    prepared.workgroup.reset();
    if (prepared.resolved.decision && !call.grid && has_free_workgroup(sequence)) {
      prepared.workgroup = workgroup_of(cache.read(prepared.resolved.decision).config);
    }
    tell_of_seed(prepared);
  }

  // Once per decision, and once more if there is a doubt.
  void tell_of_seed(const Prepared& prepared) {
    const auto& [decision, source, is_doubtful] = prepared.resolved;
    if (source != Source::seed && source != Source::nearest) return;
    if (!told.insert({decision.get(), is_doubtful}).second) return;
    const ir::Sequence& sequence = prepared.sequence;
    if (is_doubtful) {
      const Neighbourly near = cache.from_neighbours(sequence.fingerprint(), prepared.shape);
      return tell(EventKind::tune_advised,
                  fmt::format("{}: this shape was never tuned, and {}: tune it",
                              quote(sequence.def().name), near.doubt));
    }
    tell(EventKind::seed_used,
         fmt::format(
             "{}: no decision for this shape and device; using that of {} as a seed: "
             "tune it to be sure",
             quote(prepared.sequence.def().name),
             source == Source::seed ? "another driver, device or space" : "the nearest shape"));
  }

  void tell(EventKind kind, std::string message) const {
    if (options.cache.events) options.cache.events({.kind = kind, .message = std::move(message)});
  }

  Call call_for(const Prepared& prepared, const Call& call) const {
    Call out = call;
    out.config = prepared.config.empty() ? nullptr : &prepared.config;
    out.workgroup = prepared.workgroup;
    const bool may_resize = options.feedback == Feedback::resize && !prepared.resolved.decision &&
                            !call.grid && has_free_workgroup(prepared.sequence);
    if (may_resize) {
      if (const auto x = observer.size(prepared.sequence.fingerprint())) {
        out.workgroup = Extent{*x, 1, 1};
      }
    }
    return out;
  }

  Expected<void> run(const Prepared& prepared, const Call& call, Outputs& outputs) {
    if (options.feedback == Feedback::none) {
      return dispatcher->dispatch(prepared.sequence, call, outputs);
    }
    const auto begin = Observer::Clock::now();
    VYRE_TRY_VOID(dispatcher->dispatch(prepared.sequence, call, outputs));
    const auto end = Observer::Clock::now();
    VYRE_TRY(const auto plan, backend::make_plan(prepared.sequence, call, device->info().limits));
    observer.observe(prepared.sequence, plan.steps[0].specialisation.workgroup[0],
                     prepared.output_elements, begin, end);
    return {};
  }

  // Only a configuration that came from us can be at fault for what the default does not do.
  Expected<void> run_default(const Prepared& prepared, const Call& call, Error&& why,
                             Outputs& outputs) {
    VYRE_TRY_VOID(run(prepared, call, outputs));
    const std::lock_guard lock(mutex);
    if (!prepared.resolved.decision) return {};  // a size that the resize policy chose
    if (!refused.insert(prepared.resolved.decision.get()).second) return {};
    calls.clear();
    tuning.reopen(prepared.key);
    tell(EventKind::fallback,
         fmt::format("{}: the remembered configuration is refused and the default used: {}",
                     quote(prepared.sequence.def().name), why.message));
    return {};
  }

  // Tunables that were decided for another shape may not fit this one: a tile that does not divide
  // it, for example. So the first launch gives what the default gives, and then tries them on
  // copies: they serve the launches after it if they gave the same, to the last bit.
  Expected<void> run_and_prove(const Prepared& prepared, const Call& call, Outputs& outputs) {
    const auto copies = copies_of(call.inputs);
    const std::vector<Input> inputs(copies.begin(), copies.end());
    VYRE_TRY_VOID(run(prepared, call, outputs));
    Call tuned = call_for(prepared, call);
    tuned.inputs = inputs;
    Outputs others;
    const bool is_same = run(prepared, tuned, others) && others == outputs;
    const std::lock_guard lock(mutex);
    proofs[{prepared.key, prepared.resolved.decision.get()}] = is_same;
    calls.clear();
    if (is_same) return {};
    tell(EventKind::fallback,
         fmt::format("{}: what was decided for another shape gives something else here, so the "
                     "default is used: tune this shape",
                     quote(prepared.sequence.def().name)));
    return {};
  }

  // With what is remembered, else the default.
  Expected<void> run_served(const Prepared& prepared, const Call& call, Outputs& outputs) {
    if (prepared.is_unproved) return run_and_prove(prepared, call, outputs);
    const Call tuned = call_for(prepared, call);
    auto result = run(prepared, tuned, outputs);
    const bool is_tuned = tuned.config != nullptr || tuned.workgroup;
    if (result || !is_tuned) return result;
    return run_default(prepared, call, std::move(result).error(), outputs);
  }

  // Inputs are copied first: they may lie in `outputs`.
  Expected<void> run_and_tune(const Prepared& prepared, const Call& call, Outputs& outputs) {
    const auto trial = tuning.find_or_begin(prepared, call);
    const auto begin = TimeShare::Clock::now();
    auto result = run_served(prepared, call, outputs);
    tuning.count_launch(TimeShare::Clock::now() - begin);
    if (trial != nullptr && result) tuning.follow(trial);
    if (trial != nullptr && !result) tuning.give_back(*trial);
    if (!tuning.is_open(prepared)) forget_calls();
    return result;
  }

  // `unwanted`: not to be used any more; null: all may.
  void forget_calls(const PackedDecision* unwanted = nullptr) {
    const std::lock_guard lock(mutex);
    if (unwanted != nullptr) refused.insert(unwanted);
    calls.clear();
  }

  std::shared_ptr<Device> device;
  RuntimeOptions options;
  DecisionCache cache;
  std::unique_ptr<Dispatcher> dispatcher;
  Observer observer;
  Tuning tuning;
  std::mutex mutex;  // of everything below; taken before that of `tuning`
  std::map<CallName, Prepared> calls;
  std::set<const PackedDecision*> refused;
  // Whether what was decided for another shape gave the same at this key.
  std::map<std::pair<Key, const PackedDecision*>, bool> proofs;
  std::set<std::pair<const PackedDecision*, bool>> told;  // without a doubt, and with one
};

Runtime::Runtime(std::unique_ptr<Content> content) : content_(std::move(content)) {}
Runtime::Runtime(Runtime&&) noexcept = default;
Runtime& Runtime::operator=(Runtime&&) noexcept = default;
Runtime::~Runtime() = default;

Runtime Runtime::open(std::shared_ptr<Device> device, RuntimeOptions options) {
  return Runtime(std::make_unique<Content>(std::move(device), std::move(options)));
}

Resolved Runtime::resolve(const ir::Sequence& sequence,
                          std::span<const std::uint64_t> shape) const {
  return content_->resolve(sequence, shape);
}

Expected<std::vector<std::uint64_t>> Runtime::shape_of(const ir::Sequence& sequence,
                                                       const Call& call) const {
  VYRE_TRY(Prepared prepared, prepare(sequence, call, content_->device->info().limits));
  return std::move(prepared.shape);
}

Config Runtime::config_of(const ir::Sequence& sequence, const Resolved& resolved) const {
  return content_->config_of(sequence, resolved);
}

Expected<void> Runtime::launch(const ir::Sequence& sequence, const Call& call, Outputs& outputs) {
  if (call.config != nullptr || call.workgroup) {
    return content_->dispatcher->dispatch(sequence, call, outputs);
  }
  VYRE_TRY(const Prepared prepared, content_->find_or_prepare(sequence, call));
  return prepared.is_open ? content_->run_and_tune(prepared, call, outputs)
                          : content_->run_served(prepared, call, outputs);
}

Expected<Outputs> Runtime::launch(const ir::Sequence& sequence, const Call& call) {
  Outputs outputs;
  VYRE_TRY_VOID(launch(sequence, call, outputs));
  return outputs;
}

Expected<void> Runtime::declare(const ir::Sequence& sequence, const Declaration& declaration) {
  return content_->tuning.declare(sequence, declaration);
}

Expected<Recheck> Runtime::recheck(const ir::Sequence& sequence, const Call& call) {
  VYRE_TRY(const Prepared prepared, prepare(sequence, call, content_->device->info().limits));
  const auto find = [&] {
    return content_->cache.find(sequence.fingerprint(), prepared.shape).get();
  };
  const PackedDecision* decided = find();
  auto result = content_->tuning.recheck(prepared, call);
  // Only the user's decisions can be replaced.
  content_->forget_calls(result && !result->holds && find() == decided ? decided : nullptr);
  return result;
}

std::optional<TunerFeedback> Runtime::feedback(const ir::Sequence& sequence) const {
  return content_->observer.feedback(sequence.fingerprint());
}

Mode Runtime::mode() const { return content_->options.mode; }
DecisionCache& Runtime::cache() { return content_->cache; }
const DecisionCache& Runtime::cache() const { return content_->cache; }

}  // namespace vyre
