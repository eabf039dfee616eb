// A chain of steps that a test joins with one kind of join, all into one program.

#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "fuse/stage.h"
#include "testing/joined.h"

namespace vyre::testing {

struct JoinedChain {
  ir::SequenceDef sequence;
  std::expected<fuse::Stage, fuse::Refusal> joined;  // all steps, or the first refusal
};

using Join = std::expected<fuse::Stage, fuse::Refusal> (*)(const fuse::Stage&, const fuse::Stage&,
                                                           const fuse::JoinContext&);

// The text must be that of a valid sequence.
inline JoinedChain join_chain(const std::string& text, Join join) {
  JoinedChain out;
  auto sequence = ir::parse(text);
  EXPECT_TRUE(sequence.has_value()) << (sequence ? "" : sequence.error().message) << text;
  if (!sequence) return out;
  for (const Error& error : ir::validate(*sequence)) ADD_FAILURE() << error.message << text;
  out.sequence = *std::move(sequence);
  out.joined = fuse::instantiate(out.sequence, 0);
  for (std::uint32_t k = 1; k < out.sequence.steps.size() && out.joined; ++k) {
    const auto next = fuse::instantiate(out.sequence, k);
    EXPECT_TRUE(next.has_value()) << next.error().why;
    if (next) out.joined = join(*out.joined, *next, context_of(out.sequence, 0, k));
  }
  return out;
}

// The same after changes of the text: each replaces the first occurrence.
using Changes = std::vector<std::pair<std::string, std::string>>;
inline JoinedChain join_chain(std::string text, const Changes& changes, Join join) {
  for (const auto& [from, to] : changes) {
    const std::size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    if (at != std::string::npos) text.replace(at, from.size(), to);
  }
  return join_chain(text, join);
}

// The joined program, or why there is none.
inline std::string text_of(const JoinedChain& chain) {
  return chain.joined ? ir::print(chain.joined->program)
                      : chain.joined.error().rule + ": " + chain.joined.error().why;
}

// The joined chain gives the same bits for these sizes and configurations.
inline void expect_same_bits(const JoinedChain& chain,
                             const std::vector<std::vector<Argument>>& sizes,
                             const std::vector<Config>& configs = {Config{}}) {
  ASSERT_TRUE(chain.joined.has_value()) << text_of(chain);
  const auto last = static_cast<std::uint32_t>(chain.sequence.steps.size() - 1);
  const ir::SequenceDef joined = with_joined(chain.sequence, 0, last, *chain.joined);
  std::uint64_t seed = 1;
  for (const auto& arguments : sizes) {
    for (const Config& config : configs) {
      EXPECT_EQ(difference_of(chain.sequence, joined, arguments, config, ++seed), "")
          << arguments[0].name << " = " << arguments[0].bits << ", " << to_string(config) << "\n"
          << text_of(chain);
    }
  }
}

}  // namespace vyre::testing
