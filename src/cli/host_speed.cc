#include "cli/host_speed.h"

#include <algorithm>
#include <chrono>
#include <vector>

#include "cli/host_blas.h"
#include "cli/host_loops.h"

namespace vyre::cli {
namespace {

using HostClock = std::chrono::steady_clock;

constexpr std::size_t kMostHostBytes = std::size_t{1} << 29U;
constexpr std::size_t kFewestHostRuns = 5;
constexpr std::size_t kMostHostRuns = 51;
constexpr double kEnoughHostNs = 3e7;   // of runs, of one variant
constexpr double kTooLongHostNs = 2e8;  // even with fewer runs

double run_ns(const HostLoop& loop) {
  const auto start = HostClock::now();
  loop();
  return std::chrono::duration<double, std::nano>(HostClock::now() - start).count();
}

// The first run brings the data to the caches and starts threads; it does not count.
double median_ns(const HostLoop& loop) {
  double spent = run_ns(loop);
  std::vector<double> runs;
  do {
    runs.push_back(run_ns(loop));
    spent += runs.back();
  } while (spent < kTooLongHostNs && runs.size() < kMostHostRuns &&
           (runs.size() < kFewestHostRuns || spent < kEnoughHostNs));
  const auto middle = runs.begin() + static_cast<std::ptrdiff_t>(runs.size() / 2);
  std::ranges::nth_element(runs, middle);
  return *middle;
}

void add_fastest(const std::vector<HostLoop>& loops, const char* by,
                 std::optional<HostSpeed>& fastest) {
  for (const HostLoop& loop : loops) {
    const double ns = median_ns(loop);
    if (!fastest || ns < fastest->ns) fastest = {ns, by};
  }
}

}  // namespace

std::optional<HostSpeed> measure_host(const Problem& problem) {
  std::size_t bytes = 0;
  for (const auto& input : *problem.inputs) bytes += input.size();
  if (bytes > kMostHostBytes) return std::nullopt;
  std::optional<HostSpeed> fastest;
  add_fastest(blas_loops(problem.name, problem.sizes), "OpenBLAS", fastest);
  add_fastest(host_loops(problem.name, problem.sizes), "OpenMP", fastest);
  return fastest;
}

}  // namespace vyre::cli
