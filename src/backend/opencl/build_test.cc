// Builds: the binary store, and a compiler that takes too long.

#include "backend/opencl/build.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <thread>

#include "testing/scale_kernel.h"
#include "testing/temporary_folder.h"
#include "vyre/opencl.h"

namespace vyre::backend {
namespace {

namespace fs = std::filesystem;

using testing::kScaled;
using testing::open_first;
using testing::run_scale;
using testing::scale;

std::vector<fs::path> files_in(const fs::path& folder) {
  std::vector<fs::path> out;
  for (const auto& entry : fs::directory_iterator(folder)) out.push_back(entry.path());
  return out;
}

DeviceOptions always_in(const fs::path& folder) {
  return {.binary_store = folder, .store_use = StoreUse::always};
}

TEST(opencl_store, IsNotUsedWhereBinariesAreDear) {
  const auto device = open_first();
  if (!device->info().platform.starts_with("Portable Computing Language")) {
    GTEST_SKIP() << "not PoCL: " << device->info().platform;
  }
  const testing::TemporaryFolder folder;
  const OpenclCounts before = opencl_counts();
  ASSERT_EQ(run_scale(open_first({.binary_store = folder.path() / "store"}), scale()), kScaled);
  EXPECT_EQ(opencl_counts().compiled, before.compiled + 1);
  EXPECT_EQ(opencl_counts().fetched, before.fetched);
  EXPECT_FALSE(fs::exists(folder.path() / "store"));
}

TEST(opencl_store, KeepsBinariesForOtherContexts) {
  const testing::TemporaryFolder folder;
  const DeviceOptions options = always_in(folder.path() / "store");
  const OpenclCounts before = opencl_counts();
  ASSERT_EQ(run_scale(open_first(options), scale()), kScaled);
  ASSERT_EQ(files_in(options.binary_store).size(), 1U);
  EXPECT_EQ(opencl_counts().compiled, before.compiled + 1);
  EXPECT_EQ(run_scale(open_first(options), scale()), kScaled);
  EXPECT_EQ(opencl_counts().compiled, before.compiled + 1);
  EXPECT_EQ(opencl_counts().loaded, before.loaded + 1);
  EXPECT_EQ(fs::status(options.binary_store).permissions(), fs::perms::owner_all);
}

constexpr const char* kScaleBy = R"(
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
%s
kernel void scale(global double* y, global const double* x, local double* tile, uint n,
                  double factor, uchar offset) {
  uint i = get_global_id(0);
  if (i < n) y[i] = x[i] * TIMES;
}
)";

ir::Sequence scale_with(const std::string& includes, const fs::path& folder) {
  std::string text = kScaleBy;
  text.replace(text.find("%s"), 2, includes);
  return scale({.text = text, .options = "-I" + folder.string()});
}

void set_times(const fs::path& folder, const std::string& value) {
  std::ofstream(folder / "times.h") << "#define TIMES " << value << "\n";
}

TEST(opencl_store, AChangedIncludeIsAnotherProgram) {
  const testing::TemporaryFolder folder;
  const DeviceOptions options = always_in(folder.path() / "store");
  const std::string include = "#include \"times.h\"";
  set_times(folder.path(), "2");
  const ir::Sequence before = scale_with(include, folder.path());
  EXPECT_EQ(run_scale(open_first(options), before), (std::vector<double>{2, 4, 6, 9, -2}));
  EXPECT_EQ(scale_with(include, folder.path()).fingerprint(), before.fingerprint());
  set_times(folder.path(), "4");
  const ir::Sequence after = scale_with(include, folder.path());
  EXPECT_NE(after.fingerprint(), before.fingerprint());
  EXPECT_EQ(run_scale(open_first(options), after), (std::vector<double>{4, 8, 12, 18, -4}));
  EXPECT_EQ(run_scale(open_first(options), before), (std::vector<double>{2, 4, 6, 9, -2}));
  EXPECT_EQ(files_in(options.binary_store).size(), 2U);
}

TEST(opencl_store, KeepsNothingThatReadsFilesOfTheCompilers) {
  const testing::TemporaryFolder folder;
  const DeviceOptions options = always_in(folder.path() / "store");
  const auto device = open_first(options);
  const std::string computed = "#define FILE \"times.h\"\n#include FILE";
  for (const char* times : {"2", "4"}) {
    set_times(folder.path(), times);
    const auto y = run_scale(device, scale_with(computed, folder.path()));
    ASSERT_TRUE(y) << y.error().message;
    EXPECT_EQ((*y)[0], std::stod(times));
  }
  EXPECT_FALSE(fs::exists(options.binary_store));
}

TEST(opencl_store, RebuildsWhatIsDamaged) {
  const testing::TemporaryFolder folder;
  const DeviceOptions options = always_in(folder.path());
  ASSERT_EQ(run_scale(open_first(options), scale()), kScaled);
  const fs::path file = files_in(folder.path()).front();
  const auto size = fs::file_size(file);
  const std::vector<std::function<void()>> damages = {
      [&] { std::ofstream(file) << "garbage"; },
      [&] { std::ofstream(file).close(); },
      [&] { fs::resize_file(file, size / 2); },
      [&] {
        std::fstream stream(file, std::ios::in | std::ios::out | std::ios::binary);
        stream.seekp(static_cast<std::streamoff>(size / 2));
        stream.put('\x5a').put('\x5a').put('\x5a');
      },
  };
  for (const auto& damage : damages) {
    const OpenclCounts before = opencl_counts();
    damage();
    EXPECT_EQ(run_scale(open_first(options), scale()), kScaled);
    EXPECT_EQ(opencl_counts().damaged, before.damaged + 1);
    EXPECT_EQ(opencl_counts().compiled, before.compiled + 1);
    EXPECT_EQ(fs::file_size(file), size);
  }
}

TEST(opencl_store, DoesWithoutAFolderThatCannotBeWritten) {
  const testing::TemporaryFolder folder;
  std::ofstream(folder.path() / "file") << "x";
  const OpenclCounts before = opencl_counts();
  EXPECT_EQ(run_scale(open_first(always_in(folder.path() / "file")), scale()), kScaled);
  EXPECT_EQ(opencl_counts().unsaved, before.unsaved + 1);
}

TEST(opencl_faults, ABuildThatTakesTooLongIsGivenUp) {
  const OpenclCounts before = opencl_counts();
  {
    const auto device = open_first({.build_limit = std::chrono::milliseconds(1)});
    const auto y = run_scale(device, scale());
    ASSERT_FALSE(y);
    EXPECT_EQ(y.error().kind, ErrorKind::backend);
    EXPECT_EQ(
        y.error().message,
        "\"scale\": compiling took longer than 1 ms and was given up; make the kernel smaller "
        "or raise the limit (DeviceOptions::build_limit)");
  }
  for (int k = 0; k < 3000 && opencl_counts().live() != before.live(); ++k) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  EXPECT_EQ(opencl_counts().live(), before.live());
}

}  // namespace
}  // namespace vyre::backend
