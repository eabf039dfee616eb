// `vyre devices` and `vyre run`, with devices that are there, missing, and lost in the middle.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>
#include <fstream>
#include <nlohmann/json.hpp>

#include "opencl_faults.h"
#include "testing/run_command.h"
#include "testing/temporary_folder.h"
#include "testing/twice_problem.h"

namespace vyre {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* kSaxpy = R"(program saxpy {
  shape n: u32
  scalar a: f32
  tunable group: u32 = 64u
  read x: f32[n]
  read_write y: f32[n]
  workgroup [group]

  let i: u32 = global_id(0)
  if i < n {
    y[i] = a * x[i] + y[i]
  }
}
)";

// Vulkan's loader shows the drivers of these files: none.
constexpr const char* kNoVulkan = "VK_ICD_FILENAMES=/nonexistent/driver.json";

// Runs vyre with a cache folder of its own.
class Vyre : public ::testing::Test {
 protected:
  Vyre() { write("saxpy.vyre", kSaxpy); }

  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name) << text;
    return (folder_ / name).string();
  }

  testing::CommandResult vyre(std::vector<std::string> arguments,
                              std::vector<std::string> environment = {}) const {
    arguments.insert(arguments.begin(), VYRE_CLI);
    environment.push_back("XDG_CACHE_HOME=" + (folder_ / "cache").string());
    return testing::run_command(arguments, {.environment = std::move(environment)});
  }

  testing::CommandResult run(std::vector<std::string> more,
                             std::vector<std::string> environment = {}) const {
    std::vector<std::string> arguments{
        "run", (folder_ / "saxpy.vyre").string(), "--in", "x=iota", "--in", "y=ones", "--set",
        "a=2"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return vyre(arguments, std::move(environment));
  }

  testing::TemporaryFolder folder_;
};

using Devices = Vyre;
using RunProgram = Vyre;

TEST_F(Devices, AreListedForPeopleAndForMachines) {
  const auto table = vyre({"devices"});
  EXPECT_EQ(table.exit_code, 0) << table.err;
  EXPECT_THAT(table.out, HasSubstr("opencl:0"));
  EXPECT_THAT(table.out, HasSubstr("reference"));
  const auto result = vyre({"devices", "--json"});
  const auto json = nlohmann::json::parse(result.out);
  ASSERT_GE(json["devices"].size(), 3U);
  EXPECT_EQ(json["devices"][0]["backend"], "opencl");
  EXPECT_EQ(json["devices"][0]["fingerprint"].get<std::string>().size(), 64U);
  // A machine need not have these, and is told what they need.
  for (const auto& missing : json["unavailable"]) {
    EXPECT_THAT(missing["backend"], ::testing::AnyOf("cuda", "hip", "vulkan"));
    EXPECT_THAT(missing["reason"].get<std::string>(),
                ::testing::AnyOf(HasSubstr("install"), HasSubstr("check")));
  }
}

TEST_F(Devices, WithoutAnyDriverTheInterpreterRemains) {
  const std::string no_drivers = "OCL_ICD_VENDORS=" + folder_.path().string();
  const auto listed = vyre({"devices"}, {no_drivers, kNoVulkan});
  EXPECT_EQ(listed.exit_code, 0);
  EXPECT_THAT(listed.out, HasSubstr("opencl: there is no OpenCL platform"));
  EXPECT_THAT(listed.out, HasSubstr("vulkan: there is no Vulkan "));
  EXPECT_THAT(listed.out, HasSubstr("pocl-opencl-icd"));
  const auto best = run({"--set", "n=4"}, {no_drivers, kNoVulkan});
  EXPECT_EQ(best.exit_code, 0) << best.err;
  EXPECT_THAT(best.out, HasSubstr("(reference)"));
  const auto opencl = run({"--set", "n=4", "--device", "opencl"}, {no_drivers});
  EXPECT_EQ(opencl.exit_code, 1);
  EXPECT_THAT(opencl.err, HasSubstr("install a driver"));
}

TEST_F(Devices, TheProgramsLinkNeitherOpenclNorVulkan) {
  for (const char* program : {VYRE_CLI, VYRE_WORKER}) {
    const auto libraries = testing::run_command({"ldd", program});
    EXPECT_EQ(libraries.exit_code, 0) << libraries.err;
    EXPECT_THAT(libraries.out, HasSubstr("libc.so"));
    EXPECT_THAT(libraries.out, Not(HasSubstr("libOpenCL"))) << program;
    EXPECT_THAT(libraries.out, Not(HasSubstr("libvulkan"))) << program;
  }
}

