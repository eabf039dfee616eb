#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "base/files/whole_file.h"
#include "base/gzip.h"
#include "recording/t1_test_text.h"
#include "testing/shared_data.h"
#include "testing/temporary_folder.h"
#include "vyre/recording.h"

namespace vyre::recording {
namespace {

using Texts = std::vector<std::string>;

T1File parsed_t1(std::string_view text) {
  auto problem = parse_t1(text, "p.json");
  EXPECT_TRUE(problem) << (problem ? "" : problem.error().message);
  return problem.value_or(T1File{});
}

TEST(T1, ReadsEveryField) {
  const T1File p = parsed_t1(R"json({
    "General": {"BenchmarkName": "b", "FormatVersion": 1, "LoggingLevel": "Info",
                "TimeUnit": "Microseconds", "OutputFile": "out", "OutputFormat": "JSON_T4"},
    "ConfigurationSpace": {
      "TuningParameters": [
        {"Name": "x", "Type": "int", "Values": "[1] + list(range(2, 9, 2))", "Default": 4},
        {"Name": "f", "Type": "float", "Values": [1, 0.5], "Default": [1]},
        {"Name": "u", "Type": "uint", "Values": "[2**i for i in range(3)]"},
        {"Name": "b", "Type": "bool", "Values": "[0, True]", "Default": false},
        {"Name": "s", "Type": "string", "Values": "['row', 'col']"}],
      "Conditions": [{"Expression": "x % u == 0", "Parameters": ["x", "u"]}]},
    "Search": {"Name": "Random", "Attributes": [{"Name": "seed", "Value": 5},
                                                {"Name": "mode", "Value": "fast"}]},
    "Budget": [{"Type": "TuningDuration", "BudgetValue": 60},
               {"Type": "ConfigurationCount", "BudgetValue": 100},
               {"Type": "ConfigurationFraction", "BudgetValue": 0.5}],
    "KernelSpecification": {
      "BenchmarkName": "kb", "Language": "OpenCL", "KernelName": "k", "KernelFile": "k.cl",
      "KernelTypeNames": ["float"], "CompilerOptions": ["-O3"], "Profiling": true,
      "GlobalSizeType": "OpenCL", "GlobalSize": {"X": "1024 // x", "Y": 4},
      "LocalSize": {"X": "x", "Y": "1", "Z": "2"}, "GridDivX": ["x"], "GridDivZ": [],
      "ProblemSize": [4096, "x * 2"], "ProblemSizeNames": ["n", "m"],
      "Metrics": [{"Name": "GB/s", "Expression": "8 * n / time_ms / 1e6"}], "SharedMemory": 16, "SimulationInput": "in.json",
      "Device": {"PlatformId": 1, "DeviceId": 2, "Name": "gpu"},
      "Arguments": [
        {"Name": "a", "Type": "float", "Size": "ProblemSize[0]", "MemoryType": "Vector",
         "AccessType": "ReadWrite", "FillType": "Random", "FillValue": 1.5, "RandomSeed": 7,
         "TypeSize": 4, "MemType": "Constant", "Output": 1},
        {"Type": "int32", "MemoryType": "Scalar", "FillValue": 3},
        {"Type": "custom", "MemoryType": "Vector", "Size": 10, "FillType": "BinaryRaw",
         "DataSource": "d.bin"}],
      "ReferenceArguments": [
        {"Name": "r", "TargetName": "a", "FillType": "BinaryRaw", "DataSource": "r.bin",
         "ValidationMethod": "AbsoluteDifference", "ValidationThreshold": 0.01}]}})json");
  EXPECT_EQ(p.general, (General{"b", "1", "Info", "Microseconds", "out", "JSON_T4"}));
  using Values = std::vector<Value>;
  const auto i = [](std::int64_t value) { return Value(value); };
  const space::Definition space{{{"x", {i(1), i(2), i(4), i(6), i(8)}},
                                 {"f", {1.0, 0.5}},
                                 {"u", {i(1), i(2), i(4)}},
                                 {"b", Values{false, true}},
                                 {"s", {std::string("row"), std::string("col")}}},
                                {"x % u == 0"}};
  EXPECT_EQ(p.space, space);
  EXPECT_EQ(p.declared_default, (Config{{"x", i(4)}, {"f", 1.0}, {"b", false}}));
  EXPECT_EQ(p.search, (Search{"Random", {{"seed", "5"}, {"mode", "fast"}}}));
  EXPECT_EQ(p.budget, (std::vector<BudgetSpecification>{{BudgetKind::seconds, 60},
                                                        {BudgetKind::configurations, 100},
                                                        {BudgetKind::fraction, 0.5}}));
  const KernelSpecification& k = p.kernel;
  EXPECT_EQ(Texts({k.benchmark_name, k.language, k.kernel_name, k.kernel_file, k.simulation_input,
                   k.global_size_type}),
            Texts({"kb", "OpenCL", "k", "k.cl", "in.json", "OpenCL"}));
  EXPECT_EQ(k.kernel_type_names, Texts{"float"});
  EXPECT_EQ(k.compiler_options, Texts{"-O3"});
  EXPECT_TRUE(k.profiling);
  EXPECT_EQ(k.global_size, (Size3{"1024 // x", "4", "1"}));
  EXPECT_EQ(k.local_size, (Size3{"x", "1", "2"}));
  EXPECT_EQ(k.grid_divisors[0], Texts{"x"});
  EXPECT_EQ(k.problem_size, Texts({"4096", "x * 2"}));
  EXPECT_EQ(k.problem_size_names, Texts({"n", "m"}));
  using Pairs = std::vector<std::pair<std::string, std::string>>;
  EXPECT_EQ(k.metrics, (Pairs{{"GB/s", "8 * n / time_ms / 1e6"}}));
  EXPECT_EQ(k.shared_memory_bytes, 16);
  EXPECT_EQ(k.device, (DeviceSpecification{1, 2, "gpu"}));
  ASSERT_EQ(k.arguments.size(), 3U);
  EXPECT_EQ(k.arguments[0],
            (ArgumentSpecification{"a", "float", "Vector", "ReadWrite", "ProblemSize[0]", 4,
                                   "Random", 1.5, "", 7, true, true}));
  EXPECT_EQ(k.arguments[1].fill_value, 3);
  EXPECT_EQ(k.arguments[2].size, "10");
  EXPECT_EQ(k.arguments[2].data_source, "d.bin");
  ASSERT_EQ(k.references.size(), 1U);
  EXPECT_EQ(k.references[0].target_name, "a");
  EXPECT_EQ(k.references[0].data.data_source, "r.bin");
  EXPECT_EQ(k.references[0].validation_method, "AbsoluteDifference");
  EXPECT_EQ(k.references[0].validation_threshold, 0.01);
  EXPECT_EQ(p.warnings, Texts{});
  EXPECT_TRUE(p.unknown.empty());
}

TEST(T1, OlderFormsOfKttAreRead) {
  const T1File p = parsed_t1(t1_document(std::string("\"TuningParameters\": [") + kParameter + "]",
                                         std::string(kKernel) + R"(, "ReferenceData": {
    "ReferenceArguments": [{"Name": "r", "Type": "float", "MemoryType": "Vector"}],
    "ValidationPairs": [{"ReferenceName": "r", "TargetName": "out"}]})",
                                         R"(, "Budget": {"Type": "ConfigurationCount",
                                                    "BudgetValue": 9})"));
  EXPECT_EQ(p.budget, (std::vector<BudgetSpecification>{{BudgetKind::configurations, 9}}));
  ASSERT_EQ(p.kernel.references.size(), 1U);
  EXPECT_EQ(p.kernel.references[0].target_name, "out");
  EXPECT_EQ(p.warnings, Texts{});
  EXPECT_EQ(p.declared_default, std::nullopt);
}

