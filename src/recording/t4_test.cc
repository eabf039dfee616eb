#include <gtest/gtest.h>

#include <string>

#include "recording/t4_test_text.h"
#include "vyre/recording.h"

namespace vyre::recording {
namespace {

Recording parsed_t4(std::string_view text) {
  auto recording = parse_t4(text, "r.json");
  EXPECT_TRUE(recording) << (recording ? "" : recording.error().message);
  return recording.value_or(Recording{});
}

TEST(T4, ReadsWhatKernelTunerWrites) {
  const Recording r = parsed_t4(kKernelTuner);
  const std::vector<space::Parameter> parameters{
      {"y", {std::int64_t{4}}}, {"x", {std::int64_t{8}, std::int64_t{16}}}, {"pad", {false, true}}};
  EXPECT_EQ(r.parameters, parameters);
  ASSERT_EQ(r.rows.size(), 2U);
  EXPECT_EQ(r.rows[0], (Row{.point = {0, 1, 1},
                            .time_ms = 1.375,
                            .run_ms = {1.5, 1.25},
                            .compile_ms = 10.5,
                            .framework_ms = 2,
                            .search_ms = 3,
                            .validation_ms = 4,
                            .timestamp = "2023-12-22 09:53:48"}));
  EXPECT_EQ(r.rows[1], (Row{.point = {0, 0, 0}, .status = Status::compile, .compile_ms = 3}));
  EXPECT_EQ(r.metadata, (Config{{"device", std::string("A4000")}}));
  EXPECT_TRUE(r.warnings.empty());
}

TEST(T4, ReadsWhatKttWrites) {
  const Recording r = parsed_t4(R"({
    "metadata": {"autotuner": "KTT", "timeunit": "microseconds"},
    "results": [
      {"configuration": {"BLOCK": "64", "mode": "a"}, "correctness": 1, "invalidity": "correct",
       "measurements": [{"name": "time", "unit": "", "value": 62.5}],
       "times": {"compilation_time": 14000, "data": 6, "runtimes": [62.5]}, "timestamp": "t"},
      {"configuration": {"BLOCK": "128", "mode": "b"}, "correctness": 0,
       "invalidity": "correctness", "measurements": [{"name": "time", "unit": "", "value": 0}],
       "times": {"compilation_time": 15000, "runtimes": [0]}}
    ]})");
  EXPECT_EQ(r.parameters[0].values, (std::vector<Value>{std::int64_t{64}, std::int64_t{128}}));
  EXPECT_EQ(r.parameters[1].values, (std::vector<Value>{std::string("a"), std::string("b")}));
  EXPECT_EQ(r.rows[0].time_ms, 0.0625);
  EXPECT_EQ(r.rows[0].run_ms, std::vector<double>{0.0625});
  EXPECT_EQ(r.rows[0].compile_ms, 14);
  EXPECT_EQ(r.rows[1].status, Status::correctness);
  EXPECT_EQ(r.rows[1].time_ms, std::nullopt);
}

TEST(T4, TheObjectiveIsTheMeasurementElseTheMean) {
  struct Case {
    const char* change;
    const char* unit;
    double time_ms;
  };
  const Case cases[] = {
      {R"("measurements": [{"name": "time", "value": 9}],)", "ms", 9},
      {R"("measurements": [{"name": "time", "value": 9, "unit": "s"}],)", "ns", 9000},
      {R"("measurements": [{"name": "power", "value": 9}],)", "Milliseconds", 3},
      {R"("measurements": [],)", "microseconds", 0.003},
      {"", "seconds", 3000},
      {"", "miliseconds", 3},
      {"", "nanoseconds", 0.000003},
  };
  for (const Case& c : cases) {
    const std::string metadata = R"(, "metadata": {"timeunit": ")" + std::string(c.unit) + "\"}";
    const Recording r = parsed_t4(document(row_with(c.change), metadata));
    ASSERT_EQ(r.rows.size(), 1U);
    EXPECT_EQ(r.rows[0].time_ms, c.time_ms) << c.change << c.unit;
  }
}

