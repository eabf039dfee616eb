// Tuning: which keys of a runtime are to be decided, by whom, and what becomes of it.
//
// A key is open until somebody takes it on, and settled when its trial has ended, whether or not
// with a decision. At once: the thread whose launch met the open key runs the whole trial.
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
  // Before a sequence is first looked up: declares what may be tried without being told.
  void meet(const ir::Sequence& sequence);

  // Whether launches of a key without a decision are to be tuned.
  bool is_open(const ServedCall& call);

  // Before a launch: the trial that it is to be followed by, with copies of its inputs. Null: there
  // is nothing to do, somebody else does it, or there is no time for it.
  std::shared_ptr<Trial> find_or_begin(const ServedCall& call, const backend::BoundCall& bound,
                                       const backend::Slots& slots);
  // After it: tunes.
  void follow(const std::shared_ptr<Trial>& trial);
  void count_launch(TimeShare::Clock::duration time) { share_.earn(time); }
  // The launch has failed: somebody else's may not.
  void give_back(const Trial& trial);
  // What was decided is not to be used. A trial that is going on is not disturbed.
  void reopen(const Key& key);

  Expected<Recheck> recheck(const ServedCall& call, const backend::BoundCall& bound,
                            const backend::Slots& slots);

 private:
  struct State {
    bool is_settled = false;
    std::shared_ptr<Trial> trial = {};  // online
    std::uint64_t met = 0;              // the launch that last asked for it
  };

  std::shared_ptr<const Choice> choice_for(const ir::Fingerprint& fingerprint);
  bool has_room();
  void settle(const Key& key);
  Expected<std::shared_ptr<Trial>> begin(const ServedCall& call, const backend::BoundCall& bound,
                                         const backend::Slots& slots);
  Expected<Problem> problem_of(const ServedCall& call, const Choice& choice,
                               const backend::BoundCall& bound, const backend::Slots& slots);
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
  std::unordered_map<Key, State> states_;                             // of keys that are not open
  std::uint64_t launches_ = 0;                                        // that asked for a trial
  SideThread side_thread_;                                            // uses all of the above
};

}  // namespace vyre