TEST(T1, UnknownFieldsAreKeptAndNamed) {
  const T1File p = parsed_t1(with(R"(, "Extra": {"a": [1, 2]}, "odd name": null)"));
  EXPECT_EQ(p.warnings, (Texts{"Extra: not known; kept, but not used",
                               "\"odd name\": not known; kept, but not used"}));
  const std::vector<std::pair<std::string, std::string>> unknown{{"Extra", R"({"a":[1,2]})"},
                                                                 {"\"odd name\"", "null"}};
  EXPECT_EQ(p.unknown, unknown);
}

TEST(T1, OddThingsAreWarnings) {
  struct Case {
    std::string text;
    const char* warning;
  };
  const Case cases[] = {
      {with(R"(, "General": {"TimeUnit": "Miliseconds"})"),
       "General.TimeUnit: \"Miliseconds\" is not a word of T1; did you mean \"Milliseconds\"?"},
      {with(R"(, "General": {"OutputFormat": "HDF5"})"),
       "General.OutputFormat: \"HDF5\" is not a word of T1"},
      {with_kernel(std::string(kKernel) +
                   R"(, "Arguments": [{"Type": "float3", "MemoryType": "Vector"}])"),
       "KernelSpecification.Arguments[0].Type: \"float3\" is not a word of T1; did you mean "
       "\"float\"?"},
      {with_parameters(R"({"Name": "x", "Type": "int", "Values": "[1, 2, 1, 2.0]"})"),
       "ConfigurationSpace.TuningParameters[0].Values: 2 values are there more than once; taken "
       "once"},
      {with_parameters(R"({"Name": "x", "Type": "int", "Values": "[1]", "Default": "one"})"),
       "ConfigurationSpace.TuningParameters[0].Default: not of type int; ignored"},
      {with_parameters(R"({"Name": "x", "Type": "int", "Values": "[1]", "Default": [1, 2]})"),
       "ConfigurationSpace.TuningParameters[0].Default: not of type int; ignored"},
      {with_parameters(R"({"Name": "x", "Type": "int", "Values": "[1]", "Step": 2})"),
       "ConfigurationSpace.TuningParameters[0].Step: not known; kept, but not used"},
  };
  for (const Case& c : cases) {
    const T1File p = parsed_t1(c.text);
    EXPECT_EQ(p.warnings, Texts{c.warning}) << c.text;
  }
}