TEST_F(Devices, AMachineWithoutVulkanStartsAndSaysWhatToInstall) {
  write("libvulkan.so.1", "");
  const std::string no_library = "LD_LIBRARY_PATH=" + folder_.path().string();
  const auto listed = vyre({"devices"}, {no_library});
  EXPECT_EQ(listed.exit_code, 0) << listed.err;
  EXPECT_THAT(listed.out, HasSubstr("vulkan: there is no Vulkan loader: "));
  EXPECT_THAT(listed.out, HasSubstr("install libvulkan.so.1 and a driver"));
  EXPECT_EQ(run({"--set", "n=4"}, {no_library}).exit_code, 0);
  const auto vulkan = run({"--set", "n=4", "--device", "vulkan"}, {no_library});
  EXPECT_EQ(vulkan.exit_code, 1);
  EXPECT_THAT(vulkan.err, HasSubstr("there is no Vulkan loader"));
}

// lavapipe is a CPU, and PoCL's interface is the one that all tests run on.
TEST_F(Devices, LavapipeComesBehindPocl) {
  const auto json = nlohmann::json::parse(vyre({"devices", "--json"}).out);
  std::vector<std::string> order;
  for (const auto& device : json["devices"]) order.push_back(device["backend"]);
  const auto opencl = std::ranges::find(order, "opencl");
  const auto vulkan = std::ranges::find(order, "vulkan");
  if (vulkan == order.end()) GTEST_SKIP() << "there is no Vulkan device";
  ASSERT_NE(opencl, order.end());
  EXPECT_LT(opencl, vulkan);
  EXPECT_LT(vulkan, std::ranges::find(order, "reference"));
}

// An empty file in the place of the library: the machine has no other that would be found.
TEST_F(Devices, AMachineWithoutOpenclStartsAndSaysWhatToInstall) {
  write("libOpenCL.so.1", "");
  const std::string no_library = "LD_LIBRARY_PATH=" + folder_.path().string();
  const auto listed = vyre({"devices"}, {no_library});
  EXPECT_EQ(listed.exit_code, 0) << listed.err;
  EXPECT_THAT(listed.out, HasSubstr("opencl: this machine has no OpenCL ("));
  EXPECT_THAT(listed.out, HasSubstr("ocl-icd-libopencl1 and pocl-opencl-icd\n"));
  const auto best = run({"--set", "n=4"}, {no_library, kNoVulkan});
  EXPECT_EQ(best.exit_code, 0) << best.err;
  EXPECT_THAT(best.out, HasSubstr("(reference)"));
  const auto opencl = run({"--set", "n=4", "--device", "opencl"}, {no_library});
  EXPECT_EQ(opencl.exit_code, 1);
  EXPECT_THAT(opencl.err, HasSubstr("vyre: this machine has no OpenCL ("));
}

TEST_F(Devices, ADriverThatDoesNotLoadCountsAsMissing) {
  write("broken.icd", "libdoes_not_exist.so\n");
  const auto listed = vyre({"devices"}, {"OCL_ICD_VENDORS=" + folder_.path().string()});
  EXPECT_EQ(listed.exit_code, 0);
  EXPECT_THAT(listed.out, HasSubstr("opencl: there is no OpenCL platform"));
}

TEST_F(Devices, ADriverThatEndsTheProcessIsListedAsSuch) {
  const auto fault = with_fault("clGetPlatformIDs:1+");
  const auto listed = vyre({"devices"}, fault);
  EXPECT_EQ(listed.exit_code, 0) << listed.err;
  EXPECT_EQ(listed.err, "");
  EXPECT_THAT(listed.out, HasSubstr("\nreference "));
  EXPECT_THAT(listed.out,
              HasSubstr("\nopencl: a driver ends the process that opens it; in a chroot "
                        "or a container, mount /proc and /sys\n"));
  const auto tuned = vyre({"tune", "saxpy"}, fault);
  EXPECT_EQ(tuned.signal, SIGABRT);
  EXPECT_EQ(tuned.err,
            "vyre: a driver has ended the process that opened it; `vyre devices` says which, and "
            "--device reference needs none\n");
}

TEST_F(Devices, ClocksAreShownAndOneThatIsMissingIsTheHosts) {
  const auto with_clock = nlohmann::json::parse(vyre({"devices", "--json"}).out);
  EXPECT_GT(with_clock["devices"][0]["clock_step_ns"], 0);
  EXPECT_GT(with_clock["devices"][0]["limits"]["memory_bytes"], 0);
  const auto fault = with_fault("clGetDeviceInfo:1+");
  const auto without = nlohmann::json::parse(vyre({"devices", "--json"}, fault).out);
  EXPECT_EQ(without["devices"][0]["clock_step_ns"], 0);
  EXPECT_EQ(without["devices"][0]["fingerprint"], with_clock["devices"][0]["fingerprint"]);
  EXPECT_THAT(vyre({"devices"}, fault).out, HasSubstr("  host's  "));
}

