#include "backend/common/binary_store.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>

#include "base/hex.h"
#include "testing/temporary_folder.h"

namespace vyre::backend {
namespace {

namespace fs = std::filesystem;

const Hash kKey = blake3("one");
const Hash kOther = blake3("other");

fs::path file_of(const testing::TemporaryFolder& folder, const Hash& key) {
  return folder / "kernels" / (to_hex(key) + ".bin");
}

unsigned mode_of(const fs::path& path) {
  struct stat info{};
  return ::lstat(path.c_str(), &info) == 0 ? info.st_mode & 0777U : 0;
}

TEST(BinaryStore, GivesBackWhatItKeeps) {
  const testing::TemporaryFolder folder;
  const BinaryStore store(folder / "kernels");
  EXPECT_EQ(store.load(kKey).binary, "");
  EXPECT_FALSE(store.load(kKey).damaged);
  ASSERT_TRUE(store.save(kKey, "binary"));
  EXPECT_EQ(store.load(kKey).binary, "binary");
  EXPECT_EQ(mode_of(folder / "kernels"), 0700U);
  EXPECT_EQ(mode_of(file_of(folder, kKey)), 0600U);
}

// A whole binary under another program's name would be run without a complaint.
TEST(BinaryStore, ABinaryIsBoundToItsKey) {
  const testing::TemporaryFolder folder;
  const BinaryStore store(folder / "kernels");
  ASSERT_TRUE(store.save(kKey, "binary"));
  fs::copy_file(file_of(folder, kKey), file_of(folder, kOther));
  const auto found = store.load(kOther);
  EXPECT_EQ(found.binary, "");
  EXPECT_TRUE(found.damaged);
}

TEST(BinaryStore, WhatIsNoFileOfItsOwnIsDamaged) {
  const testing::TemporaryFolder folder;
  const BinaryStore store(folder / "kernels");
  ASSERT_TRUE(store.save(kKey, "binary"));
  fs::rename(file_of(folder, kKey), folder / "elsewhere");
  fs::create_symlink(folder / "elsewhere", file_of(folder, kKey));
  EXPECT_TRUE(store.load(kKey).damaged) << "a link";
  fs::remove(file_of(folder, kKey));
  ASSERT_EQ(::mkfifo(file_of(folder, kKey).c_str(), 0600), 0);
  EXPECT_TRUE(store.load(kKey).damaged) << "a pipe, without waiting";
  ASSERT_TRUE(store.save(kKey, "fresh"));
  EXPECT_EQ(store.load(kKey).binary, "fresh");
}

TEST(BinaryStore, AnOlderFormIsAMiss) {
  const testing::TemporaryFolder folder;
  const BinaryStore store(folder / "kernels");
  ASSERT_TRUE(store.save(kOther, "binary"));
  std::ofstream(file_of(folder, kKey)) << "vyre binary 1\n" << std::string(64, 'x');
  EXPECT_EQ(store.load(kKey).binary, "");
  EXPECT_FALSE(store.load(kKey).damaged);
}

}  // namespace
}  // namespace vyre::backend
