// The two halves of a campaign by themselves: a strategy that proposes configurations, and a race
// that decides between a few of them. Made-up times stand in for a device.

#include <vyre/substrate/measure.h>
#include <vyre/substrate/search.h>

#include <cmath>
#include <cstdio>

using namespace vyre;

namespace {

// Fastest at block 64 and unroll 4; a few percent of noise, the same in every run of the program.
double time_ms(const Config& config) {
  static int run = 0;
  const double block = std::log2(double(std::get<std::int64_t>(*config.find("block"))) / 64);
  const double unroll = std::log2(double(std::get<std::int64_t>(*config.find("unroll"))) / 4);
  return (1 + block * block + unroll * unroll) * (1 + 0.02 * (++run % 3));
}

}  // namespace

int main() {
  const auto space = space::Space::build(
      {.parameters = {{"block", {16, 32, 64, 128, 256}}, {"unroll", {1, 2, 4, 8}}},
       .constraints = {"block * unroll <= 1024"}});
  if (!space) return std::puts(space.error().message.c_str()), 1;
  const auto measure = [&](std::uint64_t index) {
    return Result{.time_ms = time_ms(space->config_at(index))};
  };

  int evaluations = 0;
  auto search = make_strategy("natural", *space, {.seed = 1});
  while (evaluations < 12) {
    for (std::uint64_t index : (*search)->ask(1)) (*search)->tell(index, measure(index));
    ++evaluations;
  }

  const auto run = [&](std::uint64_t id) { return 1e6 * time_ms(space->config_at(id)); };
  Race race;
  for (std::uint64_t id = 0; id < space->size(); ++id) race.add({.id = id});
  for (auto round = race.next_round(); !round.empty(); round = race.next_round()) {
    for (std::uint64_t id : round) race.tell(id, run(id));
  }
  const auto outcome = race.outcome();
  if (!outcome) return 1;
  std::printf("fastest: %s, after %llu runs of %llu configurations\n",
              to_string(space->config_at(outcome->winner)).c_str(),
              static_cast<unsigned long long>(outcome->samples),
              static_cast<unsigned long long>(space->size()));
  return 0;
}
