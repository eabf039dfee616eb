// Applications that are killed while they tune: the next start goes on where they were.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <fstream>
#include <random>
#include <thread>

#include "child.h"
#include "testing/journals.h"
#include "testing/soak.h"
#include "testing/temporary_folder.h"
#include "testing/tuned_programs.h"
#include "vyre/decisions.h"

namespace vyre::faults {
namespace {

namespace fs = std::filesystem;
using ::testing::Contains;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using testing::TemporaryFolder;

constexpr std::size_t kKeys = 4;
using Lines = std::vector<std::string>;

Child start(const TemporaryFolder& folder) {
  return Child({"--application", folder.path().native(), std::to_string(kKeys)});
}

// Bytes of the journals that are there.
std::uintmax_t journal_bytes(const TemporaryFolder& folder) {
  std::uintmax_t out = 0;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder / "journals", error)) {
    const auto bytes = fs::file_size(entry, error);
    if (!error) out += bytes;
  }
  return out;
}

// Every key once: what was saved is never tuned again.
void expect_each_tuned_once(const Lines& lines) {
  const auto tuned = std::ranges::count_if(
      lines, [](const std::string& line) { return line.starts_with("\"busy\": tuned"); });
  EXPECT_EQ(static_cast<std::size_t>(tuned), kKeys);
}

TEST(KilledWhileTuning, TheNextStartGoesOnFromTheJournal) {
  const TemporaryFolder folder;
  Lines lines;
  {
    const Child child = start(folder);
    // The first line names the campaign; more is measured.
    for (int k = 0; k < 5000 && journal_bytes(folder) < 1500; ++k) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    child.kill();
    EXPECT_EQ(child.wait(lines), -1);
  }
  ASSERT_GE(journal_bytes(folder), 1500U);
  const Child child = start(folder);
  EXPECT_EQ(child.wait(lines), 0);
  expect_each_tuned_once(lines);
  EXPECT_THAT(lines, Contains(ContainsRegex("8 configurations tried, [1-8] of them before")));
  EXPECT_TRUE(testing::all_are_finished(folder / "journals"));
}

TEST(KilledWhileTuning, AtAnyMomentNothingIsLost) {
  const std::uint32_t rounds = testing::cases(2, 40);
  std::mt19937 random(1);
  std::uniform_int_distribution<int> delay_ms(0, 150);
  for (std::uint32_t round = 0; round < rounds; ++round) {
    const TemporaryFolder folder;
    Lines lines;
    for (int kills = 0; kills < 5; ++kills) {
      const Child child = start(folder);
      std::this_thread::sleep_for(std::chrono::milliseconds(delay_ms(random)));
      child.kill();
      child.wait(lines);
    }
    const Child child = start(folder);
    EXPECT_EQ(child.wait(lines), 0);
    for (const std::string& line : lines) EXPECT_THAT(line, HasSubstr("\"busy\""));
    const auto cache = DecisionCache::open(
        {.adapter = safe_name(open_reference()->info()), .folder = folder / "tuner"});
    EXPECT_EQ(cache.size(), kKeys);
    EXPECT_FALSE(cache.load_error());
    EXPECT_TRUE(testing::all_are_finished(folder / "journals"));
  }
}

}  // namespace
}  // namespace vyre::faults
