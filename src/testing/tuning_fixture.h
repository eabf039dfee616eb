// A runtime on the interpreter that keeps its events, and launches of the programs it is tested
// with. One thread: its times are to be those of the work, however busy the machine is.

#pragma once

#include <gtest/gtest.h>

#include "testing/tuned_programs.h"
#include "vyre/runtime.h"

namespace vyre::testing {

inline constexpr tuner::Budget kAll{.seconds = 0, .evaluations = 100};
// Every launch is followed by a step, and waits for it however busy the machine is.
inline constexpr tuner::Online kEveryLaunch{.share = 1, .stall_seconds = 600};

struct TuningFixture {
  explicit TuningFixture(tuner::RuntimeOptions options, std::shared_ptr<backend::Device> device =
                                                            backend::open_reference({.threads = 1}))
      : runtime(open(std::move(device), std::move(options))) {}

  tuner::Runtime open(std::shared_ptr<backend::Device> device, tuner::RuntimeOptions options) {
    options.cache.events = [this](const tuner::Event& event) { events.push_back(event); };
    return tuner::Runtime::open(std::move(device), std::move(options));
  }

  void declare_busy() {
    const auto declared = runtime.declare(busy_program(), {.space = busy_space()});
    EXPECT_TRUE(declared) << declared.error().message;
  }

  std::vector<std::uint32_t> launch(const ir::Sequence& sequence, std::size_t n,
                                    backend::Call call = {}) {
    const std::vector<std::uint32_t> x = words(n);
    const std::vector<backend::Input> inputs{backend::as_input(x)};
    call.inputs = inputs;
    const auto out = runtime.launch(sequence, call);
    EXPECT_TRUE(out) << out.error().message;
    return out ? backend::values_of<std::uint32_t>((*out)[0]) : std::vector<std::uint32_t>{};
  }

  Expected<tuner::Recheck> recheck(const ir::Sequence& sequence, std::size_t n) {
    const std::vector<std::uint32_t> x = words(n);
    const std::vector<backend::Input> inputs{backend::as_input(x)};
    return runtime.recheck(sequence, {.inputs = inputs});
  }

  tuner::Resolved resolve(const ir::Sequence& sequence, const std::vector<std::uint64_t>& shape) {
    return runtime.resolve(sequence, shape);
  }
  tuner::Decision decision(const ir::Sequence& sequence, const std::vector<std::uint64_t>& shape) {
    return runtime.cache().read(resolve(sequence, shape).decision);
  }

  std::int64_t decided_work(std::uint64_t n) {
    const Config config = decision(busy_program(), {n, n}).config;
    const Value* work = config.find("work");
    return work == nullptr ? 0 : std::get<std::int64_t>(*work);
  }

  // A decision that nothing measured here can outweigh.
  void decide_busy(std::uint64_t n, const Config& config) {
    const std::vector<std::uint64_t> shape{n, n};
    const tuner::Decision decision{.program = "busy",
                                   .fingerprint = busy_program().fingerprint(),
                                   .shape = shape,
                                   .config = config,
                                   .space = tuner::digest_of(busy_space()),
                                   .elapsed = {10, 9, 11},
                                   .default_elapsed = {20, 19, 21},
                                   .samples = 1000,
                                   .decided_at = 1};
    const tuner::Key key = tuner::key_of(busy_program().fingerprint(), shape);
    EXPECT_EQ(runtime.cache().offer(key, decision), tuner::Offer::kept);
  }

  std::size_t count(tuner::EventKind kind) const {
    return static_cast<std::size_t>(std::ranges::count(events, kind, &tuner::Event::kind));
  }

  std::vector<tuner::Event> events;
  tuner::Runtime runtime;
};

inline Config busy_config(std::int64_t work, std::int64_t block) {
  return {{"block", block}, {"work", work}};
}

}  // namespace vyre::testing
