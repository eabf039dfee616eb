#include "cli/pocl_scratch.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>

#include "base/files/file_descriptor.h"
#include "tune/worker/scratch.h"

namespace vyre::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* kFolderVariable = "POCL_CACHE_DIR";
constexpr int kMostFolders = 256;  // more workers than that at a time share PoCL's folder

// As PoCL 3.1 chooses it (pocl_cache_init_topdir).
fs::path folder_of_pocl() {
  const auto variable = [](const char* name) {
    const char* value = std::getenv(name);
    return fs::path(value == nullptr ? "" : value);
  };
  if (const fs::path given = variable(kFolderVariable); !given.empty()) return given;
  if (const fs::path cache = variable("XDG_CACHE_HOME"); !cache.empty())
    return cache / "pocl/kcache";
  const fs::path home = variable("HOME");
  return home.empty() ? home : home / ".cache/pocl/kcache";
}

// PoCL names a program's folder after a hash in letters from A to P, of which the first two are a
// folder of their own. A folder that was used before has its links already.
bool link_kernels(const fs::path& pocl, const fs::path& scratch) {
  const auto is_there = [](int result) { return result == 0 || errno == EEXIST; };
  for (char first = 'A'; first <= 'P'; ++first) {
    for (char second = 'A'; second <= 'P'; ++second) {
      const std::string name{first, second};
      const fs::path link = scratch / name;
      if (!is_there(::mkdir((pocl / name).c_str(), 0700))) return false;
      if (::access(link.c_str(), F_OK) == 0) continue;
      if (!is_there(::symlink(("../" + name).c_str(), link.c_str()))) return false;
    }
  }
  return true;
}

// The first folder that no other worker has, ours until this process ends. All further ones that
// nobody has are cleaned: a campaign that was killed could not do so.
fs::path take_folder(const fs::path& pocl) {
  static FileDescriptor lock;  // never closed
  fs::path taken;
  for (int number = 0; number < kMostFolders; ++number) {
    const fs::path folder = pocl / worker::scratch_name(number);
    if (!taken.empty()) {
      std::error_code failed;
      if (!fs::is_directory(folder, failed)) break;
      worker::clean_scratch(folder);
      continue;
    }
    ::mkdir(folder.c_str(), 0700);
    lock = worker::lock_scratch(folder);
    if (lock.is_open()) taken = folder;
  }
  return taken;
}

}  // namespace

fs::path make_pocl_scratch() {
  std::error_code failed;
  const fs::path pocl = fs::absolute(folder_of_pocl(), failed);
  if (failed || !fs::is_directory(pocl, failed)) return {};
  const fs::path scratch = take_folder(pocl);
  if (scratch.empty() || !link_kernels(pocl, scratch)) return {};
  worker::remove_temporary(scratch);
  return ::setenv(kFolderVariable, scratch.c_str(), 1) == 0 ? scratch : fs::path();
}

}  // namespace vyre::cli
