// Ballot: what one rank tells all others in Runtime::agree, and its bytes.
//
// The bytes come from other processes, so they are read with suspicion: every count and length is
// compared with what is there, a hash over all of it is checked first, and decisions are read by
// the reader of decision files. docs/fleet.md has the format.

#pragma once

#include <compare>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/blake3.h"
#include "vyre/agree.h"

namespace vyre {

inline constexpr std::uint32_t kBallotProtocol = 1;
inline constexpr std::size_t kMostBallotBytes = std::size_t{32} << 20U;
inline constexpr std::size_t kMostDecisionBytes = std::size_t{16} << 20U;  // of them, as text
inline constexpr std::size_t kMostVetoes = 65'536;
inline constexpr std::size_t kMostWishes = 4096;
inline constexpr std::size_t kMostSpaces = 65'536;
inline constexpr std::size_t kMostSizes = 256;      // of a wish's shape
inline constexpr std::size_t kMostNameBytes = 256;  // of any short text

// This decision must not serve launches of this key: its own, or that of another shape.
struct Veto {
  Key key = {};
  Hash decision = {};  // entry_hash

  auto operator<=>(const Veto&) const = default;
};

// The digests of the spaces that were declared.
using DeclaredSpaces = std::map<ir::Fingerprint, std::string>;

struct Ballot {
  std::string version = {};   // of vyre
  std::uint32_t ranks = 0;    // as AgreeOptions has it
  std::string failure = {};   // not empty: the rank cannot take part
  Hash served = {};           // digest of the snapshot that it serves; zeros: none
  std::string identity = {};  // id of its device
  DeclaredSpaces spaces = {};
  std::set<Veto> vetoes = {};
  std::vector<Wish> wishes = {};  // of its own identity, by key; at most kMostWishes
  std::string decisions = {};     // as the text of a file
};

std::string vyre_version();

// The text of the decisions that a rank would serve, as many as fit: those of today's identity
// first, then by key. `left_out` is how many do not fit.
struct DecisionText {
  std::string text = {};
  std::size_t left_out = 0;
};
DecisionText text_of_decisions(std::vector<CacheEntry> entries, std::string_view today,
                               std::size_t most_bytes = kMostDecisionBytes);

// A ballot that does not fit into the limits is sent as the failure of its rank.
std::string print_ballot(const Ballot& ballot);

// The decisions are not looked at. The message goes behind the number of the rank.
Expected<Ballot> parse_ballot(std::string_view bytes);

}  // namespace vyre
