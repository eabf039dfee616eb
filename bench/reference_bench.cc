// The interpreter: how many operations per second one core does.

#include <fmt/format.h>

#include "base/check.h"
#include "testing/bench.h"
#include "vyre/call.h"
#include "vyre/program.h"
#include "vyre/substrate/primitives.h"

namespace vyre::testing {
namespace {

constexpr double kTurns = 2000;
constexpr double kLanes = 256;
constexpr double kOpsPerTurn = 12;

// Twelve operations per turn: 4 on u32, 4 on f32, a comparison, a select, a load and a store. What
// the loop itself takes is not counted.
constexpr const char* kMix = R"(program mix {
  write y: u32[256u]
  private t: f32[16u]
  workgroup [256u, 1u, 1u]
  var a: u32 = global_id(0)
  var x: f32 = 0.5f
  for k: u32 in 0u .. 2000u {
    a = (a + k) * 1664525u ^ a >> 3u
    x = max(x * 0.999f + 0.25f, 0.125f) - t[3u]
    t[3u] = select(a < 2147483648u, x, 0.5f)
  }
  y[global_id(0)] = a + u32(x)
})";

ir::Sequence parsed(const char* text) {
  auto def = ir::parse(text);
  VYRE_CHECK(def.has_value());
  auto sequence = ir::Sequence::make(*std::move(def));
  VYRE_CHECK(sequence.has_value());
  return *sequence;
}

VYRE_BENCHMARK(interpreter_lane_operations) {
  const ir::Sequence mix = parsed(kMix);
  auto dispatcher = make_dispatcher(open_reference({.threads = 1}));
  Outputs outputs;
  const double ns = median_ns([&] { VYRE_CHECK(dispatcher->dispatch(mix, {}, outputs)); },
                              {.batch_ns = 2e7, .samples = 15});
  report.add(
      {.name =
           "interpreter, one core: lane operations (4 u32, 4 f32, compare, select, load, store)",
       .value = kTurns * kLanes * kOpsPerTurn / ns * 1e3,
       .unit = "million/s",
       .goal = at_least(500)});
}

VYRE_BENCHMARK(interpreter_softmax) {
  for (const std::uint32_t n : {64U, 4096U, 1U << 20U}) {
    const auto softmax = primitives::softmax_step(n);
    VYRE_CHECK(softmax.has_value());
    auto dispatcher = make_dispatcher(open_reference());
    const std::vector<std::uint32_t> weights(n, 12345);
    const std::vector<Input> inputs{as_input(weights)};
    Outputs outputs;
    const double ns =
        median_ns([&] { VYRE_CHECK(dispatcher->dispatch(*softmax, {.inputs = inputs}, outputs)); },
                  {.batch_ns = 1e7, .samples = 11});
    report.add({.name = fmt::format("interpreter, all cores: softmax_step, n = {}", n),
                .value = ns / 1e3,
                .unit = "us"});
  }
}

}  // namespace
}  // namespace vyre::testing
