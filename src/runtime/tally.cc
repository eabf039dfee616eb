#include "runtime/tally.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "base/byte_writer.h"
#include "base/error.h"
#include "base/text.h"
#include "decisions/evidence.h"
#include "decisions/file_content.h"

namespace vyre {
namespace {

std::unexpected<Error> error_of_rank(std::size_t rank, std::string_view why) {
  return bad_inputs("the ranks do not agree, because of rank {}: {}; all ranks go on as before",
                    rank, why);
}

class Counting {
 public:
  Expected<void> read(std::span<const std::string> bytes, const AgreeOptions& options) {
    // Ranks that started from one file have mostly sent the same bytes, which are read once.
    std::map<std::string_view, std::size_t> known;
    for (std::size_t rank = 0; rank < bytes.size(); ++rank) {
      const auto [it, is_new] = known.emplace(bytes[rank], heard_.size());
      if (!is_new) {
        ++heard_[it->second].ranks;
        continue;
      }
      auto ballot = parse_ballot(bytes[rank]);
      if (!ballot) return error_of_rank(rank, ballot.error().message);
      const std::string why = mistake_in(*ballot, options);
      if (!why.empty()) return error_of_rank(rank, why);
      heard_.push_back({*std::move(ballot), rank, 1});
    }
    return {};
  }

  Expected<Tally> count() {
    for (const Heard& one : heard_) hear(one);
    choose_spaces();
    std::set<std::string_view> texts;
    for (const Heard& one : heard_) {
      if (!texts.insert(one.ballot.decisions).second) continue;
      const auto taken = take_decisions(one.ballot.decisions);
      if (!taken) return error_of_rank(one.first_rank, taken.error().message);
    }
    for (auto& [key, entry] : best_) {
      out_.decisions.push_back({.key = key,
                                .identity = std::move(entry.identity),
                                .decision = std::move(entry.decision)});
    }
    count_wishes();
    out_.digest = digest();
    return std::move(out_);
  }

 private:
  struct Heard {
    Ballot ballot;
    std::size_t first_rank = 0;
    std::uint32_t ranks = 0;  // that have sent it
  };

  static std::string mistake_in(const Ballot& ballot, const AgreeOptions& options) {
    if (!ballot.failure.empty()) {
      return fmt::format("it cannot take part: {}", escaped(ballot.failure));
    }
    if (ballot.version != vyre_version()) {
      return fmt::format("it has vyre {}, and this rank {}; use one version on all ranks",
                         quote(ballot.version), vyre_version());
    }
    if (ballot.ranks != options.ranks) {
      return fmt::format("it knows of {} ranks, and this rank of {}", ballot.ranks, options.ranks);
    }
    return "";
  }

  void hear(const Heard& one) {
    const Ballot& ballot = one.ballot;
    homes_[ballot.identity] += one.ranks;
    for (const auto& [fingerprint, digest] : ballot.spaces) {
      declared_[fingerprint][digest] += one.ranks;
    }
    for (const Veto& veto : ballot.vetoes) {
      out_.vetoes.insert(veto);
      vetoed_.insert(veto.key);
    }
    if (ballot.served == Hash{}) return;
    if (served_ == Hash{}) served_ = ballot.served;
    if (served_ != ballot.served) out_.was_divided = true;
  }

  void choose_spaces() {
    for (const auto& [fingerprint, digests] : declared_) {
      const auto most = std::ranges::max_element(
          digests, {}, [](const auto& digest_and_count) { return digest_and_count.second; });
      spaces_[fingerprint] = most->first;  // max_element takes the first of equals
    }
  }

  Expected<void> take_decisions(const std::string& text) {
    const auto content = parse_content(text, "decisions");
    bool is_ours = content && content->warnings.empty() && content->rest.empty();
    if (is_ours) {
      content->entries.for_each([&](FileEntry&& entry) {
        is_ours = is_ours && entry.key.version == 2 && !entry.identity.empty();
        if (is_ours) consider(std::move(entry));
      });
    }
    if (!is_ours) return bad_inputs("its decisions are not as vyre writes them");
    return {};
  }

