// Every plan of random chains gives the interpreter's bits of the original, with races looked for.

#include "testing/random_chain.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <numeric>
#include <random>

#include "ir/ops.h"
#include "testing/soak.h"
#include "vyre/call.h"
#include "vyre/fuse.h"

namespace vyre::testing::random_chain_tests {
namespace {

constexpr std::uint64_t kMostPlans = 64;
constexpr std::size_t kSamples = 6;

Dispatcher& interpreter() {
  static const auto dispatcher =
      make_dispatcher(open_reference({.threads = 1, .detect_races = true}));
  return *dispatcher;
}

// All plans with the other tunables at their defaults, then samples of the whole space.
std::vector<Config> configurations(const fuse::Widened& widened, std::uint64_t seed) {
  space::Definition plans = widened.space;
  for (space::Parameter& parameter : plans.parameters) {
    if (parameter.name.starts_with("fuse_")) continue;
    const auto& tunables = widened.sequence.tunables();
    const auto it = std::ranges::find(tunables, parameter.name, &ir::Symbol::name);
    parameter.values = {Value(static_cast<std::int64_t>(it->default_bits))};
  }
  std::vector<Config> out;
  const auto add_from = [&](const space::Definition& definition, auto&& indices_of) {
    const auto space = space::Space::build(definition);
    ASSERT_TRUE(space) << space.error().message;
    for (const std::uint64_t index : indices_of(*space)) out.push_back(space->config_at(index));
  };
  if (plans.parameters.empty()) return {Config{}};
  add_from(plans, [](const space::Space& space) {
    std::vector<std::uint64_t> all(std::min(space.size(), kMostPlans));
    std::iota(all.begin(), all.end(), 0);
    return all;
  });
  add_from(widened.space, [&](const space::Space& space) {
    std::mt19937_64 random(seed);
    return space.sample_distinct(std::min<std::size_t>(kSamples, space.size()), random);
  });
  return out;
}

// The tunables that the original has too: the order of some sums depends on them.
Config of_original(const ir::Sequence& original, const Config& config) {
  Config out;
  for (const ir::Symbol& tunable : original.tunables()) {
    if (const Value* value = config.find(tunable.name)) out.set(tunable.name, *value);
  }
  return out;
}

Expected<Outputs> run(const ir::Sequence& sequence, const RandomCall& call, const Config& config) {
  const std::vector<Input> inputs(call.inputs.begin(), call.inputs.end());
  std::vector<Argument> arguments;
  for (const auto& [name, bits] : call.arguments) arguments.push_back({name, bits});
  return interpreter().dispatch(sequence,
                                {.inputs = inputs, .arguments = arguments, .config = &config});
}

bool is_nan(std::uint32_t bits) { return (bits & 0x7fffffffU) > 0x7f800000U; }

// Bits must be equal; which NaN a NaN is, the language does not say.
std::string first_difference(const ir::Sequence& original, const Outputs& got,
                             const Outputs& expected) {
  std::size_t k = 0;
  for (const ir::Buffer& buffer : original.def().buffers) {
    if (!ir::gives_output(buffer.access)) continue;
    const auto a = values_of<std::uint32_t>(got.at(k));
    const auto b = values_of<std::uint32_t>(expected.at(k++));
    if (a.size() != b.size()) return buffer.name + " has another size";
    const bool is_float = buffer.element == ir::Scalar::f32;
    for (std::size_t i = 0; i < a.size(); ++i) {
      if (a[i] == b[i] || (is_float && is_nan(a[i]) && is_nan(b[i]))) continue;
      return fmt::format("{}[{}] is 0x{:08x}, not 0x{:08x}", buffer.name, i, a[i], b[i]);
    }
  }
  return "";
}

void expect_equal(const RandomChain& chain, const fuse::Widened& widened, const Config& config,
                  const RandomCall& call) {
  const std::string where =
      fmt::format("seed {}, {}, rows {}, cols {}\n{}", chain.seed, to_string(config),
                  call.arguments[0].second, call.arguments[1].second, chain.text);
  const auto expected = run(chain.sequence, call, of_original(chain.sequence, config));
  ASSERT_TRUE(expected) << expected.error().message << "\n" << where;
  const auto got = run(widened.sequence, call, config);
  ASSERT_TRUE(got) << got.error().message << "\n" << where;
  EXPECT_EQ(first_difference(chain.sequence, *got, *expected), "") << where;
}

void expect_all_equal(const RandomChain& chain, const fuse::Widened& widened) {
  std::mt19937_64 random(chain.seed);
  const auto any_size = [&] { return static_cast<std::uint32_t>(1 + random() % 19); };
  const std::pair<std::uint32_t, std::uint32_t> sizes[] = {
      {1, 1}, {7, 5}, {any_size(), any_size()}};
  const auto configs = configurations(widened, chain.seed);
  for (const auto& [rows, cols] : sizes) {
    const RandomCall call = random_call(chain, rows, cols);
    for (const Config& config : configs) {
      expect_equal(chain, widened, config, call);
      if (::testing::Test::HasFailure()) return;
    }
  }
}

struct Found {
  std::map<fuse::Kind, std::uint32_t> legal;
  std::map<std::string, std::uint32_t> refused;  // by rule
  std::uint32_t into_strips = 0;                 // inlined into a step that keeps sums in an array

  void add(const RandomChain& chain, const fuse::Widened& widened) {
    for (const fuse::Link& link : widened.links) {
      for (const fuse::Kind kind : link.kinds) ++legal[kind];
      for (const auto& [kind, refusal] : link.refused) ++refused[refusal.rule];
      const bool is_inlined =
          std::ranges::find(link.kinds, fuse::Kind::inline_) != link.kinds.end();
      if (is_inlined && has_array(chain.sequence.def(), link.first + 1)) ++into_strips;
    }
  }

  static bool has_array(const ir::SequenceDef& def, std::uint32_t step) {
    return std::ranges::any_of(
        def.programs[def.steps[step].program].buffers,
        [](const ir::Buffer& b) { return b.access == ir::Access::private_; });
  }
};

TEST(RandomChains, GiveTheSameBitsUnderEveryPlan) {
  const std::uint32_t count = cases(300, 10'000, 20);
  Found found;
  for (std::uint64_t seed = 0; seed < count && !HasFailure(); ++seed) {
    const RandomChain chain = random_chain(seed);
    const auto widened = fuse::widen(chain.sequence);
    ASSERT_TRUE(widened) << "seed " << seed << ": " << widened.error().message;
    expect_all_equal(chain, *widened);
    found.add(chain, *widened);
  }
  // Chains that are never fused, or always, would test nothing.
  for (const auto kind :
       {fuse::Kind::inline_, fuse::Kind::epilogue, fuse::Kind::merge, fuse::Kind::rows}) {
    EXPECT_GE(found.legal[kind], count / 15) << fuse::to_string(kind);
  }
  EXPECT_GE(found.refused.size(), 10U);
  EXPECT_GE(found.into_strips, count / 60);
}

}  // namespace
}  // namespace vyre::testing::random_chain_tests
