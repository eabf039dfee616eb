// Cache files of Kernel Tuner, as it writes and as it reads them.

#include "recording/kernel_tuner_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/files/whole_file.h"
#include "testing/temporary_folder.h"

namespace vyre::recording {
namespace {

using ::testing::HasSubstr;

// As Kernel Tuner leaves it while it is tuning: the last brackets are missing.
const std::string kOpen = R"({
"device_name": "A4000",
"kernel_name": "scale",
"problem_size": 1024,
"tune_params_keys": ["block_size_x", "pad"],
"tune_params": {"block_size_x": [16, 32, 64], "pad": [true, false]},
"objective": "time",
"cache": {
"16,True": {"block_size_x": 16, "pad": true, "time": 1.5, "times": [1.25, 1.75], "compile_time": 80.5,
 "verification_time": 4, "benchmark_time": 3, "strategy_time": 2, "framework_time": 1,
 "timestamp": "2026-11-18 12:00:00+00:00", "GFLOP/s": 7.5},
"32,True": {"block_size_x": 32, "pad": true, "time": "InvalidConfig"},
"32,False": {"block_size_x": 32, "pad": false, "__error__": "CompilationFailedConfig", "times": []},
"64,False": {"block_size_x": 64, "pad": false, "time": 1e20},)";

std::string message_of(const std::string& text) {
  const auto r = parse_kernel_tuner(text, "c.json");
  return r ? "it was read" : r.error().message;
}

std::string changed(const std::string& from, const std::string& to) {
  std::string text = kOpen;
  return text.replace(text.find(from), from.size(), to);
}

TEST(KernelTunerFile, IsReadOpenAndClosed) {
  const auto open = parse_kernel_tuner(kOpen, "c.json");
  ASSERT_TRUE(open) << open.error().message;
  const auto closed = parse_kernel_tuner(kOpen.substr(0, kOpen.size() - 1) + "}\n}", "c.json");
  ASSERT_TRUE(closed) << closed.error().message;
  EXPECT_EQ(*open, *closed);
  EXPECT_EQ(open->metadata, (Config{{"device", "A4000"}, {"kernel", "scale"}}));
  ASSERT_EQ(open->parameters.size(), 2U);
  EXPECT_EQ(open->parameters[0].name, "block_size_x");
  ASSERT_EQ(open->rows.size(), 4U);
  const Row expected{.point = open->rows[0].point,
                     .time_ms = 1.5,
                     .run_ms = {1.25, 1.75},
                     .compile_ms = 80.5,
                     .framework_ms = 1,
                     .search_ms = 2,
                     .validation_ms = 4,
                     .timestamp = "2026-11-18 12:00:00+00:00"};
  EXPECT_EQ(open->rows[0], expected);
  EXPECT_EQ(open->rows[1].status, Status::constraints);
  EXPECT_EQ(open->rows[2].status, Status::compile);
  EXPECT_EQ(open->rows[3].status, Status::runtime);
  EXPECT_FALSE(open->rows[3].time_ms);
}

TEST(KernelTunerFile, IsKnownByItsContent) {
  const testing::TemporaryFolder folder;
  ASSERT_TRUE(write_file_atomically(folder / "t4.json", kOpen));
  const auto r = read_recording(folder / "t4.json");
  ASSERT_TRUE(r) << r.error().message;
  EXPECT_EQ(r->rows.size(), 4U);
}

TEST(KernelTunerFile, SaysWhatIsWrong) {
  EXPECT_THAT(message_of(changed(R"("time": 1.5)", R"("time": 0)")),
              HasSubstr(R"(time: expected a number above 0)"));
  EXPECT_THAT(message_of(changed("InvalidConfig", "Broken")),
              HasSubstr("expected InvalidConfig, CompilationFailedConfig"));
  EXPECT_THAT(message_of(changed(R"("time": 1.5, )", "")),
              HasSubstr("expected a time, or an __error__"));
  EXPECT_THAT(message_of(changed(R"("pad": true, "time": 1.5)", R"("time": 1.5)")),
              HasSubstr("pad"));
  EXPECT_THAT(message_of(changed("[1.25, 1.75]", "[1.25, -1]")), HasSubstr("not negative"));
  EXPECT_THAT(message_of(changed(R"({"block_size_x": 32, "pad": true)",
                                 R"({"block_size_x": 16, "pad": true)")),
              HasSubstr("the same configuration as"));
  EXPECT_THAT(message_of(changed(R"(["block_size_x", "pad"])", "[]")),
              HasSubstr("tune_params_keys: expected at least one parameter"));
  EXPECT_THAT(message_of(kOpen.substr(0, kOpen.find("\"16,True\""))),
              HasSubstr("cache: expected at least one configuration"));
}

TEST(KernelTunerFile, IsWrittenSoThatItReadsBack) {
  const auto first = parse_kernel_tuner(kOpen, "c.json");
  ASSERT_TRUE(first) << first.error().message;
  const auto text = to_kernel_tuner(*first);
  ASSERT_TRUE(text) << text.error().message;
  EXPECT_TRUE(text->ends_with("}\n}\n")) << "Kernel Tuner takes it for an open file otherwise";
  const auto again = parse_kernel_tuner(*text, "again");
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(*again, *first);
  const auto json = nlohmann::json::parse(*text);
  EXPECT_EQ(json["tune_params_keys"], (nlohmann::json{"block_size_x", "pad"}));
  EXPECT_EQ(json["cache"]["16,True"]["time"], 1.5);
  EXPECT_EQ(json["cache"]["16,True"]["benchmark_time"], 3.0);
  EXPECT_EQ(json["cache"]["32,False"]["__error__"], "CompilationFailedConfig");
}

TEST(KernelTunerFile, NeedsTheNameOfTheKernel) {
  auto recording = parse_csv("x,time_ms\n1,2\n", "r.csv");
  ASSERT_TRUE(recording);
  const auto without = to_kernel_tuner(*recording);
  ASSERT_FALSE(without);
  EXPECT_THAT(without.error().message, HasSubstr("does not name its kernel"));
  recording->metadata.set("kernel", std::string("k"));
  const auto with = to_kernel_tuner(*recording);
  ASSERT_TRUE(with) << with.error().message;
  EXPECT_THAT(*with, HasSubstr(R"("1": {"x":1,"time":2.0,"times":[2.0])"));
}

}  // namespace
}  // namespace vyre::recording
