// Programs that differ in names only share an analysis; all others have their own.

#include "bounds/analysis_cache.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>

namespace vyre::bounds {
namespace {

ir::Program program_from(const std::string& from, const std::string& to) {
  std::string text = R"(program copy {
    shape n: u32
    tunable items: u32 = 1u in 1u, 2u
    read x: f32[n]
    write y: f32[n]
    workgroup [64u]
    grid [(n + 64u * items - 1u) / (64u * items)]
    for k: u32 in 0u .. items {
      let i: u32 = global_id(0) * items + k
      if i < n { y[i] = x[i] }
    }
  })";
  const std::size_t at = text.find(from);
  if (at != std::string::npos) text.replace(at, from.size(), to);
  return *ir::parse_program(text);
}

struct KeyCase {
  const char* name;
  std::string from;
  std::string to;
  bool is_shared;
};

TEST(AnalysisCache, SharesWhatDiffersInNamesOnly) {
  const KeyCase cases[] = {
      {"the same", "", "", true},
      {"the program's name", "program copy", "program other", true},
      {"a constant", "y[i] = x[i]", "y[i + 1u] = x[i]", false},
      {"a value of a tunable", "1u, 2u", "1u, 4u", false},
      {"a default", "u32 = 1u", "u32 = 2u", false},
      {"the workgroup", "workgroup [64u]", "workgroup [32u]", false},
      {"the grid", "grid [(n + 64u", "grid [(n + 65u", false},
      {"a length", "write y: f32[n]", "write y: f32[n + 1u]", false},
      {"the access of a buffer", "write y", "read_write y", false},
      {"a condition", "i < n", "i <= n", false},
  };
  const ir::Program first = program_from("", "");
  for (const KeyCase& c : cases) {
    const AnalysisCache cache;
    const Accesses a(first);
    const Accesses b(program_from(c.from, c.to));
    EXPECT_EQ(&a.all() == &b.all(), c.is_shared) << c.name;
  }
}

TEST(AnalysisCache, NamesOfSymbolsMatter) {
  const AnalysisCache cache;
  ir::Program program = program_from("", "");
  const Accesses first(program);
  program.variables[0].name = "other";
  program.buffers[0].name = "another";
  EXPECT_EQ(&Accesses(program).all(), &first.all());
  program.symbols[0].name = "m";
  const Accesses second(program);
  EXPECT_NE(&second.all(), &first.all());
  EXPECT_TRUE(second.symbol("m").is_known());
  EXPECT_FALSE(first.symbol("m").is_known());
}

TEST(AnalysisCache, AssumptionsMatter) {
  const AnalysisCache cache;
  const ir::Program program = program_from("", "");
  const Accesses first(program);
  std::vector<Assumptions> all(4);
  all[0].most_length = 100;
  all[1].most_tunable = 100;
  all[2].opaque = {1};
  all[3].workgroup = {64, 1, 1};
  for (const Assumptions& a : all) EXPECT_NE(&Accesses(program, a).all(), &first.all());
}

// The analysis lives as long as one of those that use it, and knows its program.
TEST(AnalysisCache, OutlivesProgramsAndCaches) {
  std::optional<Accesses> kept;
  {
    const AnalysisCache cache;
    const Accesses first(program_from("", ""));
    for (std::uint32_t k = 0; k < 20; ++k) {
      const Accesses other(program_from("64u]", std::to_string(k + 1) + "u]"));
      EXPECT_NE(&other.all(), &first.all());
    }
    const Accesses again(program_from("", ""));
    EXPECT_NE(&again.all(), &first.all());  // the others came in between
    kept.emplace(program_from("program copy", "program same"));
    EXPECT_EQ(&kept->all(), &again.all());
  }
  EXPECT_TRUE(kept->symbol("n").is_known());
  EXPECT_TRUE(kept->covers_buffer(1));
}

TEST(AnalysisCache, WithoutACacheNothingIsShared) {
  const ir::Program program = program_from("", "");
  const Accesses a(program);
  const Accesses b(program);
  EXPECT_NE(&a.all(), &b.all());
}

}  // namespace
}  // namespace vyre::bounds
