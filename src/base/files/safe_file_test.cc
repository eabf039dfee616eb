#include "base/files/safe_file.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>

#include "base/files/whole_file.h"
#include "testing/temporary_folder.h"

namespace vyre {
namespace {

namespace fs = std::filesystem;

unsigned mode_of(const fs::path& path) {
  struct stat info{};
  return ::stat(path.c_str(), &info) == 0 ? info.st_mode & 07777U : 0;
}

// Sets the process's mask, for as long as it lives.
class Mask {
 public:
  explicit Mask(mode_t mask) : before_(::umask(mask)) {}
  Mask(const Mask&) = delete;
  Mask& operator=(const Mask&) = delete;
  ~Mask() { ::umask(before_); }

 private:
  mode_t before_;
};

TEST(SafeFile, ModesAreTheOwnersWhateverTheMask) {
  for (const mode_t mask : {0U, 022U, 077U, 0777U}) {
    const testing::TemporaryFolder folder;
    const Mask set(mask);
    ASSERT_TRUE(make_folders(folder / "a/b"));
    EXPECT_EQ(mode_of(folder / "a"), 0700U) << mask;
    EXPECT_EQ(mode_of(folder / "a/b"), 0700U) << mask;
    ASSERT_TRUE(open_own(folder / "a/b/own", O_RDWR));
    EXPECT_EQ(mode_of(folder / "a/b/own"), 0600U) << mask;
    ASSERT_TRUE(write_file_atomically(folder / "a/b/whole", "x", kOwnersFile));
    EXPECT_EQ(mode_of(folder / "a/b/whole"), 0600U) << mask;
  }
}

TEST(SafeFile, OurFilesAreOpenedWithoutLinksAndWithoutWaiting) {
  const testing::TemporaryFolder folder;
  const auto reason = [&](const fs::path& file, int flags) {
    const auto opened = open_own(file, flags);
    return opened ? std::string() : opened.error().message;
  };
  EXPECT_EQ(reason(folder / "new", O_RDWR), "");
  fs::create_symlink(folder / "new", folder / "link");
  EXPECT_EQ(reason(folder / "link", O_RDWR), "Too many levels of symbolic links");
  ASSERT_EQ(::mkfifo((folder / "pipe").c_str(), 0600), 0);
  EXPECT_EQ(reason(folder / "pipe", O_RDWR), "it is no ordinary file; move it away");
  EXPECT_EQ(reason(folder / "pipe", O_WRONLY | O_APPEND), "No such device or address");
  EXPECT_EQ(reason(folder.path(), O_RDWR), "Is a directory");
}

}  // namespace
}  // namespace vyre
