// The tuner's own mathematics on every device that opens: against Eigen, and in microseconds per
// call with owned scratch.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <random>

#include "base/check.h"
#include "eigen_native.h"
#include "native_loops.h"
#include "testing/bench.h"
#include "testing/every_device.h"
#include "vyre/substrate/chain_fusion.h"
#include "vyre/substrate/natural_gradient.h"
#include "vyre/substrate/natural_loop.h"
#include "vyre/substrate/primitives.h"

namespace vyre::testing {
namespace {

using Floats = std::vector<float>;
constexpr Timing kLong{.batch_ns = 1, .samples = 5};
constexpr Timing kShort{.batch_ns = 5e6, .samples = 11};

Floats random_floats(std::size_t count) {
  std::mt19937 random(1);
  std::normal_distribution<float> normal;
  Floats out(count);
  for (float& x : out) x = normal(random);
  return out;
}

// The interpreter takes a smaller problem, and has no goal.
bool interprets(const std::string& device) { return device == "reference"; }

// How fast `ours` is next to Eigen, with as many threads as suit Eigen best: its threads wait for
// each other, which costs more than it gains on a busy machine.
void add_ratio(Report& report, const std::string& device, const std::string& what,
               const std::function<void()>& ours, const std::function<void(int threads)>& eigen) {
  const Pair threads = compare_ns([&] { eigen(0); }, [&] { eigen(1); }, kLong);
  const int best = threads.ratio < 1 ? 0 : 1;
  const Pair pair = compare_ns([&] { eigen(best); }, ours, kLong);
  report.add({.name = fmt::format("{}: {}, against the same algorithm with Eigen's products",
                                  device, what),
              .value = pair.second_ns / 1e6,
              .unit = "ms",
              .baseline = pair.first_ns / 1e6,
              .ratio = pair.ratio,
              .goal = interprets(device) ? std::nullopt : std::optional(at_least(0.3))});
}

void bench_linear(Report& report, const std::string& device) {
  const std::size_t n = interprets(device) ? 128 : 512;
  auto& dispatcher = dispatcher_on(device);
  const Floats samples = random_floats(2 * n * n);
  const Floats weights(2 * n, 1.0F);
  Floats theirs(n * n);
  Floats fisher;
  Floats root;
  substrate::ProgramScratch fisher_scratch;
  substrate::ProgramScratch root_scratch;
  add_ratio(
      report, device, fmt::format("fisher_block, n = {}, k = {}", n, 2 * n),
      [&] {
        VYRE_CHECK(substrate::damped_fisher_via(dispatcher, {samples, weights, n}, 0.1F,
                                                fisher_scratch, fisher));
      },
      [&](int threads) { bench::eigen_fisher_block(samples, weights, 0.1F, n, threads, theirs); });
  add_ratio(
      report, device, fmt::format("inverse_sqrt, n = {}", n),
      [&] { VYRE_CHECK(substrate::inverse_sqrt_via(dispatcher, fisher, n, root_scratch, root)); },
      [&](int threads) { keep(bench::eigen_inverse_sqrt(fisher, n, threads, theirs)); });
}

VYRE_BENCHMARK(fisher_and_inverse_sqrt) {
  for (const std::string& device : every_device()) bench_linear(report, device);
}

double pick_us(const std::string& device, std::uint32_t n) {
  const std::vector<std::uint32_t> weights(n, 12345);
  substrate::PickScratch scratch;
  std::vector<std::uint32_t> out;
  return median_ns(
             [&] {
               VYRE_CHECK(substrate::pick_config_pre_exp_fixed_via(dispatcher_on(device), weights,
                                                                   scratch, out));
             },
             kShort) /
         1e3;
}

VYRE_BENCHMARK(substrate_calls) {
  std::vector<std::uint64_t> chain(15, 4);
  chain.push_back(3);
  for (const std::string& device : every_device()) {
    for (const std::uint32_t n : {64U, 4096U}) {
      report.add(
          {.name = fmt::format("{}: pick_config_pre_exp_fixed_via, {} candidates", device, n),
           .value = pick_us(device, n),
           .unit = "us"});
    }
    substrate::ChainScratch scratch;
    const double ns = median_ns(
        [&] { VYRE_CHECK(substrate::fusion_pressure_via(dispatcher_on(device), chain, scratch)); },
        kShort);
    report.add({.name = fmt::format("{}: fusion_pressure_via, chain of 16", device),
                .value = ns / 1e3,
                .unit = "us"});
  }
}

VYRE_BENCHMARK(substrate_device_wins) {
  for (const std::string& device : every_device()) {
    if (interprets(device)) continue;
    std::uint32_t n = 64;
    while (n < (1U << 22U) && pick_us(device, n) > pick_us("reference", n)) n *= 4;
    report.add({.name = fmt::format("{}: pick_config is faster than the interpreter from about "
                                    "this many candidates on",
                                    device),
                .value = static_cast<double>(n),
                .unit = "candidates"});
  }
}

// Bytes of the matrix per second, without the copies to and from the device.
VYRE_BENCHMARK(block_apply_bandwidth) {
  for (const std::string& name : every_device()) {
    const std::uint32_t n = interprets(name) ? 1024 : 4096;
    auto device = open_device(name);
    auto sequence = primitives::natural_gradient_block_apply(n);
    VYRE_CHECK(device && sequence);
    auto kernel = (*device)->compile(*sequence, 0, {.symbols = {n}, .workgroup = {256, 1, 1}});
    auto m = (*device)->allocate(std::size_t{4} * n * n);
    auto grad = (*device)->allocate(std::size_t{4} * n);
    auto out = (*device)->allocate(std::size_t{4} * n);
    VYRE_CHECK(kernel && m && grad && out);
    const std::vector<Buffer*> buffers{m->get(), grad->get(), out->get()};
    const std::array<std::uint64_t, 1> symbols{n};
    const Launch launch{.buffers = buffers, .symbols = symbols, .groups = {ceil_div(n, 256), 1, 1}};
    const Floats theirs = random_floats(std::size_t{n} * n);
    const Floats x(n, 1.0F);
    Floats y(n);
    const Pair pair =
        compare_ns([&] { bench::blas_sgemv(theirs, x, y); },
                   [&] { VYRE_CHECK((*kernel)->launch(launch) && (*device)->finish()); }, kShort);
    const double bytes = 4.0 * n * n;
    report.add({.name = fmt::format(
                    "{}: natural_gradient_block_apply, n = {}, against OpenBLAS sgemv", name, n),
                .value = bytes / pair.second_ns,
                .unit = "GB/s",
                .baseline = bytes / pair.first_ns,
                .ratio = pair.ratio,
                .goal = interprets(name) ? std::nullopt : std::optional(at_least(0.8))});
  }
}

}  // namespace
}  // namespace vyre::testing
