// Kernels and files that were made to do harm, through the whole program: whatever they try, the
// command ends in time and within its memory, says one line, and leaves all files as they were.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <map>
#include <random>

#include "base/files/whole_file.h"
#include "testing/run_command.h"
#include "testing/soak.h"
#include "testing/temporary_folder.h"
#include "testing/twice_problem.h"

namespace vyre {
namespace {

namespace fs = std::filesystem;

struct Attack {
  const char* name;
  std::string outside;  // before the kernel
  std::string inside;   // at its end, where i is the id and y the output
};

// The same text `count` times, with $ for the number.
std::string repeated(const std::string& text, int count) {
  std::string out;
  for (int k = 0; k < count; ++k) {
    std::string one = text;
    while (one.find('$') != std::string::npos) one.replace(one.find('$'), 1, std::to_string(k));
    out += one;
  }
  return out;
}

// Each line uses the one before twice: 2^30 words.
std::string macro_bomb() {
  std::string out = "#define M0 1 +\n";
  for (int k = 1; k <= 30; ++k) out += fmt::format("#define M{} M{} M{}\n", k, k - 1, k - 1);
  return out;
}

// The same with functions, which the compiler puts into each other.
std::string inline_bomb() {
  std::string out = "float f0(float a) { return sin(a) * a; }\n";
  for (int k = 1; k <= 30; ++k) {
    out += fmt::format(
        "__attribute__((always_inline)) float f{0}(float a) {{ return f{1}(a) + f{1}(a + {0}); "
        "}}\n",
        k, k - 1);
  }
  return out;
}

std::vector<Attack> attacks() {
  return {
      {"never ends", "", "volatile int on = 1; while (on) {}"},
      {"never ends at a barrier", "", "while (x[0] < 2) barrier(CLK_LOCAL_MEM_FENCE);"},
      {"writes to address 16", "", "*(volatile global int*)16 = 1;"},
      {"writes far behind", "", "y[(ulong)1 << 50] = 1;"},
      {"writes far before", "", "y[-((long)1 << 40)] = 1;"},
      {"reads far behind", "", "y[i] = y[(ulong)1 << 50];"},
      {"divides by zero", "", "volatile int zero = 0; y[i] = (int)i / zero;"},
      {"takes the stack", "", "volatile char big[1 << 28]; big[i] = 1; y[i] = big[i + 1];"},
      {"calls itself", "float g(float a) { return a > 0 ? g(a - 1) + g(a) : 1; }",
       "y[i] = g(y[i]);"},
      {"traps", "", "__builtin_trap();"},
      {"cannot go on", "", "__builtin_unreachable();"},
      {"ends the process", "", "__asm__ volatile(\"mov $231, %eax; mov $0, %edi; syscall\");"},
      {"has a breakpoint", "", "__asm__ volatile(\"int3\");"},
      {"has an illegal instruction", "", "__asm__ volatile(\"ud2\");"},
      {"is unrolled a million times", "",
       "\n#pragma unroll\nfor (int a = 0; a < 1000; ++a)\n#pragma unroll\nfor (int b = 0; b < "
       "1000; "
       "++b) y[i] += sin(y[i] * a + b);"},
      {"is full of macros", macro_bomb(), "y[i] = M30 1;"},
      {"is full of functions", inline_bomb(), "y[i] = f30(y[i]);"},
      {"includes itself", "#include __FILE__\n", ""},
      {"includes a device", "#include \"/dev/zero\"\n", ""},
      {"includes random numbers", "#include \"/dev/urandom\"\n", ""},
      {"includes a folder", "#include \"/\"\n", ""},
      {"includes what is not there", "#include \"nothing.h\"\n", ""},
      {"is an error", "#error\n", ""},
      {"warns a thousand times", "", repeated("int u$; y[i] += u$;", 1000)},
      {"has a million brackets", "", "y[i] = " + std::string(1'000'000, '(') + "1;"},
      {"has a million blocks", "", std::string(1'000'000, '{')},
      {"has a long line", "", "y[i] = 0" + repeated(" + $", 100'000) + ";"},
      {"has a large switch", "",
       "switch (i) {" + repeated("case $: y[i] = sin(y[i] + $); break;", 5000) + "}"},
      {"has much local memory", "", "local float l[1 << 28]; l[i] = 1; y[i] = l[i];"},
      {"has much constant memory", "constant float c[1 << 28] = {1};", "y[i] = c[i];"},
      {"wants another workgroup", "__attribute__((reqd_work_group_size(1 << 30, 1, 1)))", ""},
      {"prints", "", "for (int k = 0; k < 100; ++k) printf(\"%d\\n\\n\\033[31m\", k);"},
      {"prints from nowhere", "", "printf(\"%s\", (constant char*)8);"},
      {"is not numbers", "", "y[i] = nan(1u);"},
      {"barriers that some skip", "", "if (i % 2) barrier(CLK_GLOBAL_MEM_FENCE);"},
      {"jumps about", "", repeated("l$: if (y[i] > $) goto l$;", 200)},
      {"stores out of line", "",
       "vstore16((float16)(1), 0, (global float*)((global char*)y + 1));"},
      {"is no text", std::string("\x00\xff\xfe\x01", 4) + std::string(1000, '\xc3'), ""},
      {"opens a comment", "/*", ""},
      {"opens a string", "", "\""},
  };
}

std::string kernel_of(const Attack& attack) {
  return fmt::format(
      "#if way == 1\n{}\n#endif\n"
      "kernel void twice(global const float* x, global float* y, uint n) {{\n"
      "  uint i = get_global_id(0);\n  y[i] = 2 * x[i];\n"
      "#if way == 1\n{}\n#endif\n}}\n",
      attack.outside, attack.inside);
}

// What a folder holds, without what the program keeps for itself.
std::map<std::string, std::string> contents_of(const testing::TemporaryFolder& folder) {
  std::map<std::string, std::string> out;
  for (const std::string& name : folder.names()) {
    if (fs::is_regular_file(folder / name)) {
      out[name] = read_file(folder / name, std::size_t{1} << 30U).value_or("");
    }
  }
  return out;
}

struct Limits {
  std::uint64_t bytes;
  std::chrono::seconds time;
};

// Sanitizers take several times the memory and twice the time, and their own lines.
#if defined(__SANITIZE_ADDRESS__)
constexpr Limits kMost{8'000'000'000, std::chrono::seconds(20)};
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
constexpr Limits kMost{8'000'000'000, std::chrono::seconds(20)};
#else
constexpr Limits kMost{1'000'000'000, std::chrono::seconds(10)};
#endif
#else
constexpr Limits kMost{1'000'000'000, std::chrono::seconds(10)};
#endif

class Attacked : public ::testing::Test {
 protected:
  // Ends by itself, in time and within its memory; an error is one line, after `warnings`. The long
  // run lists the times, each with a name.
  void expect_held(const std::string& name, std::vector<std::string> arguments, int warnings = 0) {
    const auto before = contents_of(folder_);
    arguments.insert(arguments.begin(), VYRE_CLI);
    const auto start = std::chrono::steady_clock::now();
    const auto result = testing::run_command(
        arguments, {.timeout = kMost.time,
                    .environment = {"XDG_CACHE_HOME=" + (folder_ / "cache").string(),
                                    "POCL_CACHE_DIR=" + (folder_ / "pocl").string(),
                                    "ASAN_OPTIONS=handle_segv=0:handle_sigill=0:handle_sigfpe=0"}});
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
    if (testing::soaking()) {
      fmt::print("{:6.2f} s {:4} MB  {} {}\n", taken.count(), result.peak_bytes / 1'000'000,
                 arguments[1], name);
    }
    ++count_;
    EXPECT_FALSE(result.timed_out);
    EXPECT_EQ(result.signal, 0);
    EXPECT_GE(result.exit_code, 0) << result.err;
    EXPECT_LE(result.exit_code, 5) << result.err;
    EXPECT_LE(std::ranges::count(result.err, '\n'), 1 + warnings) << result.err.substr(0, 2000);
    EXPECT_EQ(result.err.find('\033'), std::string::npos);
    EXPECT_LT(result.peak_bytes, kMost.bytes);
    EXPECT_EQ(contents_of(folder_), before);
  }

  void tune(const std::string& name, const std::string& ways, int standard) {
    std::ofstream(folder_ / "twice.json") << testing::to_t1({.ways = ways, .standard = standard});
    expect_held(name, {"tune", (folder_ / "twice.json").string(), "--device", "opencl", "--budget",
                       "3", "--build-limit", "3", "--run-limit", "1", "--json"});
  }

  testing::TemporaryFolder folder_;
  int count_ = 0;
};

TEST_F(Attacked, ByAKernel) {
  const std::vector<Attack> all = attacks();
  const std::size_t step = testing::soaking() ? 1 : 13;
  for (std::size_t k = 0; k < all.size(); k += step) {
    SCOPED_TRACE(all[k].name);
    std::ofstream(folder_ / "twice.cl") << kernel_of(all[k]);
    tune(all[k].name, "0, 1", 0);  // as a candidate
    if (testing::soaking()) tune(std::string(all[k].name) + ", the default", "1", 1);
  }
  RecordProperty("commands", count_);
}

// The same as a program that is run.
TEST_F(Attacked, ByAProgram) {
  const std::vector<Attack> all = attacks();
  const std::size_t step = testing::soaking() ? 1 : 19;
  for (std::size_t k = 2; k < all.size(); k += step) {
    SCOPED_TRACE(all[k].name);
    std::string text = "#define way 1\n" + kernel_of(all[k]);
    std::string lines;
    for (const char c : text) {
      if (c == '\n')
        lines += "\"\n    \"";
      else if (c == '"' || c == '\\')
        (lines += '\\') += c;
      else
        lines += c;
    }
    std::ofstream(folder_ / "attack.vyre")
        << "program attack {\n  read x: f32[4096u]\n  read_write y: f32[4096u]\n  scalar n: u32\n"
           "  workgroup [64u]\n  source opencl_c \"twice\" (x, y, n)\n    \""
        << lines << "\"\n}\n";
    expect_held(all[k].name, {"run", (folder_ / "attack.vyre").string(), "--device", "opencl",
                              "--set", "n=4096", "--build-limit", "3", "--run-limit", "1"});
  }
  RecordProperty("commands", count_);
}

// One change of a text: a byte, a piece that is gone, doubled or somewhere else, or a large number.
std::string changed(std::string text, std::mt19937& random) {
  const std::size_t at = random() % text.size();
  const std::string piece = text.substr(at, 1 + random() % 40);
  switch (random() % 6) {
    case 0:
      text[at] = static_cast<char>(random());
      break;
    case 1:
      text.erase(at, piece.size());
      break;
    case 2:
      text.insert(random() % text.size(), piece);
      break;
    case 3:
      text.resize(at);
      break;
    case 4:
      text.insert(at, repeated(piece, 2000));
      break;
    default:
      if (const std::size_t digit = text.find_first_of("0123456789", at); digit != text.npos) {
        text.replace(digit, 1, random() % 2 == 0 ? "99999999999999999999" : "-1e308");
      }
  }
  return text;
}

TEST_F(Attacked, ByAProblemFile) {
  const std::string usual = testing::to_t1({.ways = "0"});
  std::ofstream(folder_ / "twice.cl") << kernel_of({"", "", ""});
  std::mt19937 random(1);
  for (std::uint32_t k = 0; k < testing::cases(8, 100); ++k) {
    const std::string text = changed(usual, random);
    SCOPED_TRACE(text);
    std::ofstream(folder_ / "twice.json", std::ios::binary) << text;
    expect_held(fmt::format("problem file {}", k),
                {"tune", (folder_ / "twice.json").string(), "--device", "opencl", "--budget", "1",
                 "--evaluations", "2", "--json"},
                6);
  }
  RecordProperty("commands", count_);
}

}  // namespace
}  // namespace vyre
