#include "base/files/whole_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "testing/temporary_folder.h"

namespace vyre {
namespace {

namespace fs = std::filesystem;

TEST(Files, WhatIsWrittenIsReadBack) {
  const testing::TemporaryFolder folder;
  for (const std::size_t size : {0UL, 1UL, 4096UL, 3'000'000UL}) {
    const std::string bytes(size, '\xfe');
    ASSERT_TRUE(write_file_atomically(folder / "f", bytes));
    EXPECT_EQ(read_file(folder / "f", size), bytes) << size;
  }
  EXPECT_EQ(folder.names(), std::vector<std::string>{"f"});
}

TEST(Files, AFileAboveTheLimitIsAnErrorThatNamesIt) {
  const testing::TemporaryFolder folder;
  ASSERT_TRUE(write_file_atomically(folder / "f", "12345"));
  const auto read = read_file(folder / "f", 4);
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().kind, ErrorKind::bad_inputs);
  EXPECT_TRUE(read.error().message.ends_with("/f\" is larger than the limit of 4 bytes"))
      << read.error().message;
}

// Files of the kernel's have a size of 0 and content.
TEST(Files, TheSizeIsOnlyAHint) {
  EXPECT_NE(read_file("/proc/self/maps", std::size_t{1} << 24U).value_or(""), "");
  const auto cut = read_file("/proc/self/maps", 10);
  ASSERT_FALSE(cut);
  EXPECT_EQ(cut.error().message, "\"/proc/self/maps\" is larger than the limit of 10 bytes");
}

TEST(Files, ANameThatIsNearlyRightGetsAdvice) {
  const testing::TemporaryFolder folder;
  std::ofstream(folder / "twice.json") << "x";
  const std::string typed = (folder / "twise.json").string();
  EXPECT_EQ(
      read_named_file(typed, 9).error().message,
      "cannot open \"" + typed + "\": No such file or directory; did you mean \"twice.json\"?");
  EXPECT_EQ(read_named_file(folder / "twice.json", 9), "x");
  for (const fs::path& path : {folder / "else.csv", folder / "no" / "twice.json"}) {
    EXPECT_TRUE(read_named_file(path, 9).error().message.ends_with("No such file or directory"));
  }
}

// A message shows the whole name, however deep the file lies.
TEST(Files, NamesInMessagesAreWhole) {
  const testing::TemporaryFolder folder;
  const fs::path path = folder / std::string(100, 'a') / std::string(100, 'b') / "f";
  EXPECT_NE(read_file(path, 9).error().message.find(path.string() + "\""), std::string::npos);
}

// A reader of a pipe waits for a writer, and a device may have no end.
TEST(Files, OnlyPlainFilesAreOpened) {
  const testing::TemporaryFolder folder;
  ASSERT_EQ(::mkfifo((folder / "pipe").c_str(), 0600), 0);
  fs::create_symlink(folder / "pipe", folder / "link");
  for (const fs::path& path : {folder / "pipe", folder / "link", fs::path("/dev/zero"),
                               fs::path("/dev/null"), folder.path()}) {
    const auto read = read_file(path, 1000);
    ASSERT_FALSE(read);
    EXPECT_EQ(read.error().kind, ErrorKind::io);
    EXPECT_EQ(read.error().message,
              "cannot read \"" + path.string() + "\": it is no ordinary file; choose another");
  }
}

TEST(Files, LinksAreFollowedOnlyWhereTheyMayBe) {
  const testing::TemporaryFolder folder;
  ASSERT_TRUE(write_file_atomically(folder / "f", "bytes"));
  fs::create_symlink(folder / "f", folder / "link");
  EXPECT_EQ(read_file(folder / "link", 10), "bytes");
  const auto refused = read_file(folder / "link", 10, Links::refuse);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message, "cannot open \"" + (folder / "link").string() +
                                         "\": Too many levels of symbolic links");
}

// A file of 1 TiB, most of it a hole, is refused by its size.
TEST(Files, AFileAboveTheLimitIsNotEvenRead) {
  const testing::TemporaryFolder folder;
  ASSERT_TRUE(write_file_atomically(folder / "f", "1"));
  ASSERT_EQ(::truncate((folder / "f").c_str(), off_t{1} << 40U), 0);
  EXPECT_FALSE(read_file(folder / "f", std::size_t{1} << 39U));
}

TEST(Files, WhatTheSystemRefusesIsSaid) {
  const testing::TemporaryFolder folder;
  const auto missing = read_file(folder / "none", 10);
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().kind, ErrorKind::io);
  EXPECT_TRUE(missing.error().message.starts_with("cannot open \"")) << missing.error().message;
  EXPECT_TRUE(missing.error().message.ends_with("No such file or directory"));

  const auto directory = read_file(folder.path(), 10);
  ASSERT_FALSE(directory);
  EXPECT_TRUE(directory.error().message.starts_with("cannot read \"")) << directory.error().message;
}

TEST(Files, WhatCannotBeWrittenIsKnownBefore) {
  const testing::TemporaryFolder folder;
  const auto message = [](const fs::path& path) {
    const auto checked = check_writable(path);
    return checked ? std::string() : checked.error().message;
  };
  const auto ends_with = [&](const fs::path& path, const std::string& end) {
    EXPECT_TRUE(message(path).starts_with("cannot write \"")) << message(path);
    EXPECT_TRUE(message(path).ends_with(end)) << message(path);
  };
  EXPECT_EQ(message(folder / "new"), "");
  EXPECT_EQ(message("new"), "") << "here";
  EXPECT_TRUE(folder.names().empty()) << "nothing is made";
  ends_with(folder.path() / "no" / "f", "; make it or choose another place");
  ends_with(folder.path(), ": it is no ordinary file; choose another name");
  ends_with("/dev/null", ": it is no ordinary file; choose another name");
  fs::create_directory(folder / "closed");
  fs::permissions(folder.path(), fs::perms(0755));
  fs::permissions(folder / "closed", fs::perms(0555));
  const uid_t self = ::geteuid();
  ASSERT_EQ(::seteuid(self == 0 ? 65534 : self), 0) << "nothing is closed to root";
  ends_with(folder / "closed" / "f", ": Permission denied; choose another place");
  ASSERT_EQ(::seteuid(self), 0);
}

TEST(Files, AFailedWriteLeavesNothingBehind) {
  const testing::TemporaryFolder folder;
  fs::create_directory(folder / "taken");
  fs::create_directory(folder / "taken" / "inside");  // so that rename cannot replace it
  const auto written = write_file_atomically(folder / "taken", "bytes");
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().kind, ErrorKind::io);
  EXPECT_TRUE(written.error().message.starts_with("cannot write \"")) << written.error().message;
  EXPECT_EQ(folder.names(), std::vector<std::string>{"taken"});
  EXPECT_FALSE(write_file_atomically(folder / "no" / "such" / "folder", "bytes"));
}

}  // namespace
}  // namespace vyre
