#include "runtime/ballot.h"

#include <algorithm>
#include <tuple>

#include "base/byte_reader.h"
#include "base/byte_writer.h"
#include "base/error.h"
#include "base/text.h"
#include "decisions/file_content.h"

namespace vyre {
namespace {

constexpr std::string_view kMagic = "vyre ballot\n";
constexpr std::size_t kKeyBytes = 1 + 4 * sizeof(std::uint64_t);
constexpr std::size_t kFingerprintBytes = std::tuple_size_v<ir::Fingerprint>;

std::span<const std::uint8_t> bytes_of(std::string_view text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

void put(ByteWriter& out, const Key& key) {
  out.u8(static_cast<std::uint8_t>(key.version));
  for (const std::uint64_t word : key.words) out.u64(word);
}

Key take_key(ByteReader& in) {
  Key out{.version = in.u8()};
  for (std::uint64_t& word : out.words) word = in.u64();
  return out;
}

void put(ByteWriter& out, const Wish& wish) {
  put(out, wish.key);
  out.text(std::string_view(wish.program).substr(0, kMostNameBytes));
  out.raw(wish.fingerprint);
  out.u64(wish.shape.size());
  for (const std::uint64_t size : wish.shape) out.u64(size);
}

Wish take_wish(ByteReader& in) {
  Wish out{.key = take_key(in)};
  out.program = in.text(kMostNameBytes);
  in.raw(out.fingerprint);
  out.shape.resize(in.count(kMostSizes, sizeof(std::uint64_t)));
  for (std::uint64_t& size : out.shape) size = in.u64();
  return out;
}

// Why others would refuse it; empty: they would not.
std::string excess_in(const Ballot& ballot) {
  const auto beyond = [](std::string_view what, std::size_t count, std::size_t most) {
    return count > most ? fmt::format("it has {} {}, and at most {} can be sent", count, what, most)
                        : std::string();
  };
  for (std::string why :
       {beyond("vetoes", ballot.vetoes.size(), kMostVetoes),
        beyond("declared spaces", ballot.spaces.size(), kMostSpaces),
        beyond("bytes of decisions", ballot.decisions.size(), kMostDecisionBytes)}) {
    if (!why.empty()) return why;
  }
  return "";
}

void put_lists(ByteWriter& out, const Ballot& ballot) {
  out.u64(ballot.spaces.size());
  for (const auto& [fingerprint, digest] : ballot.spaces) {
    out.raw(fingerprint);
    out.text(digest);
  }
  out.u64(ballot.vetoes.size());
  for (const Veto& veto : ballot.vetoes) {
    put(out, veto.key);
    out.raw(veto.decision);
  }
  out.u64(ballot.wishes.size());
  for (const Wish& wish : ballot.wishes) put(out, wish);
  out.text(ballot.decisions);
}

void take_lists(ByteReader& in, Ballot& out) {
  for (auto left = in.count(kMostSpaces, kFingerprintBytes); left > 0; --left) {
    ir::Fingerprint fingerprint{};
    in.raw(fingerprint);
    out.spaces[fingerprint] = in.text(kMostNameBytes);
  }
  for (auto left = in.count(kMostVetoes, kKeyBytes + sizeof(Hash)); left > 0; --left) {
    Veto veto{.key = take_key(in)};
    in.raw(veto.decision);
    out.vetoes.insert(veto);
  }
  for (auto left = in.count(kMostWishes, kKeyBytes + kFingerprintBytes); left > 0; --left) {
    out.wishes.push_back(take_wish(in));
  }
  out.decisions = in.text(kMostDecisionBytes);
}

}  // namespace

std::string vyre_version() { return VYRE_VERSION; }

DecisionText text_of_decisions(std::vector<CacheEntry> entries, std::string_view today,
                               std::size_t most_bytes) {
  constexpr std::size_t kHeaderBytes = 64;  // "schema = 3", "[decisions.ID]", and a line's ends
  std::ranges::sort(entries, {}, [&](const CacheEntry& e) {
    return std::tuple(e.identity != today, e.key, std::string_view(e.identity));
  });
  DecisionText out;
  FileContent content;
  std::set<std::string_view> identities;
  std::size_t bytes = kHeaderBytes;
  for (const CacheEntry& e : entries) {
    const std::string line = toml::print_inline({fields_of(e.decision)});
    bytes += line.size() + to_string(e.key).size() + 4;
    if (identities.insert(e.identity).second) bytes += kHeaderBytes;
    if (bytes > most_bytes) {
      ++out.left_out;
    } else {
      content.entries.push_back({e.key, e.identity, e.decision});
    }
  }
  out.text = print_content(content);
  return out;
}

std::string print_ballot(const Ballot& ballot) {
  const std::string excess = ballot.failure.empty() ? excess_in(ballot) : "";
  if (!excess.empty()) {
    return print_ballot({.version = ballot.version, .ranks = ballot.ranks, .failure = excess});
  }
  ByteWriter out;
  out.raw(bytes_of(kMagic));
  out.u32(kBallotProtocol);
  out.text(ballot.version);
  out.u32(ballot.ranks);
  out.text(std::string_view(ballot.failure).substr(0, kMostNameBytes));
  out.raw(ballot.served);
  out.text(ballot.identity);
  put_lists(out, ballot);
  const Hash hash = blake3(out.bytes());
  out.raw(hash);
  return {out.bytes().begin(), out.bytes().end()};
}

Expected<Ballot> parse_ballot(std::string_view bytes) {
  if (bytes.empty()) return bad_inputs("it has sent nothing");
  if (bytes.size() > kMostBallotBytes) {
    return bad_inputs("it has sent {} bytes, more than the limit of {}", bytes.size(),
                      kMostBallotBytes);
  }
  if (!bytes.starts_with(kMagic)) return bad_inputs("it has sent something that is no ballot");
  ByteReader in(bytes.substr(kMagic.size()));
  const std::uint32_t protocol = in.u32();
  if (!in.has_failed() && protocol != kBallotProtocol) {
    return bad_inputs("it speaks version {} of the protocol, and this rank version {}", protocol,
                      kBallotProtocol);
  }
  Hash told{};
  const auto damaged = [] { return bad_inputs("its ballot is cut off or damaged"); };
  if (bytes.size() < kMagic.size() + told.size()) return damaged();
  const std::size_t end = bytes.size() - told.size();
  ByteReader(bytes.substr(end)).raw(told);
  if (blake3(bytes.substr(0, end)) != told) return damaged();
  Ballot out{.version = std::string(in.text(kMostNameBytes)), .ranks = in.u32()};
  out.failure = in.text(kMostNameBytes);
  in.raw(out.served);
  out.identity = in.text(kMostNameBytes);
  take_lists(in, out);
  in.raw(told);
  if (!in.is_at_end()) return bad_inputs("its ballot is not as vyre writes them");
  return out;
}

}  // namespace vyre