// Both kinds of device without a clock: one says so, the other has only zeros in its events.
TEST_F(Devices, WithoutAClockAreTimedByTheHosts) {
  for (const char* fault : {"clGetDeviceInfo:1+", "clGetEventProfilingInfo:1+"}) {
    const auto tuned = vyre({"tune", "saxpy", "--size", "n=65536", "--evaluations", "2", "--budget",
                             "60", "--device", "opencl"},
                            with_fault(fault));
    EXPECT_THAT(tuned.exit_code, ::testing::AnyOf(0, 3)) << tuned.err;
    EXPECT_THAT(tuned.out, HasSubstr("saxpy")) << fault;
    EXPECT_EQ(tuned.out.find(", timed by the host's clock\n") != std::string::npos,
              std::string_view(fault) == "clGetDeviceInfo:1+");
  }
}

TEST_F(RunProgram, GivesTheSameOnEveryDevice) {
  for (const char* device : {"opencl", "reference"}) {
    const auto result = run({"--set", "n=100", "--device", device, "--set", "group=8"});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_THAT(result.out, HasSubstr("1, 3, 5, 7, 9, 11, 13, 15, ...")) << device;
  }
}

TEST_F(RunProgram, ReadsAndWritesFiles) {
  const std::vector<float> x{1, 2, 3};
  std::ofstream(folder_ / "x.bin", std::ios::binary)
      .write(reinterpret_cast<const char*>(x.data()), 12);
  const std::string out = (folder_ / "y.bin").string();
  const auto result =
      vyre({"run", (folder_ / "saxpy.vyre").string(), "--in", "x=" + (folder_ / "x.bin").string(),
            "--in", "y=zeros", "--set", "a=10", "--out", "y=" + out, "--json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(nlohmann::json::parse(result.out)["outputs"][0]["elements"], 3);
  std::vector<float> y(3);
  std::ifstream(out, std::ios::binary).read(reinterpret_cast<char*>(y.data()), 12);
  EXPECT_EQ(y, (std::vector<float>{10, 20, 30}));
}

// PoCL has a cache of its own and is never asked for a binary.
TEST_F(RunProgram, ASecondProcessCompilesNothingWhereBinariesAreKept) {
  const auto run_json = [&](const char* n) {
    const auto result = run({"--set", n, "--device", "opencl", "--json"});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return nlohmann::json::parse(result.out);
  };
  const auto first = run_json("n=4");
  const std::string platform = first["device"]["platform"];
  const int kept = platform.starts_with("Portable Computing Language") ? 0 : 1;
  EXPECT_EQ(first["kernels"], (nlohmann::json{{"compiled", 1}, {"loaded", 0}, {"fetched", kept}}));
  EXPECT_EQ(run_json("n=5")["kernels"],
            (nlohmann::json{{"compiled", 1 - kept}, {"loaded", kept}, {"fetched", 0}}));
}

TEST_F(RunProgram, MistakesAreNamedBeforeAnythingRuns) {
  struct Case {
    std::vector<std::string> arguments;
    const char* message;
  };
  const std::vector<Case> cases{
      {{}, "the length of \"x\" is not known; give its shapes, for example --set n=1000"},
      {{"--set", "n"}, "--set \"n\": write it as NAME=VALUE"},
      {{"--set", "n=x"}, "--set \"n=x\": \"x\" is no u32"},
      {{"--set", "m=1"}, "--set: \"saxpy\" has no shape, scalar or tunable \"m\""},
      {{"--set", "n=4", "--in", "z=ones"}, "--in: \"saxpy\" has no input \"z\""},
      {{"--set", "n=4", "--in", "x=ones"}, "--in: \"x\" is given twice"},
      {{"--set", "n=4", "--out", "x=f"}, "--out: \"saxpy\" has no output \"x\""},
      {{"--set", "n=4", "--out", "y=/does/not/exist/y"}, "\"/does/not/exist"},
      {{"--set", "n=4", "--build-limit", "0"}, "--build-limit: give seconds above 0"},
      {{"--set", "n=4", "--run-limit", "-1"}, "--run-limit: give seconds above 0"},
      {{"--set", "n=4", "--device", "opencl:9"}, "device \"opencl:9\": backend \"opencl\" has"},
      {{"--set", "n=4", "--set", "group=100000"}, "the device takes 1 to"},
      {{"--set", "n=4000000000"}, "more than"},
  };
  for (const auto& [arguments, message] : cases) {
    const auto result = run(arguments);
    EXPECT_EQ(result.exit_code, 1) << message;
    EXPECT_THAT(result.err, ::testing::StartsWith("vyre: "));
    EXPECT_THAT(result.err, HasSubstr(message));
  }
  const auto file = vyre({"run", (folder_ / "saxpy.vyre").string(), "--in", "x=/does/not/exist"});
  EXPECT_THAT(file.err, HasSubstr("\"/does/not/exist\""));
  const auto text = vyre({"run", write("bad.vyre", "program p { let }")});
  EXPECT_THAT(text.err, HasSubstr("bad.vyre\": line 1, column 17: expected"));
}

TEST_F(RunProgram, ACompilerThatNeverEndsIsGivenUp) {
  const auto result = run({"--set", "n=4", "--device", "opencl", "--build-limit", "0.5"},
                          with_fault("clBuildProgram:1+"));
  EXPECT_EQ(result.exit_code, 1) << result.out;
  EXPECT_THAT(result.err,
              HasSubstr("\"saxpy\": compiling took longer than 500 ms and was given up; make the "
                        "kernel smaller or raise --build-limit"));
}

// What `vyre run` says about a program, with standard error in one line.
void expect_ended(const testing::CommandResult& result, const std::string& message) {
  EXPECT_FALSE(result.timed_out);
  EXPECT_EQ(result.exit_code, 1) << result.out;
  EXPECT_EQ(result.err, "vyre: " + message + "\n");
}

TEST_F(RunProgram, ACompileBombIsGivenUp) {
  const std::string file = write("bomb.vyre", testing::kCompileBomb);
  const auto result =
      vyre({"run", file, "--device", "opencl", "--set", "n=64", "--build-limit", "1"});
  expect_ended(result,
               "\"bomb\": compiling took longer than 1000 ms and was given up; make the kernel "
               "smaller or raise --build-limit");
  expect_ended(vyre({"run", file, "--device", "opencl", "--set", "n=64", "--build-memory", "30"}),
               "\"bomb\": compiling took more than 30 MiB of memory and was given up; make the "
               "kernel smaller or raise --build-memory");
}

// Every device ends it, and the output is one line.
TEST_F(RunProgram, AProgramThatNeverEndsIsEnded) {
  const std::string file = write("endless.vyre", R"(program endless {
  shape n: u32
  read_write y: u32[n]

  let i: u32 = global_id(0)
  for j: u64 in 0ul .. 18446744073709551615ul {
    if i < n {
      y[i] = y[i] * 3u + y[(i + u32(j)) % n]
    }
  }
}
)");
  for (const char* device : {"opencl", "reference"}) {
    const auto result =
        vyre({"run", file, "--device", device, "--set", "n=64", "--run-limit", "0.5"});
    expect_ended(result,
                 "\"endless\": running took longer than 500 ms and was ended; give it less to do "
                 "or raise --run-limit");
  }
}

TEST_F(RunProgram, ADriverThatCrashesIsNamed) {
  const std::string file = write("wild.vyre", R"(program wild {
  shape n: u32
  write y: u32[n]
  source opencl_c "wild" (y)
    "__kernel void wild(__global uint* y) {"
    "  y[get_global_id(0) + ((ulong)1 << 50)] = 1;"
    "}"
}
)");
  // The address sanitizer would report the crash itself.
  const auto result =
      vyre({"run", file, "--device", "opencl", "--set", "n=64"}, {"ASAN_OPTIONS=handle_segv=0"});
  expect_ended(result,
               "\"wild\": the device's driver crashed with signal 11; try another device or a "
               "smaller program");
}

TEST_F(RunProgram, ADeviceThatFailsInTheMiddleIsAnErrorThatSaysSo) {
  struct Case {
    const char* fault;
    const char* message;
  };
  const std::vector<Case> cases{
      {"clFinish:1",
       "waiting for the device failed: CL_DEVICE_NOT_AVAILABLE (-2); the device may "
       "be lost: open it again"},
      {"clEnqueueReadBuffer:1", "reading from a buffer: CL_OUT_OF_RESOURCES (-5)"},
      {"clEnqueueNDRangeKernel:1",
       "launch of \"saxpy\": CL_INVALID_WORK_GROUP_SIZE (-54); use a smaller workgroup"},
      {"clGetDeviceIDs:1+", "OpenCL platform(s) have no device"},
  };
  for (const auto& [fault, message] : cases) {
    const auto result = run({"--set", "n=4", "--device", "opencl"}, with_fault(fault));
    EXPECT_EQ(result.exit_code, 1) << fault << result.out;
    EXPECT_THAT(result.err, HasSubstr(message));
  }
}

}  // namespace
}  // namespace vyre
