// What an agreement of ranks costs each of them, apart from the exchange.

#include <fmt/format.h>

#include "base/check.h"
#include "runtime/tally.h"
#include "testing/bench.h"
#include "testing/sample_decisions.h"

namespace vyre::testing {
namespace {

constexpr double kNsOfMs = 1e6;
constexpr std::size_t kBallots = 64;

Ballot ballot_of(std::size_t decisions, std::uint32_t samples) {
  std::vector<CacheEntry> entries;
  for (std::size_t n = 0; n < decisions; ++n) {
    entries.push_back({.key = vyre::testing::key(n),
                       .identity = id_of(today()),
                       .decision = vyre::testing::decision(static_cast<std::int64_t>(n), samples)});
  }
  return {.version = vyre_version(),
          .identity = id_of(today()),
          .decisions = text_of_decisions(std::move(entries), id_of(today())).text};
}

double ms_to_count(std::size_t decisions, bool are_equal) {
  std::vector<std::string> ballots;
  for (std::size_t rank = 0; rank < kBallots; ++rank) {
    const auto samples = static_cast<std::uint32_t>(are_equal ? 10 : 10 + rank);
    ballots.push_back(print_ballot(ballot_of(decisions, samples)));
  }
  return median_ns([&] { VYRE_CHECK(tally(ballots, ballots[0], {})); },
                   {.batch_ns = 1, .samples = 3}) /
         kNsOfMs;
}

}  // namespace

VYRE_BENCHMARK(agree) {
  for (const std::size_t decisions : {100U, 10'000U}) {
    const double send_ms =
        median_ns([&] { keep(print_ballot(ballot_of(decisions, 10))); }, {1, 3}) / kNsOfMs;
    report.add(
        {.name = fmt::format("ballot of {} decisions", decisions), .value = send_ms, .unit = "ms"});
    for (const bool are_equal : {true, false}) {
      if (decisions > 1000 && !are_equal) continue;
      report.add({.name = fmt::format("count {} {} ballots of {} decisions", kBallots,
                                      are_equal ? "equal" : "different", decisions),
                  .value = ms_to_count(decisions, are_equal),
                  .unit = "ms"});
    }
  }
}

}  // namespace vyre::testing
