// vyre_serve_chain CHAIN.vyre plans|steps: runs a tuned chain as often as it is asked to.
//
// The chain is tuned first, with its plans or as it is written, with 60 evaluations; a decision
// that is remembered ($XDG_CACHE_HOME/vyre) is taken as it is. "ready" and the configuration are
// printed then. Each line of the input is answered by the median of a few runs in milliseconds, on
// the wall clock, from the call until the result is there. All memory is on the device.
// bench/fusion_peers.py runs this beside other programs.

#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <iostream>
#include <string>

#include "base/statistics.h"
#include "e2e/chain_stage.h"
#include "vyre/tune.h"

namespace {

using namespace vyre;

constexpr std::uint64_t kEvaluations = 60;
// As in bench/fusion_peers.py.
constexpr int kWarmRuns = 2;
constexpr int kTimedRuns = 5;

Expected<double> wall_ms(ChainStage& stage, const backend::BoundCall& call) {
  using Clock = std::chrono::steady_clock;
  for (int k = 0; k < kWarmRuns; ++k) VYRE_TRY_VOID(stage.run(call));
  std::vector<double> ms;
  for (int k = 0; k < kTimedRuns; ++k) {
    const auto start = Clock::now();
    VYRE_TRY_VOID(stage.run(call));
    ms.push_back(std::chrono::duration<double, std::milli>(Clock::now() - start).count());
  }
  return median(ms);
}

Expected<void> serve(const char* file, bool has_plans) {
  VYRE_TRY(Problem problem, load_chain(file, {.fuse = has_plans}));
  VYRE_TRY(auto device, open_best_device());
  VYRE_TRY(const Tuned tuned,
           tune(device, problem,
                {.seconds = 0, .evaluations = kEvaluations, .files = from_env().files}));
  VYRE_TRY(ChainStage stage, ChainStage::make(std::move(device), std::move(problem)));
  VYRE_TRY(const auto call, stage.bind(tuned.decision.config));
  VYRE_TRY_VOID(stage.run(*call));
  fmt::print("ready {}\n", to_string(tuned.decision.config));
  std::fflush(stdout);
  for (std::string line; std::getline(std::cin, line);) {
    VYRE_TRY(const double ms, wall_ms(stage, *call));
    fmt::print("{:.6f}\n", ms);
    std::fflush(stdout);
  }
  return {};
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view what = argc == 3 ? argv[2] : "";
  if (what != "plans" && what != "steps") {
    fmt::print(stderr, "usage: vyre_serve_chain CHAIN.vyre plans|steps\n");
    return 2;
  }
  const auto done = serve(argv[1], what == "plans");
  if (done) return 0;
  fmt::print("failed {}\n", done.error().message);
  return 1;
}
