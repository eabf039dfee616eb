// Accord: what one rank brings to Runtime::agree, and the rules of the snapshot that came of it.
//
// Not thread-safe: the runtime's lock guards it. Everything that takes long is outside of it.

#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "runtime/ballot.h"
#include "runtime/served_call.h"
#include "runtime/tally.h"
#include "vyre/decisions.h"

namespace vyre {

class Accord {
 public:
  // `cache` must outlive this.
  explicit Accord(DecisionCache& cache) : cache_(cache) {}

  // Notes a call that has no decision of its own. Beyond kMostWishes nothing is noted.
  void wish(const ServedCall& call);
  // Notes that this decision must not serve this key, on any rank.
  void veto(const Key& key, DecisionRef decision);
  // Whether the snapshot says so.
  bool forbids(const Key& key, DecisionRef decision) const;

  // What this rank has to say, without decisions.
  Ballot ballot(const AgreeOptions& options) const;

  // Serves the snapshot from now on. Whether it is another one than before.
  bool take(Tally&& tally);

 private:
  DecisionCache& cache_;
  std::map<Key, Wish> wishes_;
  std::set<Veto> vetoes_;    // this rank's
  std::set<Veto> agreed_;    // those of all ranks
  std::set<Key> forbidden_;  // the keys of `agreed_`
  Hash served_{};
};

// The decisions that a rank would serve without a snapshot.
DecisionText decisions_to_send(const DecisionCache& cache);

// For a rank that cannot take part.
std::string failed_ballot(const AgreeOptions& options, const std::string& why);

// Calls the application's function. An exception of it is an error.
Expected<std::vector<std::string>> exchanged(const Exchange& exchange, const std::string& mine);

// What the application is told of it.
Agreement agreement_of(const Tally& tally, std::size_t ranks);

}  // namespace vyre