  bool is_vetoed(const FileEntry& entry) const {
    return vetoed_.contains(entry.key) &&
           out_.vetoes.contains({entry.key, entry_hash(entry.decision, entry.identity)});
  }

  bool has_space(const Decision& decision) const {
    const auto it = spaces_.find(decision.fingerprint);
    return it == spaces_.end() || it->second == decision.space;
  }

  void consider(FileEntry&& entry) {
    if (is_vetoed(entry)) return;
    const auto [it, is_first] = best_.try_emplace(entry.key);
    if (is_first || is_before(entry, it->second)) it->second = std::move(entry);
  }

  bool is_before(const FileEntry& a, const FileEntry& b) const {
    const auto rank = [this](const FileEntry& e) {
      const auto home = homes_.find(e.identity);
      return std::tuple(home == homes_.end() ? std::size_t{0} : home->second,
                        has_space(e.decision));
    };
    if (rank(a) != rank(b)) return rank(a) > rank(b);
    // Of two identities with equally many ranks one comes first, so that identities are compared
    // before evidence that was gathered on different devices.
    if (a.identity != b.identity) return a.identity < b.identity;
    return is_greater(a.decision, b.decision, a.identity);
  }

  // Whether the snapshot has a decision of that device and space.
  bool is_granted(const Wish& wish) const {
    const auto it = std::ranges::lower_bound(out_.decisions, wish.key, {}, &CacheEntry::key);
    return it != out_.decisions.end() && it->key == wish.key && it->identity == wish.identity &&
           has_space(it->decision);
  }

  void count_wishes() {
    std::map<std::pair<Key, std::string>, Wish> wishes;
    for (const Heard& one : heard_) {
      for (Wish wish : one.ballot.wishes) {
        wish.identity = one.ballot.identity;
        if (is_granted(wish)) continue;
        const auto it = wishes.try_emplace({wish.key, wish.identity}, wish).first;
        it->second.ranks += one.ranks;
      }
    }
    for (auto& [key, wish] : wishes) out_.wishes.push_back(std::move(wish));
  }

  Hash digest() const {
    ByteWriter bytes;
    bytes.text("vyre snapshot 1");
    bytes.u64(out_.decisions.size());
    for (const CacheEntry& entry : out_.decisions) {
      bytes.text(to_string(entry.key));
      bytes.raw(entry_hash(entry.decision, entry.identity));
    }
    for (const Veto& veto : out_.vetoes) {
      bytes.text(to_string(veto.key));
      bytes.raw(veto.decision);
    }
    return blake3(bytes.bytes());
  }

  std::vector<Heard> heard_;
  std::map<std::string, std::size_t> homes_;  // ranks by identity
  std::map<ir::Fingerprint, std::map<std::string, std::size_t>> declared_;
  DeclaredSpaces spaces_;  // the chosen ones
  std::set<Key> vetoed_;   // keys of the vetoes
  Hash served_{};
  std::map<Key, FileEntry> best_;
  Tally out_;
};

}  // namespace

Expected<Tally> tally(std::span<const std::string> ballots, std::string_view mine,
                      const AgreeOptions& options) {
  if (options.ranks != 0 && ballots.size() != options.ranks) {
    return bad_inputs(
        "the exchange has returned {} ballots for {} ranks; it must return one of each rank",
        ballots.size(), options.ranks);
  }
  if (std::ranges::find(ballots, mine) == ballots.end()) {
    return bad_inputs(
        "the exchange has returned {} ballots, and this rank's own is not among them; it must "
        "return the bytes of all ranks",
        ballots.size());
  }
  Counting counting;
  VYRE_TRY_VOID(counting.read(ballots, options));
  return counting.count();
}

}  // namespace vyre
