#include <string>

#include "testing/bench.h"
#include "vyre/config.h"

namespace vyre {
namespace {

using testing::keep;

// A Config is a short list searched from the front: its last entry is the slowest to find. The
// dispatch path resolves once per kernel, so this only has to be small.
VYRE_BENCHMARK(config_find) {
  Config config;
  for (int i = 0; i < 8; ++i) config.set("parameter_" + std::to_string(i), std::int64_t{i});
  const double last = testing::median_ns([&] { keep(config.find("parameter_7")); });
  report.add({.name = "Config::find, last of 8",
              .value = last,
              .unit = "ns",
              .goal = testing::at_most(100)});
}

}  // namespace
}  // namespace vyre
