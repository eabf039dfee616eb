#include <gtest/gtest.h>

#include "ir/rewrite/fold.h"
#include "ir/rewrite/sequence_of.h"
#include "testing/mutate_program.h"
#include "testing/random_program.h"
#include "testing/sample_program.h"
#include "vyre/program.h"

namespace vyre::ir {
namespace {

void expect_well_formed(const std::vector<Error>& errors) {
  EXPECT_LE(errors.size(), 20U);
  for (const Error& error : errors) {
    EXPECT_EQ(error.code.size(), 4U) << error.message;
    EXPECT_LT(error.message.size(), 600U);
    for (const char c : error.message) {
      EXPECT_GE(static_cast<unsigned char>(c), 0x20) << error.message;
    }
  }
}

TEST(ValidateRandom, RandomProgramsAreValid) {
  for (std::uint64_t seed = 0; seed < 2'000; ++seed) {
    const Program program = testing::random_program(seed);
    const auto errors = validate(program);
    ASSERT_TRUE(errors.empty()) << seed << ": " << errors[0].code << " " << errors[0].message
                                << "\n"
                                << print(program);
    ASSERT_EQ(validate(sequence_of(program)), std::vector<Error>{}) << seed;
  }
}

// A damaged program gives errors or is still valid. Nothing crashes, and every valid program can be
// printed, parsed and evaluated.
TEST(ValidateRandom, DamageNeverCrashes) {
  std::size_t valid = 0;
  for (std::uint64_t seed = 0; seed < 20'000; ++seed) {
    Program program =
        seed % 2 == 0 ? testing::sample().program : testing::random_program(seed % 97);
    for (std::uint64_t edit = 0; edit <= seed % 4; ++edit)
      testing::mutate(program, seed * 7 + edit);
    const auto errors = validate(program);
    expect_well_formed(errors);
    if (!errors.empty()) continue;
    ++valid;
    const auto again = parse_program(print(program));
    ASSERT_TRUE(again.has_value()) << again.error().message << "\n" << print(program);
    EXPECT_TRUE(*again == program) << print(program);
    const auto symbols = default_bits(program.symbols);
    for (const ExprId size : program.workgroup) {
      EXPECT_TRUE(size == kNone || fold(program, size, symbols).has_value());
    }
  }
  EXPECT_GT(valid, 100U);
}

TEST(ValidateRandom, DamagedSequencesNeverCrash) {
  for (std::uint64_t seed = 0; seed < 20'000; ++seed) {
    SequenceDef sequence = testing::sample_sequence();
    for (std::uint64_t edit = 0; edit <= seed % 4; ++edit) {
      testing::mutate(sequence, seed * 7 + edit);
    }
    const auto errors = validate(sequence);
    expect_well_formed(errors);
    if (!errors.empty()) continue;
    const auto again = parse(print(sequence));
    ASSERT_TRUE(again.has_value()) << again.error().message << "\n" << print(sequence);
    EXPECT_TRUE(*again == sequence) << print(sequence);
  }
}

}  // namespace
}  // namespace vyre::ir
