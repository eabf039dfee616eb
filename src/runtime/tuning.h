// Tuning: the keys of a runtime that are to be decided, and their trials.
//
// A key is open until a launch begins its trial, and settled when the trial has ended, with or
// without a decision. At once: the thread whose launch met the open key runs the whole trial.
// Online: every launch of the key may take one step, on a thread beside it, and waits for it only
// so long.
//
// Thread-safe. Its lock covers the two tables only: trials run outside of it.

#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <unordered_map>

#include "runtime/choice.h"
#include "runtime/served_call.h"
#include "runtime/side_thread.h"
#include "runtime/time_share.h"
#include "runtime/trial.h"

namespace vyre {

class Tuning {
 public:
  // Options that allow nothing are an event. All must outlive this.
  Tuning(std::shared_ptr<Device> device, const RuntimeOptions& options, DecisionCache& cache);

  bool is_online() const { return options_.online.has_value(); }

  Expected<void> declare(const ir::Sequence& sequence, const Declaration& declaration);
  // Of every program that has one, for other ranks.
  std::map<ir::Fingerprint, std::string> declared_spaces();
  // Before a sequence is first looked up: declares its workgroup size as a choice, if it is free.
  void meet(const ir::Sequence& sequence);

  // Whether launches of a key without a decision are to be tuned.
  bool is_open(const ServedCall& call);

  // Before a program is first compiled in this process: an error if it is a user's own text, and
  // its default does not compile in time in a worker. Everything else is left to the launch. Once
  // per program: the threads that need it wait for the one that tries.
  Expected<void> try_out(const ServedCall& call, const backend::Slots& slots);

  // Before a launch: the trial that follows it, with copies of its inputs. Null: the key is
  // settled, another thread tunes it, or there is no time for it.
  std::shared_ptr<Trial> find_or_begin(const ServedCall& call, const backend::Plan& plan,
                                       const backend::Slots& slots);
  // After it: tunes.
  void follow(const std::shared_ptr<Trial>& trial);
  void count_launch(TimeShare::Clock::duration time) { share_.earn(time); }
  // The launch has failed, so the key is open for the next one.
  void give_back(const Trial& trial);
  // The decision for the key is not to be used. A trial that is going on is not disturbed.
  void reopen(const Key& key);

  Expected<Recheck> recheck(const ServedCall& call, const backend::Plan& plan,
                            const backend::Slots& slots);

 private:
  struct State {
    bool is_settled = false;
    std::shared_ptr<Trial> trial = {};  // online
    std::uint64_t met = 0;              // the launch that last asked for it
  };

  struct TryOut {
    std::once_flag once;
    std::optional<Error> failure;
  };

  std::shared_ptr<const Choice> choice_for(const ir::Fingerprint& fingerprint);
  bool has_room();
  void settle(const Key& key);
  Expected<std::shared_ptr<Trial>> begin(const ServedCall& call, const backend::Plan& plan,
                                         const backend::Slots& slots);
  Expected<Problem> problem_of(const ServedCall& call, const Choice& choice,
                               const backend::Plan& plan, const backend::Slots& slots);
  std::optional<Error> build_failure(const std::string& name, const std::string& code) const;
  Expected<void> run_default_in_worker(const ServedCall& call, const backend::Slots& slots);
  void advance(Trial& trial);
  void conclude(const Trial& trial, const Expected<Tuned>& tuned);
  void tell(EventKind kind, std::string message) const;

  std::shared_ptr<Device> device_;
  const RuntimeOptions& options_;
  DecisionCache& cache_;
  TimeShare share_;
  bool is_enabled_ = false;
  std::mutex mutex_;                                                  // of what follows
  std::map<ir::Fingerprint, std::shared_ptr<const Choice>> choices_;  // null: nothing to try
  std::map<ir::Fingerprint, std::shared_ptr<TryOut>> tried_out_;
  std::unordered_map<Key, State> states_;  // of keys that are not open
  std::uint64_t launches_ = 0;             // that asked for a trial
  SideThread side_thread_;                 // uses all of the above
};

}  // namespace vyre
