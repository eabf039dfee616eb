#include "decisions/toml_depth.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "decisions/toml_full.h"
#include "decisions/toml_plain.h"
#include "vyre/decisions.h"

namespace vyre::toml {
namespace {

// `count` of `piece`, with `between` between them.
std::string repeat(std::size_t count, const std::string& piece, const std::string& between = "") {
  std::string out;
  for (std::size_t k = 0; k < count; ++k) {
    if (k != 0) out += between;
    out += piece;
  }
  return out;
}

// All ways to nest `depth` tables or lists.
std::vector<std::string> nested(std::size_t depth) {
  return {repeat(depth + 1, "a", ".") + " = 1\n",
          "[" + repeat(depth, "a", ".") + "]\n",
          "[" + repeat(depth - 2, "a", ".") + "]\nb.\"b\".b = 1\n",
          "[[" + repeat(depth - 1, "a", ".") + "]]\n",
          "a = " + repeat(depth, "[") + repeat(depth, "]") + "\n",
          "a = " + repeat(depth, "{a = ") + "1.5" + repeat(depth, "}") + "\n",
          "[a]\na = " + repeat(depth - 1, "[ ") + "1.5 #]\n" + repeat(depth - 1, "]") + "\n"};
}

TEST(TomlDepth, SixtyFourLevelsAreReadAndOneMoreIsRefused) {
  for (const std::string& text : nested(kMostDepth)) {
    const auto read = read_toml(text, "f", CacheOptions().foreign_limit_bytes);
    ASSERT_TRUE(read) << read.error().message << "\n" << text;
    const std::string printed = print_toml(*read);
    EXPECT_TRUE(read_plain(printed)) << printed;
    EXPECT_EQ(read_full(printed, "f"), *read);
  }
  for (const std::string& text : nested(kMostDepth + 1)) {
    const auto read = read_toml(text, "f", CacheOptions().foreign_limit_bytes);
    ASSERT_FALSE(read) << text;
    EXPECT_TRUE(read.error().message.starts_with("\"f\": line ")) << read.error().message;
    EXPECT_TRUE(read.error().message.ends_with(
        ": more than 64 tables or lists within each other; repair or remove the file"))
        << read.error().message;
  }
}

TEST(TomlDepth, ManyThousandLevelsAreRefusedBeforeTheyAreBuilt) {
  for (const std::size_t depth : {260U, 15'000U, 1'000'000U}) {
    for (const std::string& text : nested(depth)) {
      const auto read = read_toml("x = 1\n" + text, "f", CacheOptions().foreign_limit_bytes);
      ASSERT_FALSE(read) << depth;
      EXPECT_NE(read.error().message.find(": more than 64 tables"), std::string::npos)
          << read.error().message;
    }
  }
}

TEST(TomlDepth, PointsAndBracketsInTextsAndCommentsAreNoLevels) {
  const std::string many = repeat(500, ".[{");
  for (const std::string& text :
       {"a = \"" + many + "\\\"" + many + "\"\n", "a = '" + many + "\\'\n",
        "# " + many + "\na = 1\n",
        "a = \"\"\"\n" + many + "\"\"" + many + "\\\"\"\"\"\"\nb = '''" + many + "'''''\n",
        "a = 1 #" + many, repeat(500, "a.b.c = 1.5\n[[d]]\n")}) {
    EXPECT_EQ(line_beyond_depth(text), std::nullopt) << text;
  }
}

TEST(TomlDepth, KeysBehindTextsAndCommentsAreSeen) {
  const std::string deep = repeat(200, "a", ".") + " = 1\n";
  for (const std::string start :
       {"a = \"\"\"x\"\"\"\"\"\n", "a = '''x'''''\n", "a = ''\n", "a = \"\\\\\"\n", "a = '\\'\n",
        "# \"\n", "a = 1 # '''\n", "a = \"#\"\n", "a = \"unfinished\n", "]}]\n"}) {
    EXPECT_EQ(line_beyond_depth(start + deep), 2U) << start;
  }
}

}  // namespace
}  // namespace vyre::toml
