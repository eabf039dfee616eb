// Ranks of one application, as runtimes of one process that agree through threads.

#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <thread>
#include <vector>

#include "testing/meeting.h"
#include "testing/tuned_programs.h"
#include "vyre/runtime.h"

namespace vyre::testing {

struct Rank {
  explicit Rank(RuntimeOptions options = {},
                std::shared_ptr<Device> device = open_reference({.threads = 1}))
      : runtime(open(std::move(device), std::move(options))) {}

  Runtime open(std::shared_ptr<Device> device, RuntimeOptions options) {
    options.events = [this](const Event& event) { events.push_back(event); };
    return *Runtime::open(std::move(device), std::move(options));
  }

  // Inputs of n words. The sequence has one input and one output.
  Expected<std::vector<std::uint32_t>> launch(const ir::Sequence& sequence, std::size_t n) {
    const std::vector<std::uint32_t> x = words(n);
    const std::vector<Input> inputs{as_input(x)};
    VYRE_TRY(const Outputs out, runtime.launch(sequence, {.inputs = inputs}));
    return values_of<std::uint32_t>(out[0]);
  }

  std::vector<std::uint64_t> shape(const ir::Sequence& sequence, std::size_t n) const {
    const std::vector<std::uint32_t> x(n);
    const std::vector<Input> inputs{as_input(x)};
    return *runtime.shape_of(sequence, {.inputs = inputs});
  }

  void decide(const ir::Sequence& sequence, std::size_t n, const Config& config,
              std::uint32_t samples = 10) {
    decide(sequence, n, config, samples, runtime.cache().identity());
  }
  void decide(const ir::Sequence& sequence, std::size_t n, const Config& config,
              std::uint32_t samples, const Identity& identity) {
    const auto sizes = shape(sequence, n);
    const Decision decision{.program = sequence.def().name,
                            .fingerprint = sequence.fingerprint(),
                            .shape = sizes,
                            .config = config,
                            .samples = samples};
    runtime.cache().offer(key_of(sequence.fingerprint(), sizes), decision, identity);
  }

  // What a launch would be configured with; empty: the default.
  Config served(const ir::Sequence& sequence, std::size_t n) const {
    return runtime.config_of(sequence, runtime.resolve(sequence, shape(sequence, n)));
  }

  std::vector<Event> events;
  Runtime runtime;
};

// Of a device that nobody has.
inline Identity foreign_identity() { return {.backend = "other", .device = "elsewhere"}; }

// All ranks agree, each in a thread of its own. By rank.
inline std::vector<Expected<Agreement>> agree_all(std::vector<std::unique_ptr<Rank>>& ranks,
                                                  Meeting& meeting,
                                                  const AgreeOptions& options = {}) {
  std::vector<Expected<Agreement>> out(ranks.size());
  std::vector<std::jthread> threads;
  for (std::size_t k = 0; k < ranks.size(); ++k) {
    threads.emplace_back(
        [&, k] { out[k] = ranks[k]->runtime.agree(meeting.exchange_of(k), options); });
  }
  threads.clear();
  return out;
}

inline std::vector<std::unique_ptr<Rank>> make_ranks(std::size_t count) {
  std::vector<std::unique_ptr<Rank>> out;
  for (std::size_t k = 0; k < count; ++k) out.push_back(std::make_unique<Rank>());
  return out;
}

}  // namespace vyre::testing
