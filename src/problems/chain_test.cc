#include "problems/chain.h"

#include <gtest/gtest.h>

namespace vyre {
namespace {

ir::Sequence sequence_of(const std::string& text) {
  auto def = ir::parse(text);
  EXPECT_TRUE(def) << def.error().message;
  auto sequence = ir::Sequence::make(*std::move(def));
  EXPECT_TRUE(sequence) << sequence.error().message;
  return *std::move(sequence);
}

const std::string kDeclarations =
    "shape n: u32 = 100u scalar a: f32 scalar b: bool tunable t: u32 = 2u in 1u, 2u, 4u "
    "tunable fixed: u32 = 3u tunable flag: bool = true in true, false ";

ir::Sequence chain(const std::string& declarations = kDeclarations) {
  return sequence_of("program p { " + declarations +
                     "read x: f32[n] read_write y: u32[2u * n] y[0u] = t + fixed + u32(flag) }");
}

TEST(ChainProblem, HasSizesDataScalarsAndTheTunablesWithValues) {
  const auto problem = chain_problem(chain());
  ASSERT_TRUE(problem) << problem.error().message;
  EXPECT_EQ(problem->name, "p");
  EXPECT_EQ(problem->space.size(), 6U);
  EXPECT_EQ(to_string(problem->space.config_at(problem->default_index)), "t=2, flag=true");
  EXPECT_EQ(problem->sizes, (std::map<std::string, double>{{"n", 100}}));
  ASSERT_EQ(problem->arguments.size(), 3U);
  EXPECT_EQ(problem->arguments[0], (std::pair<std::string, std::uint64_t>{"n", 100}));
  EXPECT_EQ(problem->arguments[2].second, 1U);
  ASSERT_EQ(problem->inputs->size(), 2U);
  EXPECT_EQ(problem->inputs->at(0).size(), 400U);
  EXPECT_EQ(problem->inputs->at(1).size(), 800U);
  for (const float x : values_of<float>(problem->inputs->at(0))) EXPECT_LE(std::abs(x), 1);
  for (const auto y : values_of<std::uint32_t>(problem->inputs->at(1))) EXPECT_LT(y, 100U);
  EXPECT_EQ(problem->random_inputs, (std::vector<bool>{true, true}));
  EXPECT_EQ(problem->plans, nullptr);
}

TEST(ChainProblem, TakesSizesAndScalars) {
  const auto problem =
      chain_problem(chain(), {.sizes = {{"n", 7}}, .scalars = {{"a", 2}, {"b", false}}});
  ASSERT_TRUE(problem) << problem.error().message;
  EXPECT_EQ(problem->arguments,
            (std::vector<std::pair<std::string, std::uint64_t>>{
                {"n", 7}, {"a", std::bit_cast<std::uint32_t>(2.0F)}, {"b", 0}}));
}

TEST(ChainProblem, FusedHasItsPlans) {
  const auto problem = chain_problem(chain(), {.fuse = true});
  ASSERT_TRUE(problem) << problem.error().message;
  ASSERT_NE(problem->plans, nullptr);
  EXPECT_TRUE(problem->plans->links.empty());
  EXPECT_EQ(problem->sequence.fingerprint(), chain().fingerprint());
}

TEST(ChainProblem, SaysWhatIsWrong) {
  const std::string decides =
      "shape n: u32 scalar a: u32 tunable t: u32 = 1u in 1u, 2u "
      "tunable fixed: u32 = 3u tunable flag: bool = true grid [a] ";
  struct Case {
    std::string declarations;
    ChainOptions options;
    const char* message;
  };
  const Case table[] = {
      {decides, {}, "p: shape \"n\" has no size; give one (--size n=1000), or declare it with one"},
      {decides,
       {.sizes = {{"n", 3}}},
       "p: scalar \"a\" decides a size; give it a value (--set a=1000)"},
      {decides,
       {.sizes = {{"n", 3}}, .scalars = {{"a", -3}}},
       "p: scalar \"a\" cannot be -3; it is a u32"},
  };
  for (const auto& [declarations, options, message] : table) {
    const auto problem = chain_problem(chain(declarations), options);
    ASSERT_FALSE(problem) << message;
    EXPECT_EQ(problem.error().message, message);
  }
}

TEST(LoadChain, NamesTheFile) { EXPECT_FALSE(load_chain("/nowhere/chain.vyre")); }

}  // namespace
}  // namespace vyre
