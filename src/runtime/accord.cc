#include "runtime/accord.h"

#include <exception>

#include "base/error.h"
#include "base/hex.h"
#include "base/text.h"
#include "decisions/evidence.h"

namespace vyre {
namespace {

Hash hash_of(const CacheEntry& entry) { return entry_hash(entry.decision, entry.identity); }

}  // namespace

void Accord::wish(const ServedCall& call) {
  if (wishes_.size() >= kMostWishes || call.shape.size() > kMostSizes) return;
  wishes_.try_emplace(call.key, Wish{.key = call.key,
                                     .program = call.sequence.def().name,
                                     .fingerprint = call.sequence.fingerprint(),
                                     .shape = call.shape});
}

void Accord::veto(const Key& key, DecisionRef decision) {
  if (decision) vetoes_.insert({key, hash_of(cache_.entry(decision))});
}

// Almost no key is vetoed, so the hash is hardly ever computed.
bool Accord::forbids(const Key& key, DecisionRef decision) const {
  return decision && forbidden_.contains(key) &&
         agreed_.contains({key, hash_of(cache_.entry(decision))});
}

Ballot Accord::ballot(const AgreeOptions& options) const {
  Ballot out{.version = vyre_version(),
             .ranks = options.ranks,
             .served = served_,
             .identity = id_of(cache_.identity()),
             .vetoes = vetoes_};
  for (const auto& [key, wish] : wishes_) out.wishes.push_back(wish);
  return out;
}

bool Accord::take(Tally&& tally) {
  if (tally.digest == served_) return false;
  served_ = tally.digest;
  agreed_ = std::move(tally.vetoes);
  forbidden_.clear();
  for (const Veto& veto : agreed_) forbidden_.insert(veto.key);
  cache_.pin(std::move(tally.decisions));
  return true;
}

DecisionText decisions_to_send(const DecisionCache& cache) {
  std::vector<CacheEntry> entries = cache.entries();
  // Runtimes serve v2 keys only; a line of the original's form has no identity.
  std::erase_if(entries, [](const CacheEntry& e) {
    return !e.is_best || e.key.version != 2 || e.identity.empty();
  });
  return text_of_decisions(std::move(entries), id_of(cache.identity()));
}

std::string failed_ballot(const AgreeOptions& options, const std::string& why) {
  return print_ballot({.version = vyre_version(), .ranks = options.ranks, .failure = why});
}

Expected<std::vector<std::string>> exchanged(const Exchange& exchange, const std::string& mine) {
  try {
    return exchange(mine);
  } catch (const std::exception& error) {
    return backend_error("the exchange of ballots has failed: {}; all ranks go on as before",
                         escaped(error.what()));
  }
}

Agreement agreement_of(const Tally& tally, std::size_t ranks) {
  return {.digest = to_hex(tally.digest),
          .ranks = static_cast<std::uint32_t>(ranks),
          .decisions = tally.decisions.size(),
          .vetoes = tally.vetoes.size(),
          .was_divided = tally.was_divided,
          .wishes = tally.wishes};
}

}  // namespace vyre
