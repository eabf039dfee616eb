#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <limits>
#include <set>
#include <string>

#include "base/files/whole_file.h"
#include "base/gzip.h"
#include "base/json_node.h"
#include "recording/t4_test_text.h"
#include "testing/shared_data.h"
#include "testing/temporary_folder.h"
#include "vyre/recording.h"

namespace vyre::recording {
namespace {

Recording read_back(std::string_view text) {
  auto recording = parse_t4(text, "r.json");
  EXPECT_TRUE(recording) << (recording ? "" : recording.error().message);
  return recording.value_or(Recording{});
}

TEST(T4, WhatIsWrittenIsThis) {
  const auto text = to_t4(read_back(kKernelTuner));
  ASSERT_TRUE(text);
  EXPECT_EQ(*text, R"({
"metadata": {"device":"A4000","timeunit":"milliseconds"},
"results": [
{"timestamp":"2023-12-22 09:53:48","configuration":{"y":4,"x":16,"pad":true},"times":{"compilation":10.5,"compilation_time":10.5,"framework":2.0,"search_algorithm":3.0,"validation":4.0,"runtimes":[1.5,1.25]},"invalidity":"correct","correctness":1,"measurements":[{"name":"time","value":1.375,"unit":"ms"}],"objectives":["time"]},
{"timestamp":"","configuration":{"y":4,"x":8,"pad":false},"times":{"compilation":3.0,"compilation_time":3.0,"framework":0.0,"search_algorithm":0.0,"validation":0.0,"runtimes":[]},"invalidity":"compile","correctness":0,"measurements":[{"name":"time","value":"CompilationFailedConfig","unit":"ms"}],"objectives":["time"]}
],
"schema_version": "1.0.0"
}
)");
}

// The part of JSON schema that the T4 schema uses; empty if `value` fits, else where it does not.
std::string misfit(const Json& value, const Json& schema, const std::string& path);

bool has_type(const Json& value, const std::string& type) {
  if (type == "number") return value.is_number();
  return type == (value.is_array() ? "array" : value.type_name());
}

std::string misfit_of_members(const Json& value, const Json& schema, const std::string& path) {
  const Json required = schema.value("required", Json::array());
  for (const Json& key : required) {
    if (!value.contains(key.get<std::string>())) return path + ": lacks " + key.dump();
  }
  const Json properties = schema.value("properties", Json::object());
  for (const auto& [key, part] : properties.items()) {
    if (!value.is_object() || !value.contains(key)) continue;
    if (auto bad = misfit(value[key], part, path + "." + key); !bad.empty()) return bad;
  }
  if (!schema.contains("items")) return "";
  for (const Json& element : value) {
    if (auto bad = misfit(element, schema["items"], path + "[]"); !bad.empty()) return bad;
  }
  return "";
}

std::string misfit(const Json& value, const Json& schema, const std::string& path) {
  Json types = schema.value("type", Json::array());
  if (types.is_string()) types = Json::array({types});
  const auto fits = [&](const Json& type) { return has_type(value, type.get<std::string>()); };
  if (!types.empty() && std::ranges::none_of(types, fits)) return path + ": wrong type";
  if (schema.contains("enum") && std::ranges::count(schema["enum"], value) == 0) {
    return path + ": not in enum";
  }
  return misfit_of_members(value, schema, path);
}

TEST(T4, WhatIsWrittenFitsTheSchema) {
  const auto shared = testing::shared_dir(VYRE_SOURCE_DIR);
  if (!shared) GTEST_SKIP() << "the shared schemas are not beside the checkout";
  const Json schema = Json::parse(*read_file(*shared / "search/schema/T4-results.json", 100'000));
  const Json written = Json::parse(*to_t4(read_back(kKernelTuner)));
  EXPECT_EQ(misfit(written, schema, ""), "");
  // The check itself finds faults.
  Json wrong = written;
  wrong["results"][0]["invalidity"] = "ok";
  EXPECT_EQ(misfit(wrong, schema, ""), ".results[].invalidity: not in enum");
  wrong = written;
  wrong["results"][1].erase("correctness");
  EXPECT_EQ(misfit(wrong, schema, ""), ".results[]: lacks \"correctness\"");
  wrong = written;
  wrong["results"][1]["times"]["runtimes"] = 3;
  EXPECT_EQ(misfit(wrong, schema, ""), ".results[].times.runtimes: wrong type");
}

TEST(T4, WritingAndReadingIsIdentity) {
  const Recording r = read_back(kKernelTuner);
  const auto text = to_t4(r);
  ASSERT_TRUE(text);
  EXPECT_EQ(read_back(*text), r);
  EXPECT_EQ(to_t4(read_back(*text)), *text);
}

rc::Gen<Recording> any_recording() {
  return rc::gen::exec([] {
    const auto reals = *rc::gen::unique<std::vector<double>>(
        3, rc::gen::map(rc::gen::arbitrary<std::int32_t>(), [](auto n) { return n / 7.0; }));
    std::set<Value> sorted(reals.begin(), reals.end());
    Recording r;
    r.parameters = {{"n", {}}, {"r\"\n", {sorted.begin(), sorted.end()}}};
    r.metadata.set("device", *rc::gen::element<std::string>("", "µ\t\"x\"", "A100"));
    const auto count = *rc::gen::inRange<std::uint32_t>(3, 20);
    for (std::uint32_t i = 0; i < count; ++i) {
      r.parameters[0].values.emplace_back(std::int64_t{i} * i - 5);
      Row row{.point = {i, i % 3}};
      row.status = *rc::gen::element(Status::ok, Status::timeout, Status::compile, Status::runtime,
                                     Status::correctness, Status::constraints);
      const auto time = rc::gen::map(rc::gen::positive<int>(), [](int n) { return n / 1e7; });
      row.run_ms = *rc::gen::container<std::vector<double>>(time);
      row.compile_ms = *time;
      if (row.status == Status::ok) row.time_ms = *time;
      r.rows.push_back(std::move(row));
    }
    return r;
  });
}

TEST(T4, WritingAndReadingIsIdentityForAnyRecording) {
  EXPECT_TRUE(rc::check("parse_t4(to_t4(x)) == x", [] {
    const Recording r = *any_recording();
    const auto text = to_t4(r);
    RC_ASSERT(text.has_value());
    const auto again = parse_t4(*text, "r.json");
    RC_ASSERT(again.has_value());
    RC_ASSERT(*again == r);
  }));
}

TEST(T4, WhatCannotBeWrittenIsSaid) {
  const auto message_after = [](auto change) {
    Recording r = read_back(kKernelTuner);
    change(r);
    const auto text = to_t4(r);
    return text ? "no error" : text.error().message;
  };
  EXPECT_EQ(message_after([](Recording& r) { r.rows.clear(); }),
            "nothing to write: the recording has no rows");
  EXPECT_EQ(message_after([](Recording& r) { r.rows[1].point.pop_back(); }),
            "row 1: 2 values for 3 parameters");
  EXPECT_EQ(message_after([](Recording& r) { r.rows[1].point[1] = 9; }),
            "row 1: parameter \"x\" has no value 9");
  EXPECT_EQ(message_after([](Recording& r) { r.rows[1].time_ms = 1; }),
            "row 1: a time above 0 must be there exactly if the status is ok");
  EXPECT_EQ(message_after([](Recording& r) { r.rows[0].time_ms = 0; }),
            "row 0: a time above 0 must be there exactly if the status is ok");
  EXPECT_EQ(message_after([](Recording& r) { r.rows[0].run_ms = {-1}; }),
            "row 0: run times must not be negative, and all times finite");
  EXPECT_EQ(message_after([](Recording& r) {
              r.parameters[1].values[0] = std::numeric_limits<double>::infinity();
            }),
            "parameter \"x\": not finite");
  EXPECT_EQ(message_after([](Recording& r) {
              r.metadata.set("a", std::numeric_limits<double>::quiet_NaN());
            }),
            "metadata \"a\": not finite");
  EXPECT_EQ(message_after([](Recording& r) { r.rows[0].timestamp = "\xff"; }),
            "a name, value or time stamp is not UTF-8, so JSON cannot hold it");
}

TEST(T4, FilesAreGzippedByName) {
  const testing::TemporaryFolder folder;
  const Recording r = read_back(kKernelTuner);
  for (const char* name : {"r.json", "r.json.gz"}) {
    ASSERT_TRUE(write_t4(folder / name, r)) << name;
    EXPECT_EQ(read_recording(folder / name), r) << name;
  }
  EXPECT_FALSE(is_gzip(*read_file(folder / "r.json", 10'000)));
  EXPECT_TRUE(is_gzip(*read_file(folder / "r.json.gz", 10'000)));
}

}  // namespace
}  // namespace vyre::recording