TEST(T4, OddThingsAreWarnings) {
  const Recording r = parsed_t4(document(row_with(""), R"(, "extra": [1], "schema_version": "7.0.0",
    "metadata": {"zenodo": {"a": 1}, "nothing": null, "count": 3})"));
  EXPECT_EQ(r.warnings,
            (std::vector<std::string>{
                "\"extra\": unknown, left out",
                "schema_version: \"7.0.0\" is not known; read as if it were 1.0.0",
                "metadata.zenodo: left out; only text, numbers and booleans are kept"}));
  EXPECT_EQ(r.metadata, (Config{{"count", std::int64_t{3}}}));
}

std::string deep(std::size_t depth) { return std::string(depth, '[') + std::string(depth, ']'); }

TEST(T4, WhatIsWrongIsSaidWithItsPlace) {
  const std::string good = row_with("");
  const std::string many = "[0" + [] {
    std::string out;
    for (int i = 0; i < 1'000'000; ++i) out += ",0";
    return out;
  }() + "]";
  struct Case {
    std::string text;
    const char* message;
  };
  const Case cases[] = {
      {"",
       "line 1, column 1: syntax error while parsing value - unexpected end of input; "
       "expected '[', '{', or a literal"},
      {"[1]", "expected an object"},
      {"3", "expected an object"},
      {"{}", "results: missing or empty"},
      {document(""), "results: missing or empty"},
      {R"({"General": {}, "ConfigurationSpace": {}})",
       "it is a T1 file, which describes a problem, and results are wanted; `vyre tune FILE --out "
       "RESULTS.json` makes such a file"},
      {document(good).substr(0, 60),
       "line 1, column 61: syntax error while parsing object key - invalid string: missing closing "
       "quote; last read: '\"runtimes'; expected string literal"},
      {"{\n\"results\": nul}",
       "line 2, column 15: syntax error while parsing value - invalid literal; last read: "
       "'\"results\": nul}'"},
      {document(good) + "x",
       "line 1, column 99: syntax error while parsing value - invalid literal; last read: "
       "'\"correct\"}]}x'; expected end of input"},
      {"{\"results\": 3}", "results: expected a list"},
      {document("3"), "results[0]: expected an object"},
      {document(good + ", []"), "results[1]: expected an object"},
      {document(row_with(R"("invalidity": null,)")), "results[0].invalidity: missing"},
      {document(row_with(R"("invalidity": "slow",)")),
       "results[0].invalidity: expected timeout, compile, runtime, correctness, constraints or "
       "correct"},
      {document(row_with(R"("configuration": 1,)")),
       "results[0].configuration: expected an object"},
      {document(row_with(R"("configuration": {},)")),
       "results[0].configuration: expected at least one parameter"},
      {document(row_with(R"("configuration": {"x": [1]},)")),
       "results[0].configuration.x: expected text, a number, true or false"},
      {document(row_with(R"("configuration": {"a b": 18446744073709551615},)")),
       "results[0].configuration.\"a b\": expected an integer of 64 bits"},
      {document(row_with(R"("configuration": {"x": 1, "x": 2},)")),
       "results[0].configuration.x: there twice"},
      {document(good + "," + row_with(R"("configuration": {"x": 2, "z": 2},)")),
       "results[1].configuration.z: not a parameter of results[0]"},
      {document(row_with(R"("configuration": {"x": 2, "z": 2},)") + "," + good),
       "results[1].configuration.z: missing"},
      {document(good + "," + row_with(R"("configuration": {"x": 2},)") + "," + good),
       "results[2]: the same configuration as results[0]"},
      {document(row_with(R"("times": [],)")), "results[0].times: expected an object"},
      {document(row_with(R"("times": {"validation": "1"},)")),
       "results[0].times.validation: expected a number"},
      {document(row_with(R"("times": {"runtimes": [1, "2"]},)")),
       "results[0].times.runtimes: expected a list of numbers"},
      {document(row_with(R"("times": {"runtimes": [1, -2]},)")),
       "results[0].times.runtimes: expected numbers that are not negative"},
      {document(row_with(R"("times": {"runtimes": [1e999]},)")), "number overflow parsing '1e999'"},
      {document(row_with(R"("times": {},)")),
       "results[0]: correct, but has neither a measurement \"time\" nor runtimes above 0"},
      {document(row_with(R"("timestamp": 5,)")), "results[0].timestamp: expected text"},
      {document(row_with(R"("measurements": [{}],)")), "results[0].measurements[0].name: missing"},
      {document(row_with(R"("measurements": [{"name": "time", "value": "fast"}],)")),
       "results[0].measurements[0].value: expected a number"},
      {document(row_with(R"("measurements": [{"name": "time", "value": 0}],)")),
       "results[0].measurements[0].value: expected a number above 0"},
      {document(row_with(R"("measurements": [{"name": "time", "value": 1, "unit": "W"}],)")),
       "results[0].measurements[0].unit: expected ns, us, ms, s or nothing"},
      {document(good, R"(, "metadata": {"timeunit": "fortnights"})"),
       "metadata.timeunit: expected nanoseconds, microseconds, milliseconds or seconds"},
      {document(good, R"(, "schema_version": 1)"), "schema_version: expected text"},
      {document(deep(100'000)), "line 1, column 76: nested more than 64 deep"},
      {"{\"m\": \n" + deep(100'000) + "}", "line 2, column 64: nested more than 64 deep"},
      {document(row_with("\"times\": {\"runtimes\": " + many + "},")),
       "\"results\"[0]: more than 1000000 values"},
  };
  for (const Case& c : cases) {
    const auto recording = parse_t4(c.text, "r.json");
    ASSERT_FALSE(recording) << c.text.substr(0, 200);
    EXPECT_EQ(recording.error().message, std::string("\"r.json\": ") + c.message)
        << c.text.substr(0, 200);
    EXPECT_EQ(recording.error().kind, ErrorKind::bad_inputs);
  }
}

TEST(T4, AnyPrefixIsAnErrorAndNoCrash) {
  const std::string text = kKernelTuner;
  for (std::size_t size = 0; size < text.size(); ++size) {
    EXPECT_FALSE(parse_t4(std::string_view(text).substr(0, size), "r.json")) << size;
  }
}

}  // namespace
}  // namespace vyre::recording
