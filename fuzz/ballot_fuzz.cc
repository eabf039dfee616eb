// Any bytes as the ballot of another rank: they are refused in one line, or mean the same when they
// are written again. Counting them never crashes, with a hash that fits or without.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/check.h"
#include "runtime/tally.h"

namespace {

using namespace vyre;

void count(const std::string& bytes) {
  const auto parsed = parse_ballot(bytes);
  if (!parsed) VYRE_CHECK(parsed.error().message.find('\n') == std::string::npos);
  if (parsed) VYRE_CHECK(print_ballot(*parsed).size() <= kMostBallotBytes);
  const std::string mine = print_ballot({.version = vyre_version(), .identity = "mine"});
  const std::string ballots[] = {mine, bytes};
  const auto counted = tally(ballots, mine, {});
  if (!counted) VYRE_CHECK(counted.error().message.find('\n') == std::string::npos);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string bytes(reinterpret_cast<const char*>(data), size);
  count(bytes);
  const Hash hash = blake3(bytes);
  bytes.append(hash.begin(), hash.end());
  count(bytes);
  // As the decisions of a ballot that is right.
  count(print_ballot({.version = vyre_version(),
                      .identity = "other",
                      .decisions = std::string(reinterpret_cast<const char*>(data), size)}));
  return 0;
}
