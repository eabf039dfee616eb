// The example of docs/t1.md is a problem that loads.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/files/whole_file.h"
#include "testing/temporary_folder.h"
#include "vyre/problem.h"

namespace vyre {
namespace {

// The first block of the document in that language.
std::string block(const std::string& document, const std::string& language) {
  const std::string fence = "```" + language + "\n";
  const std::size_t begin = document.find(fence);
  if (begin == std::string::npos) return "";
  const std::size_t from = begin + fence.size();
  return document.substr(from, document.find("```", from) - from);
}

TEST(T1Document, ItsExampleLoads) {
  const auto document =
      read_file(std::filesystem::path(VYRE_SOURCE_DIR) / "docs/t1.md", std::size_t{1} << 20U);
  ASSERT_TRUE(document) << document.error().message;
  const testing::TemporaryFolder folder;
  ASSERT_TRUE(write_file_atomically(folder / "smooth.cl", block(*document, "c")));
  ASSERT_TRUE(write_file_atomically(folder / "smooth.json", block(*document, "json")));
  const auto problem = load_problem(folder / "smooth.json");
  ASSERT_TRUE(problem) << problem.error().message;
  EXPECT_THAT(problem->warnings, ::testing::IsEmpty());
  EXPECT_EQ(problem->asked.seconds, 5);
  EXPECT_EQ(problem->asked.evaluations, 10U);
  EXPECT_GT(problem->space.size(), 10U);
}

}  // namespace
}  // namespace vyre
