// A runtime on the interpreter that keeps its events, and launches of the programs it is tested
// with. One thread: its times are to be those of the work, however busy the machine is.

#pragma once

#include <gtest/gtest.h>

#include "testing/tuned_programs.h"
#include "vyre/runtime.h"

namespace vyre::testing {

inline constexpr Budget kAll{.seconds = 0, .evaluations = 100};
// Every launch is followed by a step, and waits for it however busy the machine is.
inline constexpr Online kEveryLaunch{.share = 1, .stall_seconds = 600};

struct TuningFixture {
  explicit TuningFixture(RuntimeOptions options,
                         std::shared_ptr<Device> on = open_reference({.threads = 1}))
      : device(std::move(on)), runtime(open(device, std::move(options))) {}

  Runtime open(std::shared_ptr<Device> on, RuntimeOptions options) {
    options.events = [this](const Event& event) { events.push_back(event); };
    auto opened = Runtime::open(std::move(on), std::move(options));
    EXPECT_TRUE(opened);
    return *std::move(opened);
  }

  void declare_busy() {
    const auto declared = runtime.declare(busy_program(), {.space = busy_space()});
    EXPECT_TRUE(declared) << declared.error().message;
  }

  std::vector<std::uint32_t> launch(const ir::Sequence& sequence, std::size_t n, Call call = {}) {
    if (is_on_device) return launch_on_device(sequence, n);
    const std::vector<std::uint32_t> x = words(n);
    const std::vector<Input> inputs{as_input(x)};
    call.inputs = inputs;
    const auto out = runtime.launch(sequence, call);
    EXPECT_TRUE(out) << out.error().message;
    return out ? values_of<std::uint32_t>((*out)[0]) : std::vector<std::uint32_t>{};
  }

  // By name, on memory of the device. The result held something else before.
  std::vector<std::uint32_t> launch_on_device(const ir::Sequence& sequence, std::size_t n) {
    std::vector<std::unique_ptr<Buffer>> memory;
    std::vector<Arg> args;
    std::vector<std::uint32_t> content = words(n);
    for (const ir::Buffer& buffer : sequence.def().buffers) {
      memory.push_back(*device->allocate(n * sizeof(std::uint32_t)));
      EXPECT_TRUE(memory.back()->write(0, std::as_bytes(std::span(content))));
      args.emplace_back(buffer.name, *memory.back());
    }
    const auto launched = runtime.launch(sequence, args);
    EXPECT_TRUE(launched) << launched.error().message;
    EXPECT_TRUE(runtime.finish());
    EXPECT_TRUE(memory.back()->read(0, std::as_writable_bytes(std::span(content))));
    return content;
  }

  Expected<Recheck> recheck(const ir::Sequence& sequence, std::size_t n) {
    const std::vector<std::uint32_t> x = words(n);
    const std::vector<Input> inputs{as_input(x)};
    return runtime.recheck(sequence, {.inputs = inputs});
  }

  Resolved resolve(const ir::Sequence& sequence, const std::vector<std::uint64_t>& shape) {
    return runtime.resolve(sequence, shape);
  }
  Decision decision(const ir::Sequence& sequence, const std::vector<std::uint64_t>& shape) {
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
    const Decision decision{.program = "busy",
                            .fingerprint = busy_program().fingerprint(),
                            .shape = shape,
                            .config = config,
                            .space = digest_of(busy_space()),
                            .elapsed = {10, 9, 11},
                            .default_elapsed = {20, 19, 21},
                            .samples = 1000,
                            .decided_at = 1};
    const Key key = key_of(busy_program().fingerprint(), shape);
    EXPECT_EQ(runtime.cache().offer(key, decision), Offer::kept);
  }

  std::size_t count(EventKind kind) const {
    return static_cast<std::size_t>(std::ranges::count(events, kind, &Event::kind));
  }

  bool is_on_device = false;  // launches are on memory of the device
  std::vector<Event> events;
  std::shared_ptr<Device> device;
  Runtime runtime;
};

inline Config busy_config(std::int64_t work, std::int64_t block) {
  return {{"block", block}, {"work", work}};
}

}  // namespace vyre::testing
