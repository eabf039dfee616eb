// Inputs that no one means well: one line, the exit code of an error, no wait and no abort.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <fstream>

#include "base/files/whole_file.h"
#include "testing/run_command.h"
#include "testing/temporary_folder.h"

namespace vyre {
namespace {

using ::testing::HasSubstr;

constexpr const char* kSaxpy = R"(program saxpy {
  shape n: u32
  read x: f32[n]
  read_write y: f32[n]
  workgroup [64u]

  let i: u32 = global_id(0)
  if i < n {
    y[i] = x[i] + y[i]
  }
}
)";

constexpr const char* kT1 = R"({
  "General": {"BenchmarkName": "twice"},
  "ConfigurationSpace": {
    "TuningParameters": [{"Name": "block", "Type": "int", "Values": "[32, 64]", "Default": 64}],
    "Conditions": []},
  "KernelSpecification": {
    "Language": "OpenCL", "KernelName": "twice", "KernelFile": "pipe", "GlobalSizeType": "OpenCL",
    "ProblemSize": [1024], "LocalSize": {"X": "block"}, "GlobalSize": {"X": "1024"},
    "Arguments": []}
})";

class Hostile : public ::testing::Test {
 protected:
  Hostile() {
    std::ofstream(folder_ / "saxpy.vyre") << kSaxpy;
    std::ofstream(folder_ / "t1.json") << kT1;
    EXPECT_EQ(::mkfifo((folder_ / "pipe").c_str(), 0600), 0);
  }

  std::string file(const std::string& name) const { return (folder_ / name).string(); }

  // Expects one line with this part.
  void expect_refused(std::vector<std::string> arguments, const std::string& part) const {
    arguments.insert(arguments.begin(), VYRE_CLI);
    const auto result = testing::run_command(
        arguments, {.timeout = std::chrono::seconds(10),
                    .environment = {"XDG_CACHE_HOME=" + (folder_ / "cache").string()}});
    EXPECT_EQ(result.exit_code, 1) << result.err;
    EXPECT_EQ(result.signal, 0);
    EXPECT_THAT(result.err, HasSubstr(part));
    EXPECT_EQ(std::ranges::count(result.err, '\n'), 1) << result.err;
  }

  testing::TemporaryFolder folder_;
};

TEST_F(Hostile, SizesBeyondAllMemory) {
  for (const char* device : {"null", "reference", "best"}) {
    expect_refused({"run", file("saxpy.vyre"), "--set", "n=4294967295", "--device", device},
                   "smaller s");
  }
  expect_refused({"run", file("saxpy.vyre"), "--set", "n=4294967295", "--in", "x=zeros", "--in",
                  "y=zeros", "--device", "null"},
                 "vyre: \"saxpy\" needs 68719476720 bytes of memory, and ");
}

TEST_F(Hostile, FilesWithoutAnEnd) {
  expect_refused({"run", file("saxpy.vyre"), "--in", "x=/dev/zero", "--device", "reference"},
                 "vyre: cannot read \"/dev/zero\": it is no ordinary file; choose another");
  std::ofstream(folder_ / "holes") << "1";
  ASSERT_EQ(::truncate(file("holes").c_str(), off_t{1} << 42U), 0);
  expect_refused({"run", file("saxpy.vyre"), "--in", "x=" + file("holes"), "--device", "null"},
                 "is larger than the limit of ");
}

TEST_F(Hostile, PipesInPlaceOfFiles) {
  const std::string refused = "/pipe\": it is no ordinary file; choose another";
  expect_refused({"run", file("pipe")}, refused);
  expect_refused({"run", file("saxpy.vyre"), "--in", "x=" + file("pipe"), "--device", "null"},
                 refused);
  expect_refused({"tune", file("t1.json")}, refused);
  std::filesystem::rename(file("pipe"), file("pipe.json"));
  expect_refused({"tune", file("pipe.json")}, "it is no ordinary file; choose another");
  expect_refused({"cache", "import", file("pipe.json")}, "it is no ordinary file; choose another");
}

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define VYRE_IS_SANITIZED
#endif
#endif

#ifndef VYRE_IS_SANITIZED
TEST(Hardening, TheProgramsAreBoundAtTheStartAndNameNoFolderOfTheirBuild) {
  for (const char* program : {VYRE_CLI, VYRE_WORKER}) {
    const auto elf =
        testing::run_command({"readelf", "--wide", "--dynamic", "--segments", program});
    EXPECT_THAT(elf.out, HasSubstr("BIND_NOW"));
    EXPECT_THAT(elf.out, HasSubstr("GNU_RELRO"));
    const auto bytes = read_file(program, std::size_t{1} << 30U);
    ASSERT_TRUE(bytes);
    EXPECT_THAT(*bytes, HasSubstr("__stack_chk_fail"));
    EXPECT_EQ(bytes->find(VYRE_SOURCE_DIR "/"), std::string::npos)
        << bytes->substr(bytes->find(VYRE_SOURCE_DIR "/"), 100);
  }
}
#endif

}  // namespace
}  // namespace vyre
