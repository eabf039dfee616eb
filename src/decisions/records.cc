#include "decisions/records.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <tuple>

#include "decisions/evidence.h"
#include "decisions/fields.h"
#include "decisions/neighbours.h"

namespace vyre {
namespace {

constexpr std::size_t kFirstBuckets = 16;

// A time that is negative or not finite counts as not known.
void tidy(Estimate& estimate) {
  for (const double ns : {estimate.ns, estimate.low_ns, estimate.high_ns}) {
    if (!std::isfinite(ns) || ns < 0) estimate = {};
  }
}

void tidy(Config& config) {
  auto entries = config.entries();
  std::ranges::sort(entries, {}, &std::pair<std::string, Value>::first);
  Config sorted;
  for (auto& [name, value] : entries) sorted.set(name, std::move(value));
  config = std::move(sorted);
}

void tidy(Gain& gain) {
  for (const double times : {gain.times, gain.low, gain.high}) {
    if (!std::isfinite(times) || times <= 0) gain = {};
  }
  if (gain.pairs == 0) gain = {};
}

void tidy(Decision& decision) {
  tidy(decision.elapsed);
  tidy(decision.default_elapsed);
  tidy(decision.gain);
  if (!std::isfinite(decision.drift) || decision.drift < 0) decision.drift = 0;
  tidy(decision.config);
  if (!decision.runner_up) return;
  tidy(decision.runner_up->elapsed);
  tidy(decision.runner_up->config);
}

bool is_worse_than_default(const Decision& decision) {
  return times_faster(decision).value_or(1) < 1;
}

}  // namespace

bool DecisionRef::is_seed() const {
  return packed_ != nullptr && packed_->is_seed.load(std::memory_order_relaxed);
}

std::size_t Records::HashOf::operator()(const ir::Fingerprint& f) const {
  std::size_t out = 0;
  std::memcpy(&out, f.data(), sizeof out);
  return out;
}

Records::Records(std::string today) : today_(std::move(today)) {
  programs_.emplace_back();  // number 0: not known
  indexes_.push_back(std::make_unique<KeyIndex>(kFirstBuckets));
  index_ = indexes_.back().get();
}

std::uint32_t Records::program_number(const ir::Fingerprint& fingerprint) {
  if (fingerprint == ir::Fingerprint{}) return 0;
  const auto fresh = static_cast<std::uint32_t>(programs_.size());
  const auto [it, is_new] = program_numbers_.emplace(fingerprint, fresh);
  if (is_new) programs_.push_back({.fingerprint = fingerprint});
  return it->second;
}

bool Records::is_seed(const PackedDecision& record) const {
  const std::string& identity = texts_.text(record.identity);
  const std::uint32_t space = programs_[record.program].space;
  return (!identity.empty() && identity != today_) || (space != 0 && space != record.space);
}

// Whether a fresh decision takes the place of an old one with the same key, layer and identity.
// Files are merged by the order of decisions alone (evidence.h). A decision that was made just now
// knows of the old one. If it rests on as many samples, or is over another space and so answers
// another question, then it takes the old one's place, and says so, for merging to honour.
Offer Records::contest(FileEntry& fresh, const Decision& old, Origin origin) {
  if (origin == Origin::made) return contest_made(fresh, old);
  if (is_greater(fresh.decision, old, fresh.identity)) return Offer::kept;
  return has_superseded(old, fresh.decision, fresh.identity) ? Offer::superseded
                                                             : Offer::less_evidence;
}

Offer Records::contest_made(FileEntry& fresh, const Decision& old) {
  if (has_superseded(fresh.decision, old, fresh.identity)) return Offer::kept;
  if (has_superseded(old, fresh.decision, fresh.identity)) return Offer::superseded;
  const bool is_same_space = fresh.decision.space == old.space;
  const std::uint32_t evidence = evidence_of(fresh.decision);
  if (is_same_space && evidence < evidence_of(old)) return Offer::less_evidence;
  if (is_same_space && evidence > evidence_of(old)) return Offer::kept;
  // A line of the original's form has no room for what it replaced.
  if (!fresh.identity.empty()) note_superseded(fresh.decision, old, fresh.identity);
  return Offer::kept;
}

// Lines of the original's form carry no evidence, so the one that is saved last stays in a file:
// the file's, unless there is one that was recorded here and is not saved yet.
std::optional<Offer> Records::contest_line(const FileEntry& fresh, const PackedDecision& old,
                                           Origin origin) {
  if (!fresh.identity.empty() || origin != Origin::file) return std::nullopt;
  return old.is_unsaved ? Offer::less_evidence : Offer::kept;
}

Offer Records::insert(FileEntry&& entry, Layer layer, Origin origin) {
  tidy(entry.decision);
  if (entry.key.version == 1 && !workgroup_of(entry.decision.config)) {
    return Offer::no_workgroup_size;
  }
  if (origin != Origin::file && is_worse_than_default(entry.decision)) {
    return Offer::worse_than_default;
  }
  auto* first = const_cast<PackedDecision*>(find_kept(entry.key).get());
  for (PackedDecision** link = &first; *link != nullptr; link = &(*link)->next_of_key) {
    PackedDecision* old = *link;
    if (old->layer != layer || texts_.text(old->identity) != entry.identity) continue;
    const Decision known = read(*old);
    if (known == entry.decision) return meet_again(*old, origin);
    const auto line = contest_line(entry, *old, origin);
    const Offer contested = line ? *line : contest(entry, known, origin);
    if (contested != Offer::kept) return contested;
    old->is_superseded = true;
    *link = old->next_of_key;
    --size_;
    break;
  }
  const Key record_key = entry.key;
  PackedDecision* record = add(std::move(entry), layer, origin);
  record->next_of_key = first;
  publish(record);
  return find(record_key).get() == record ? Offer::kept : Offer::kept_unserved;
}

// A decision that is there already. Once the file has it, it need not be saved.
Offer Records::meet_again(PackedDecision& known, Origin origin) const {
  if (origin == Origin::file) known.is_unsaved = false;
  if (origin != Origin::made) return Offer::less_evidence;
  const Key key{.version = known.key_version, .words = known.words};
  return find(key).get() == &known ? Offer::kept : Offer::kept_unserved;
}

PackedDecision* Records::add(FileEntry&& entry, Layer layer, Origin origin) {
  PackedDecision* record = put_record(entry);
  record->layer = layer;
  record->is_unsaved = origin != Origin::file;
  ++size_;
  return record;
}

PackedDecision* Records::put_record(const FileEntry& entry) {
  PackedDecision* record = pack(arena_, texts_, entry.key, entry.decision);
  record->identity = texts_.number(entry.identity);
  record->program = program_number(entry.decision.fingerprint);
  record->is_seed.store(is_seed(*record), std::memory_order_relaxed);
  ProgramDecisions& program = programs_[record->program];
  if (record->program != 0) record->next_of_program = std::exchange(program.first, record);
  return record;
}

PackedDecision* Records::pinned_record(const FileEntry& entry) {
  auto* known = is_pinned() ? const_cast<PackedDecision*>(find(entry.key).get()) : nullptr;
  const bool is_same = known != nullptr && texts_.text(known->identity) == entry.identity &&
                       read(*known) == entry.decision;
  PackedDecision* record = is_same ? known : put_record(entry);
  record->is_pinned = true;
  return record;
}

// The records of the snapshot before this one stay, because readers may hold them, but `nearest`
// finds them no more.
void Records::pin(const std::vector<FileEntry>& entries) {
  const std::size_t buckets = std::bit_ceil(std::max(kFirstBuckets, entries.size() / 3 + 1));
  auto fresh = std::make_unique<KeyIndex>(buckets);
  std::vector<PackedDecision*> records;
  for (const FileEntry& entry : entries) records.push_back(pinned_record(entry));
  if (is_pinned()) {
    snapshots_.back()->for_each([](PackedDecision* record) { record->is_superseded = true; });
  }
  for (PackedDecision* record : records) {
    record->is_superseded = false;
    fresh->put(record);
  }
  snapshots_.push_back(std::move(fresh));
  index_.store(snapshots_.back().get(), std::memory_order_release);
}

// Moves the best decision of a key to the front of the key's chain, and into the index, from where
// it is served. Today's decisions come before seeds, then the higher layer, then more evidence. Of
// the rest, which are seeds of several identities, the one whose identity's id is greatest.
void Records::publish(PackedDecision* first) {
  const auto rank = [this](const PackedDecision* r) {
    return std::tuple(!r->is_seed.load(std::memory_order_relaxed), r->layer, r->evidence,
                      std::string_view(texts_.text(r->identity)));
  };
  PackedDecision* best = first;
  PackedDecision* before_best = nullptr;
  for (PackedDecision* r = first; r->next_of_key != nullptr; r = r->next_of_key) {
    if (rank(r->next_of_key) <= rank(best)) continue;
    best = r->next_of_key;
    before_best = r;
  }
  if (before_best != nullptr) {
    before_best->next_of_key = best->next_of_key;
    best->next_of_key = first;
  }
  if (indexes_.back()->is_full()) grow();
  indexes_.back()->put(best);
}

void Records::grow() {
  auto larger = std::make_unique<KeyIndex>(2 * indexes_.back()->buckets());
  indexes_.back()->for_each([&](PackedDecision* record) { larger->put(record); });
  indexes_.push_back(std::move(larger));
  if (!is_pinned()) index_.store(indexes_.back().get(), std::memory_order_release);
}

std::vector<DecisionRef> Records::nearest(const ir::Fingerprint& fingerprint,
                                          std::span<const std::uint64_t> shape,
                                          std::size_t most) const {
  const auto number = program_numbers_.find(fingerprint);
  if (number == program_numbers_.end()) return {};
  struct Ranked {
    double distance = 0;
    bool is_less = false;  // at the same distance
    Key key{};
    const PackedDecision* record = nullptr;

    auto rank() const { return std::tuple(distance, is_less, key); }
  };
  std::vector<Ranked> found;
  for (const auto* r = programs_[number->second].first; r != nullptr; r = r->next_of_program) {
    const auto sizes = shape_of(*r);
    const bool is_served = !r->is_superseded && r->is_pinned == is_pinned();
    if (!is_served || sizes.size() != shape.size() || std::ranges::equal(sizes, shape)) continue;
    // Ranks with other devices and spaces find the same neighbours in a snapshot.
    const bool is_less = !is_pinned() && r->is_seed.load(std::memory_order_relaxed);
    found.push_back({distance_between(sizes, shape),
                     is_less,
                     {.version = r->key_version, .words = r->words},
                     r});
  }
  std::ranges::sort(found, {}, &Ranked::rank);
  std::vector<DecisionRef> out;
  std::vector<std::vector<std::uint64_t>> shapes;  // one decision of each
  for (const Ranked& one : found) {
    if (out.size() == most) break;
    auto sizes = shape_of(*one.record);
    if (std::ranges::find(shapes, sizes) != shapes.end()) continue;
    shapes.push_back(std::move(sizes));
    out.emplace_back(one.record);
  }
  return out;
}

void Records::declare_space(const ir::Fingerprint& fingerprint, std::string_view digest) {
  ProgramDecisions& program = programs_[program_number(fingerprint)];
  program.space = texts_.number(digest);
  for (PackedDecision* r = program.first; r != nullptr; r = r->next_of_program) {
    r->is_seed.store(is_seed(*r), std::memory_order_relaxed);
  }
  for (PackedDecision* r = program.first; r != nullptr; r = r->next_of_program) {
    if (r->is_pinned) continue;
    const Key key{.version = r->key_version, .words = r->words};
    publish(const_cast<PackedDecision*>(find_kept(key).get()));
  }
}

Decision Records::read(const PackedDecision& record) const {
  Decision out = unpack(record, texts_);
  out.fingerprint = programs_[record.program].fingerprint;
  return out;
}

CacheEntry Records::entry_of(const PackedDecision& record) const {
  const Key key{.version = record.key_version, .words = record.words};
  return {.key = key,
          .identity = texts_.text(record.identity),
          .layer = record.layer,
          .is_seed = record.is_seed.load(std::memory_order_relaxed),
          .is_best = find_kept(key).get() == &record,
          .decision = read(record)};
}

std::size_t Records::memory_bytes() const {
  std::size_t out = arena_.memory_bytes() + texts_.memory_bytes();
  for (const auto& index : indexes_) out += index->memory_bytes();
  for (const auto& snapshot : snapshots_) out += snapshot->memory_bytes();
  return out + programs_.capacity() * sizeof(ProgramDecisions) +
         program_numbers_.size() * (sizeof(ir::Fingerprint) + 32);
}

}  // namespace vyre
