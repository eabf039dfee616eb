#include "vyre/recording.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "base/files/whole_file.h"
#include "base/gzip.h"
#include "recording/t4_test_text.h"
#include "testing/temporary_folder.h"

namespace vyre::recording {
namespace {

TEST(ReadRecording, KnowsTheFormatByContent) {
  const testing::TemporaryFolder folder;
  const std::string csv = "x,time_ms\n1,2\n";
  const std::string t4 = "\xef\xbb\xbf \n" + document(row_with(""));
  for (const std::string& text : {csv, t4, *gzip(csv), *gzip(t4)}) {
    ASSERT_TRUE(write_file_atomically(folder / "misnamed.txt", text));
    const auto r = read_recording(folder / "misnamed.txt");
    ASSERT_TRUE(r) << r.error().message;
    EXPECT_EQ(r->rows.size(), 1U);
  }
}

TEST(ReadRecording, LimitsHoldAndAreNamed) {
  const testing::TemporaryFolder folder;
  const auto message_of = [&](const std::string& bytes, const FileLimits& limits) {
    EXPECT_TRUE(write_file_atomically(folder / "f", bytes));
    const auto r = read_recording(folder / "f", limits);
    EXPECT_FALSE(r);
    const std::string message = r ? "" : r.error().message;
    return message.substr(std::min(message.find("/f\"") + 3, message.size()));
  };
  const std::string bomb = *gzip(std::string(20'000'000, ' '));
  const FileLimits small{.file_bytes = 100'000, .unpacked_bytes = 1'000'000};
  EXPECT_EQ(message_of(bomb, small), ": gzip: unpacks to more than the limit of 1000000 bytes");
  EXPECT_EQ(message_of(std::string(100'001, ' '), small),
            " is larger than the limit of 100000 bytes");
  EXPECT_EQ(message_of(bomb.substr(0, bomb.size() / 2), {}),
            ": gzip: cut off; the file is incomplete");
}

}  // namespace
}  // namespace vyre::recording
