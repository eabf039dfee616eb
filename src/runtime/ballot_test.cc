#include "runtime/ballot.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "decisions/file_content.h"
#include "testing/sample_decisions.h"
#include "testing/soak.h"

namespace vyre {
namespace {

using testing::decision;
using testing::key;

Ballot full_ballot() {
  Hash hash{};
  hash[0] = 9;
  return {.version = "0.1.0",
          .ranks = 64,
          .served = hash,
          .identity = "5b0c1f9a2d7e4488",
          .spaces = {{{1, 2}, "5pace"}, {{3}, "0ther"}},
          .vetoes = {{key(1), hash}, {key(2), {}}},
          .wishes = {{.key = key(3), .program = "saxpy", .fingerprint = {4}, .shape = {7, 8}},
                     {.key = key(4)}},
          .decisions = "schema = 3\n"};
}

std::string message_of(std::string_view bytes) {
  const auto parsed = parse_ballot(bytes);
  return parsed ? "" : parsed.error().message;
}

TEST(Ballot, IsReadAsItWasWritten) {
  for (const Ballot& ballot : {full_ballot(), Ballot{}, Ballot{.failure = "out of memory"}}) {
    const std::string bytes = print_ballot(ballot);
    const auto again = parse_ballot(bytes);
    ASSERT_TRUE(again) << again.error().message;
    EXPECT_EQ(print_ballot(*again), bytes);
    EXPECT_EQ(again->ranks, ballot.ranks);
    EXPECT_EQ(again->failure, ballot.failure);
    EXPECT_EQ(again->served, ballot.served);
    EXPECT_EQ(again->identity, ballot.identity);
    EXPECT_EQ(again->spaces, ballot.spaces);
    EXPECT_EQ(again->vetoes, ballot.vetoes);
    EXPECT_EQ(again->wishes, ballot.wishes);
    EXPECT_EQ(again->decisions, ballot.decisions);
  }
}

TEST(Ballot, NoPrefixAndNoDamageIsTakenForOne) {
  const std::string whole = print_ballot(full_ballot());
  for (std::size_t size = 0; size < whole.size(); ++size) {
    EXPECT_FALSE(parse_ballot(std::string_view(whole).substr(0, size))) << size;
  }
  EXPECT_FALSE(parse_ballot(whole + '\0'));
  for (std::size_t at = 0; at < whole.size(); ++at) {
    std::string damaged = whole;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x10);
    EXPECT_FALSE(parse_ballot(damaged)) << at;
  }
}

// Somebody who can make a hash can also write any count.
std::string signed_bytes(std::string bytes) {
  const Hash hash = blake3(bytes);
  bytes.append(hash.begin(), hash.end());
  return bytes;
}

TEST(Ballot, CountsThatCannotBeAreRefused) {
  const std::string whole = print_ballot(full_ballot());
  const std::string body = whole.substr(0, whole.size() - sizeof(Hash));
  EXPECT_TRUE(parse_ballot(signed_bytes(body)));
  EXPECT_FALSE(parse_ballot(signed_bytes(body + "more")));
  constexpr std::size_t kFixed = 16;  // magic and protocol
  for (std::size_t at = kFixed; at < body.size(); ++at) {
    std::string forged = body;
    forged[at] = '\xff';
    const std::string message = message_of(signed_bytes(forged));
    EXPECT_EQ(message.find('\n'), std::string::npos);
    EXPECT_FALSE(parse_ballot(signed_bytes(body.substr(0, at)))) << at;
  }
}

TEST(Ballot, MistakesHaveMessages) {
  EXPECT_EQ(message_of(""), "it has sent nothing");
  EXPECT_EQ(message_of("MPI"), "it has sent something that is no ballot");
  std::string other = print_ballot(full_ballot());
  other[12] = 2;
  EXPECT_EQ(message_of(other), "it speaks version 2 of the protocol, and this rank version 1");
  EXPECT_EQ(message_of("vyre ballot\n\x01"), "its ballot is cut off or damaged");
  EXPECT_EQ(message_of(signed_bytes(std::string("vyre ballot\n\x01\0\0\0", 16))),
            "its ballot is not as vyre writes them");
  EXPECT_EQ(message_of(std::string(kMostBallotBytes + 1, 'x')),
            "it has sent 33554433 bytes, more than the limit of 33554432");
}

TEST(Ballot, MoreThanCanBeSentIsSaidInstead) {
  Ballot many = full_ballot();
  for (std::uint64_t k = 0; k <= kMostVetoes; ++k) many.vetoes.insert({key(k), {}});
  const auto parsed = parse_ballot(print_ballot(many));
  ASSERT_TRUE(parsed);
  EXPECT_EQ(parsed->failure,
            fmt::format("it has {} vetoes, and at most 65536 can be sent", many.vetoes.size()));
  EXPECT_EQ(parsed->ranks, 64U);
  Ballot large = full_ballot();
  large.decisions.assign(kMostDecisionBytes + 1, ' ');
  EXPECT_EQ(parse_ballot(print_ballot(large))->failure,
            "it has 16777217 bytes of decisions, and at most 16777216 can be sent");
  Ballot named = full_ballot();
  named.wishes[0].program.assign(1000, 'x');
  EXPECT_EQ(parse_ballot(print_ballot(named))->wishes[0].program, std::string(256, 'x'));
}

TEST(Ballot, TodaysDecisionsComeFirstWhereNotAllFit) {
  std::vector<CacheEntry> entries;
  for (std::uint64_t k = 0; k < 10; ++k) {
    entries.push_back({.key = key(k),
                       .identity = k % 2 == 0 ? "today" : "other",
                       .decision = decision(static_cast<std::int64_t>(k))});
  }
  const auto identities_in = [](const std::string& text) {
    std::vector<std::string> out;
    parse_content(text, "f")->entries.for_each(
        [&](const FileEntry& entry) { out.push_back(entry.identity); });
    return out;
  };
  const DecisionText all = text_of_decisions(entries, "today");
  EXPECT_EQ(all.left_out, 0U);
  EXPECT_EQ(identities_in(all.text).size(), 10U);
  const DecisionText half = text_of_decisions(entries, "today", all.text.size() / 2);
  EXPECT_LE(half.text.size(), all.text.size() / 2);
  EXPECT_GE(half.left_out, 5U);
  for (const std::string& identity : identities_in(half.text)) EXPECT_EQ(identity, "today");
  EXPECT_EQ(text_of_decisions(entries, "today", 0).left_out, 10U);
}

}  // namespace
}  // namespace vyre
