#include "decisions/neighbours.h"

#include <gtest/gtest.h>

namespace vyre {
namespace {

Config block(std::int64_t value) { return {{"block", value}}; }

// Decided for n: `best`, with `runner_up` slower by so many percent.
Decision decided(std::uint64_t n, std::int64_t best, std::int64_t runner_up, double percent) {
  return {.shape = {n, n},
          .config = block(best),
          .elapsed = {.ns = 100},
          .runner_up = RunnerUp{block(runner_up), {.ns = 100 + percent}}};
}

struct Case {
  std::string name;
  std::vector<Decision> neighbours;  // of the shape {100, 100}, nearest first
  std::size_t chosen = 0;
  std::string doubt;
};

TEST(Neighbours, ServeWhatDoesBestAtAllOfThem) {
  const std::vector<Case> cases{
      {"the only one", {decided(110, 1, 2, 50)}, 0, ""},
      {"the nearest of equals", {decided(110, 1, 2, 1), decided(120, 3, 4, 1)}, 0, ""},
      {"second at one, first at the other",
       {decided(110, 1, 2, 1), decided(120, 2, 3, 5), decided(80, 2, 4, 8)},
       1,
       ""},
      {"not what is second by far", {decided(110, 1, 2, 40), decided(120, 2, 1, 2)}, 0, ""},
      {"without runners-up",
       {{.shape = {90, 90}, .config = block(1)}, {.shape = {70, 70}, .config = block(2)}},
       0,
       ""},
      {"each much worse at the other",
       {decided(110, 1, 2, 30), decided(90, 3, 4, 25)},
       0,
       "its neighbours disagree: what is best at one is at least 25 % slower at another"},
      {"a far one does not disagree", {decided(101, 1, 2, 30), decided(900, 3, 4, 25)}, 0, ""},
      {"only far ones",
       {decided(2000, 1, 2, 30)},
       0,
       "the nearest shape that was tuned differs by a factor of 20"},
  };
  const std::vector<std::uint64_t> shape{100, 100};
  for (const Case& c : cases) {
    const Served served = serve_from(shape, c.neighbours);
    EXPECT_EQ(served.chosen, c.chosen) << c.name;
    EXPECT_EQ(served.doubt, c.doubt) << c.name;
  }
}

}  // namespace
}  // namespace vyre
