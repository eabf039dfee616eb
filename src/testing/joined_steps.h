// The first steps of a sequence joined into one: for the tests of joins.

#pragma once

#include <gtest/gtest.h>

#include <expected>
#include <random>
#include <string>
#include <vector>

#include "testing/joined.h"

namespace vyre::testing {

using Join = std::expected<fuse::Stage, fuse::Refusal> (*)(const fuse::Stage&, const fuse::Stage&,
                                                           const fuse::JoinContext&);

struct JoinedSteps {
  ir::SequenceDef original;
  ir::SequenceDef joined;  // the first steps as one, then the others
  fuse::Stage stage;
};

// Joins the first joins.size() + 1 steps from the left.
inline std::expected<JoinedSteps, fuse::Refusal> join_steps(const std::string& text,
                                                            const std::vector<Join>& joins) {
  auto def = ir::parse(text);
  EXPECT_TRUE(def) << def.error().message;
  if (!def) return std::unexpected(fuse::Refusal{"parse", def.error().message});
  for (const Error& e : ir::validate(*def)) ADD_FAILURE() << e.message;
  auto stage = fuse::instantiate(*def, 0);
  for (std::uint32_t k = 1; k <= joins.size() && stage; ++k) {
    const auto next = fuse::instantiate(*def, k);
    if (!next) return std::unexpected(next.error());
    stage = joins[k - 1](*stage, *next, context_of(*def, 0, k));
  }
  if (!stage) return std::unexpected(stage.error());
  const auto last = static_cast<std::uint32_t>(joins.size());
  return JoinedSteps{*def, with_joined(*def, 0, last, *stage), *stage};
}

// Runs both with random inputs and with random values for the tunables.
inline void expect_same(const JoinedSteps& steps, const std::vector<Argument>& arguments,
                        std::uint64_t seed) {
  std::mt19937_64 random(seed);
  Config config;
  for (const ir::Program& p : steps.original.programs) {
    for (const ir::Symbol& s : p.symbols) {
      if (s.kind != ir::SymbolKind::tunable) continue;
      config.set(s.name, static_cast<std::int64_t>(1 + random() % 4));
    }
  }
  config.set("fused_block", static_cast<std::int64_t>(1 + random() % 4));
  EXPECT_EQ(difference_of(steps.original, steps.joined, arguments, config, seed), "")
      << "seed " << seed << ", " << to_string(config) << "\n"
      << ir::print(steps.stage.program);
}

}  // namespace vyre::testing
