// Trial: the search for one key's decision, on copies of one call's inputs, a run at a time.
//
// Belongs to one thread at a time; `try_enter` says whether it is ours now.

#pragma once

#include <atomic>
#include <memory>
#include <optional>

#include "runtime/calls.h"
#include "runtime/journal_file.h"
#include "runtime/searchable.h"
#include "vyre/tune.h"

namespace vyre {

struct TrialOptions {
  bool sweeps = false;  // where candidates are few: try them all
  Budget budget = {};
  Config seed = {};        // as decisions have it: tried first, behind the default; empty: none
  bool displaces = false;  // what the cache has for the key is refused by the device
  const WorkerOptions* worker = nullptr;  // null: in this process
  const DecisionCache* beside = nullptr;  // whose file the journal lies beside; null: no journal
};

class Trial {
 public:
  // Copies the inputs; nothing runs.
  Trial(const Prepared& prepared, const Call& call, std::shared_ptr<const Searchable> searchable,
        const TrialOptions& options);
  Trial(const Trial&) = delete;
  Trial& operator=(const Trial&) = delete;

  const Key& key() const { return key_; }
  const std::string& name() const { return problem_.name; }  // quoted, for messages
  bool displaces() const { return displaces_; }

  bool try_enter() { return !is_entered_.exchange(true, std::memory_order_acquire); }
  void leave() { is_entered_.store(false, std::memory_order_release); }

  // One run, after whatever the journal answers for nothing; the first makes the evaluator and runs
  // the default. False: decided.
  Expected<bool> step(const std::shared_ptr<Device>& device);
  // All steps.
  Expected<CampaignReport> run(const std::shared_ptr<Device>& device);

  Expected<CampaignReport> report() { return steps_->report(); }
  // What the cache keeps.
  Decision decision(const CampaignReport& report) const;
  // The decision is saved, or there will be none.
  void remove_journal();

 private:
  Expected<void> begin(const std::shared_ptr<Device>& device);

  Key key_;
  std::string program_;
  ir::Fingerprint fingerprint_;
  std::vector<std::uint64_t> shape_;
  std::shared_ptr<const Searchable> searchable_;
  Problem problem_;
  CampaignOptions options_;
  bool displaces_;
  const WorkerOptions* worker_;
  const DecisionCache* beside_;
  std::atomic<bool> is_entered_{false};
  std::optional<JournalFile> journal_;
  std::unique_ptr<Evaluator> evaluator_;
  std::optional<CampaignSteps> steps_;  // uses the evaluator
};

}  // namespace vyre
