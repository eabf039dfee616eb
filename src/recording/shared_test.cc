// Against the recordings of real GPUs that lie beside the checkout.

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "testing/shared_data.h"
#include "testing/soak.h"
#include "testing/temporary_folder.h"
#include "vyre/recording.h"

namespace vyre::recording {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> files_of(const char* folder) {
  return testing::shared_files(VYRE_SOURCE_DIR, fs::path("search") / folder);
}

// 7 to 19 MB of text each, at a sanitizer's pace: all of them in the long run only.
std::vector<fs::path> t4_files() {
  auto files = files_of("t4");
  files.resize(std::min<std::size_t>(files.size(), testing::cases(1, 100)));
  return files;
}

#define SKIP_IF_NONE(files) \
  if ((files).empty()) GTEST_SKIP() << "the shared recordings are not beside the checkout"

Recording read(const fs::path& path) {
  auto recording = read_recording(path);
  EXPECT_TRUE(recording) << (recording ? "" : recording.error().message);
  return recording.value_or(Recording{});
}

fs::path csv_of(const fs::path& t4) {
  std::string name = t4.filename().string();
  name.replace(name.find("_T4.json"), std::string::npos, ".csv.gz");
  return t4.parent_path().parent_path() / "spaces" / name;
}

TEST(SharedRecordings, EveryCsvIsRead) {
  const auto files = files_of("spaces");
  SKIP_IF_NONE(files);
  for (const fs::path& file : files) {
    const Recording r = read(file);
    EXPECT_GT(r.rows.size(), 4000U) << file;
    for (const space::Parameter& parameter : r.parameters) {
      EXPECT_TRUE(std::ranges::is_sorted(parameter.values)) << file << parameter.name;
    }
  }
}

TEST(SharedRecordings, T4AndCsvHaveTheSameObjectivesToTheLastBit) {
  const auto files = t4_files();
  SKIP_IF_NONE(files);
  for (const fs::path& file : files) {
    const Recording t4 = read(file);
    const Recording csv = read(csv_of(file));
    ASSERT_EQ(t4.parameters, csv.parameters) << file;
    ASSERT_EQ(t4.rows.size(), csv.rows.size()) << file;
    for (std::size_t i = 0; i < t4.rows.size(); ++i) {
      ASSERT_EQ(t4.rows[i].point, csv.rows[i].point) << file << " row " << i;
      ASSERT_EQ(t4.rows[i].time_ms, csv.rows[i].time_ms) << file << " row " << i;
      ASSERT_EQ(t4.rows[i].run_ms.size(), t4.rows[i].status == Status::ok ? 32U : 0U);
    }
    EXPECT_EQ(t4.warnings, std::vector<std::string>{}) << file;
  }
}

TEST(SharedRecordings, TheMeasurementIsTheMeanOfTheRuns) {
  const auto files = files_of("t4");
  SKIP_IF_NONE(files);
  for (const Row& row : read(files.front()).rows) {
    if (row.status != Status::ok) continue;
    const double sum = std::accumulate(row.run_ms.begin(), row.run_ms.end(), 0.0);
    ASSERT_EQ(*row.time_ms, sum / static_cast<double>(row.run_ms.size()));
  }
}

TEST(SharedRecordings, AreTheWholeSpacesOfTheirProblems) {
  const auto files = files_of("t4");
  SKIP_IF_NONE(files);
  for (const fs::path& file : files) {
    const std::string name = file.filename().string();
    const std::string kernel = name.substr(0, name.find("_milo")) + "_milo.json";
    const auto problem = read_t1(file.parent_path().parent_path() / "t1" / kernel);
    ASSERT_TRUE(problem) << problem.error().message;
    const auto space = space::Space::build(problem->space);
    const auto recorded = to_space(read(csv_of(file)));
    ASSERT_TRUE(space && recorded) << file;
    EXPECT_EQ(space->size(), recorded->size()) << file;
    for (std::uint64_t i = 0; i < recorded->size(); ++i) {
      ASSERT_TRUE(space->contains(recorded->config_at(i))) << file << " row " << i;
    }
  }
}

TEST(SharedRecordings, WritingAndReadingIsIdentity) {
  const auto files = t4_files();
  SKIP_IF_NONE(files);
  const testing::TemporaryFolder folder;
  for (const fs::path& file : files) {
    const Recording r = read(file);
    ASSERT_TRUE(write_t4(folder / "again.json.gz", r));
    EXPECT_EQ(read(folder / "again.json.gz"), r) << file;
  }
}

}  // namespace
}  // namespace vyre::recording
