// Disks and files that are not as they should be: a clear error or a safe name, the user's file
// untouched, and a cache that goes on working from memory.

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <random>

#include "base/files/whole_file.h"
#include "saver.h"
#include "testing/soak.h"
#include "testing/temporary_folder.h"

namespace vyre::faults {
namespace {

using ::testing::HasSubstr;
using testing::TemporaryFolder;

constexpr std::size_t kMost = std::size_t{1} << 20U;

// A new file: emptying an old one makes some file systems wait for the disk.
void write_text(const std::filesystem::path& file, std::string_view text) {
  std::filesystem::remove(file);
  std::ofstream(file, std::ios::binary) << text;
}

// A file with some of everything.
std::string usual_text() {
  const TemporaryFolder folder;
  auto cache = DecisionCache::open(options_for(folder.path()));
  for (std::uint64_t n = 0; n < 4; ++n) cache.offer(key(n), decision(n));
  cache.offer(*parse_key("v1-" + std::string(64, 'a')), {.config = workgroup_config({64, 1, 1})});
  EXPECT_TRUE(cache.save());
  return *read_file(folder / "gpu.toml", kMost);
}

// The cache works from memory, says what is wrong when saving, and leaves the file alone.
void expect_refused(const TemporaryFolder& folder, const CacheOptions& options,
                    const std::string& message) {
  auto cache = DecisionCache::open(options);
  cache.offer(key(1), decision(1));
  EXPECT_TRUE(cache.find(key(1)));
  const auto saved = cache.save();
  ASSERT_FALSE(saved);
  EXPECT_THAT(saved.error().message, HasSubstr(message));
  EXPECT_EQ(saved.error().message.find('\n'), std::string::npos);
  for (const std::string& name : folder.names()) EXPECT_FALSE(name.ends_with(".tmp")) << name;
}

TEST(Files, TruncatedAnywhereIsReadOrRefused) {
  const std::string text = usual_text();
  const TemporaryFolder folder;
  const auto file = folder / "gpu.toml";
  for (std::size_t length = 0; length < text.size(); ++length) {
    const std::string part = text.substr(0, length);
    write_text(file, part);
    auto cache = DecisionCache::open(options_for(folder.path()));
    cache.offer(key(9), decision(9));
    const bool refused = cache.load_error().has_value();
    if (length % 16 != 0) continue;  // saving costs an fsync
    EXPECT_EQ(cache.save().has_value(), !refused) << length;
    EXPECT_TRUE(!refused || *read_file(file, kMost) == part);
  }
}

TEST(Files, FlippedBytesAreReadOrRefused) {
  const std::string text = usual_text();
  const TemporaryFolder folder;
  const auto file = folder / "gpu.toml";
  std::mt19937 random(1);
  for (std::uint32_t round = 0; round < testing::cases(300, 100'000); ++round) {
    std::string flipped = text;
    flipped[random() % text.size()] ^= static_cast<char>(1U << (random() % 8));
    write_text(file, flipped);
    auto cache = DecisionCache::open(options_for(folder.path()));
    if (!cache.load_error() || round % 8 != 0) continue;
    cache.offer(key(9), decision(9));
    EXPECT_FALSE(cache.save());
    EXPECT_EQ(*read_file(file, kMost), flipped);
  }
}

TEST(Files, DealtWithTheFileIsUsedAgain) {
  const TemporaryFolder folder;
  write_text(folder / "gpu.toml", "no toml");
  auto cache = DecisionCache::open(options_for(folder.path()));
  ASSERT_TRUE(cache.load_error());
  EXPECT_THAT(cache.load_error()->message, HasSubstr("gpu.toml\": line 1: "));
  cache.offer(key(1), decision(1));
  EXPECT_FALSE(cache.save());
  std::filesystem::remove(folder / "gpu.toml");
  ASSERT_TRUE(cache.save());
  EXPECT_FALSE(cache.load_error());
  EXPECT_EQ(DecisionCache::open(options_for(folder.path())).size(), 1U);
}

TEST(Files, GarbageBeyondTheLimitIsNotEvenRead) {
  const TemporaryFolder folder;
  const auto file = folder / "gpu.toml";
  write_text(file, "x");
  ASSERT_EQ(::truncate(file.c_str(), 300'000'000), 0);  // sparse
  expect_refused(folder, options_for(folder.path()),
                 "has 300000000 bytes, more than the limit of 268435456; prune it or raise");
  // Exactly the limit is accepted, as far as size goes.
  const std::string text = usual_text();
  write_text(file, text);
  auto options = options_for(folder.path());
  options.limit_bytes = text.size();
  EXPECT_FALSE(DecisionCache::open(options).load_error());
  options.limit_bytes = text.size() - 1;
  EXPECT_TRUE(DecisionCache::open(options).load_error());
}

TEST(Files, BytesThatAreNoTextAreRefused) {
  const TemporaryFolder folder;
  for (const std::string_view bytes :
       {std::string_view("\xff\xfe\x00\x01", 4), std::string_view("a = \"\xff\"\n"),
        std::string_view("\0\0\0\0", 4)}) {
    write_text(folder / "gpu.toml", bytes);
    expect_refused(folder, options_for(folder.path()), "repair or remove the file");
    EXPECT_EQ(*read_file(folder / "gpu.toml", kMost), bytes);
  }
}

TEST(Files, AFolderInPlaceOfTheFileIsRefused) {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder / "gpu.toml");
  expect_refused(folder, options_for(folder.path()), "gpu.toml\" is not a file; move it away");
}

TEST(Files, LinksAreNotFollowedToWriteElsewhere) {
  const TemporaryFolder folder;
  const TemporaryFolder elsewhere;
  write_text(elsewhere / "precious", "");
  std::filesystem::create_symlink(elsewhere / "precious", folder / "gpu.toml");
  expect_refused(
      folder, options_for(folder.path()),
      "is a symbolic link; decisions are not written through links: put the file itself");
  std::filesystem::remove(folder / "gpu.toml");
  std::filesystem::remove(folder / "gpu.toml.lock");
  std::filesystem::create_symlink(elsewhere / "new", folder / "gpu.toml.lock");
  expect_refused(folder, options_for(folder.path()), "cannot lock");
  EXPECT_EQ(elsewhere.names(), std::vector<std::string>{"precious"});
  EXPECT_EQ(*read_file(elsewhere / "precious", kMost), "");
}

TEST(Files, APipeInPlaceOfTheFileDoesNotHang) {
  const TemporaryFolder folder;
  ASSERT_EQ(::mkfifo((folder / "gpu.toml").c_str(), 0600), 0);
  expect_refused(folder, options_for(folder.path()), "is not a file; move it away");
}

TEST(Files, AFileInPlaceOfTheFolderIsRefused) {
  const TemporaryFolder folder;
  write_text(folder / "vyre", "");
  expect_refused(folder, options_for(folder / "vyre/tuner"), "cannot");
}

TEST(Files, OddAdapterNamesStayInTheirFolder) {
  const TemporaryFolder folder;
  std::filesystem::create_directories(folder / "a/b");
  for (const std::string& adapter :
       {std::string("../../x"), std::string("/etc/x"), std::string("."), std::string(".."),
        std::string("new\nline \"quoted\""), std::string("\0", 1), std::string(4000, 'y')}) {
    auto options = options_for(folder / "a/b");
    options.adapter = adapter;
    auto cache = DecisionCache::open(options);
    cache.offer(key(1), decision(1));
    EXPECT_TRUE(cache.save());
    EXPECT_EQ(cache.file().parent_path(), folder / "a/b");
    EXPECT_EQ(DecisionCache::open(options).size(), 1U);
  }
  EXPECT_EQ(folder.names(), std::vector<std::string>{"a"});
}

TEST(Files, OrphansAreRemovedAndNothingElse) {
  const TemporaryFolder folder;
  for (const char* name : {"gpu.toml.123.0.tmp", "gpu.toml.99999.7.tmp", "other.toml.1.0.tmp",
                           "gpu.tomlx", "notes.tmp"}) {
    write_text(folder / name, "x");
  }
  auto cache = DecisionCache::open(options_for(folder.path()));
  cache.offer(key(1), decision(1));
  ASSERT_TRUE(cache.save());
  EXPECT_EQ(folder.names(), (std::vector<std::string>{"gpu.toml", "gpu.toml.lock", "gpu.tomlx",
                                                      "notes.tmp", "other.toml.1.0.tmp"}));
}

// Runs `body` in a child, whose failures count here; gives its exit code.
int in_child(const std::function<int()>& body) {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(body());
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST(Files, AReadOnlyFolderIsRefused) {
  const TemporaryFolder folder;
  const auto where = folder / "ro";
  {
    auto cache = DecisionCache::open(options_for(where));
    cache.offer(key(1), decision(1));
    ASSERT_TRUE(cache.save());
  }
  std::filesystem::permissions(folder.path(), std::filesystem::perms(0755));
  std::filesystem::permissions(where, std::filesystem::perms(0555));
  std::filesystem::permissions(where / "gpu.toml", std::filesystem::perms(0644));
  std::filesystem::remove(where / "gpu.toml.lock");
  // Root may write anywhere, so a child goes on as nobody.
  const int code = in_child([&] {
    if (::geteuid() == 0 && (::setgid(65534) != 0 || ::setuid(65534) != 0)) return 77;
    auto cache = DecisionCache::open(options_for(where));
    cache.offer(key(2), decision(2));
    const auto saved = cache.save();
    const bool is_right = cache.find(key(1)) && cache.find(key(2)) && !saved &&
                          saved.error().message.find("cannot lock") != std::string::npos;
    return is_right ? 0 : 1;
  });
  std::filesystem::permissions(where, std::filesystem::perms(0755));
  if (code == 77) GTEST_SKIP() << "cannot give up the rights of root here";
  EXPECT_EQ(code, 0);
}

TEST(Files, AMissingHomeThatCannotBeMadeIsRefused) {
  const TemporaryFolder folder;
  std::filesystem::permissions(folder.path(), std::filesystem::perms(0555));
  const int code = in_child([&] {
    if (::geteuid() == 0 && (::setgid(65534) != 0 || ::setuid(65534) != 0)) return 77;
    auto cache = DecisionCache::open(options_for(folder / "home/.cache/vyre/tuner"));
    cache.offer(key(2), decision(2));
    const auto saved = cache.save();
    const bool is_right =
        cache.find(key(2)) && !saved &&
        saved.error().message.find("; make it, or set XDG_CACHE_HOME") != std::string::npos;
    return is_right ? 0 : 1;
  });
  std::filesystem::permissions(folder.path(), std::filesystem::perms(0755));
  if (code == 77) GTEST_SKIP() << "cannot give up the rights of root here";
  EXPECT_EQ(code, 0);
}

TEST(Files, AFullDiskKeepsTheOldFile) {
  const TemporaryFolder folder;
  const auto disk = folder / "disk";
  std::filesystem::create_directory(disk);
  if (::mount("tmpfs", disk.c_str(), "tmpfs", 0, "size=64k") != 0) {
    GTEST_SKIP() << "cannot mount a small disk here; needs root";
  }
  auto cache = DecisionCache::open(options_for(disk));
  cache.offer(key(0), decision(0));
  EXPECT_TRUE(cache.save());
  const std::string before = *read_file(disk / "gpu.toml", kMost);
  for (std::uint64_t n = 1; n < 1000; ++n) cache.offer(key(n), decision(n));
  const auto saved = cache.save();
  EXPECT_FALSE(saved);
  EXPECT_THAT(saved ? "" : saved.error().message, HasSubstr("No space left on device"));
  EXPECT_EQ(*read_file(disk / "gpu.toml", kMost), before);
  EXPECT_TRUE(cache.find(key(999)));
  ::umount(disk.c_str());
}

}  // namespace
}  // namespace vyre::faults