TEST(T1, ASizeThatDoesNotCompileIsAWarning) {
  const T1File p = parsed_t1(with_parameters(R"({"Name": "y", "Type": "int", "Values": "[1]"})"));
  ASSERT_EQ(p.warnings.size(), 2U);
  EXPECT_TRUE(p.warnings[0].starts_with("KernelSpecification.GlobalSize.X: \"64 // x\", column 7"))
      << p.warnings[0];
  EXPECT_TRUE(p.warnings[1].starts_with("KernelSpecification.LocalSize.X: \"x\", column 1"));
}

TEST(T1, FilesMayBeGzippedAndAreLimited) {
  const testing::TemporaryFolder folder;
  ASSERT_TRUE(write_file_atomically(folder / "p.json", *gzip(with(""))));
  EXPECT_TRUE(read_t1(folder / "p.json"));
  const auto limited = read_t1(folder / "p.json", {.file_bytes = 1000, .unpacked_bytes = 50});
  ASSERT_FALSE(limited);
  EXPECT_TRUE(limited.error().message.ends_with("gzip: unpacks to more than the limit of 50 bytes"))
      << limited.error().message;
  EXPECT_FALSE(read_t1(folder / "none.json"));
}

TEST(T1, TheSharedProblemsAreRead) {
  const auto files = testing::shared_files(VYRE_SOURCE_DIR, "search/t1");
  if (files.empty()) GTEST_SKIP() << "the shared problems are not beside the checkout";
  for (const auto& file : files) {
    const auto p = read_t1(file);
    ASSERT_TRUE(p) << p.error().message;
    EXPECT_GE(p->space.parameters.size(), 4U) << file;
    EXPECT_TRUE(p->declared_default) << file;
    EXPECT_EQ(p->declared_default->size(), p->space.parameters.size()) << file;
    const std::string stream = "KernelSpecification.Stream: not known; kept, but not used";
    EXPECT_TRUE(std::ranges::count(p->warnings, stream)) << file;
  }
}

}  // namespace
}  // namespace vyre::recording
