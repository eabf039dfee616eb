// Every program that differs from another in a single place has another fingerprint.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "testing/mutants.h"
#include "vyre/program.h"

namespace vyre::ir {
namespace {

// The programs of all golden texts.
std::vector<Program> golden_programs() {
  std::vector<Program> programs;
  const auto folder = std::filesystem::path(VYRE_SOURCE_DIR) / "tests" / "golden" / "ir";
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    std::stringstream text;
    text << std::ifstream(entry.path()).rdbuf();
    auto sequence = parse(text.str());
    EXPECT_TRUE(sequence.has_value()) << entry.path();
    if (!sequence) continue;
    for (Program& program : sequence->programs) programs.push_back(std::move(program));
  }
  return programs;
}

// Names count for equality but not for fingerprints: without them, two programs that are not equal
// mean different things.
Program without_names(Program program) {
  program.name.clear();
  for (Buffer& buffer : program.buffers) buffer.name.clear();
  for (Variable& variable : program.variables) variable = {"", variable.type, false};
  for (Symbol& symbol : program.symbols) {
    if (symbol.kind != SymbolKind::tunable) symbol.name.clear();
  }
  for (Stmt& stmt : program.stmts) stmt.name.clear();
  return program;
}

TEST(FingerprintOfMutants, AreAllDifferent) {
  std::size_t valid = 0;
  for (const Program& program : golden_programs()) {
    std::map<Fingerprint, testing::Mutant> seen;
    seen.emplace(fingerprint(program), testing::Mutant{"none", program});
    for (testing::Mutant& mutant : testing::mutants(program)) {
      if (!validate(mutant.program).empty()) continue;
      ++valid;
      const auto [other, is_new] = seen.emplace(fingerprint(mutant.program), mutant);
      const bool same =
          !is_new && without_names(mutant.program) == without_names(other->second.program);
      EXPECT_TRUE(is_new || same) << program.name << ": " << mutant.change << "\n and "
                                  << other->second.change << "\n"
                                  << print(mutant.program);
    }
  }
  EXPECT_GT(valid, 500U);
}

}  // namespace
}  // namespace vyre::ir
