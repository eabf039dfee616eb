#include <gtest/gtest.h>

#include <string>

#include "recording/t1_test_text.h"
#include "vyre/recording.h"

namespace vyre::recording {
namespace {

TEST(T1, WhatIsWrongIsSaidWithItsPlace) {
  const auto value_of = [](const char* type, const char* values) {
    return with_parameters(std::string(R"({"Name": "x", "Type": ")") + type + R"(", "Values": )" +
                           values + "}");
  };
  std::string many;
  for (int i = 0; i < 1001; ++i) many += std::string(kParameter) + ",";
  many.pop_back();
  constexpr const char* kValues = "ConfigurationSpace.TuningParameters[0].Values: ";
  struct Case {
    std::string text;
    std::string message;  // its start
  };
  const Case cases[] = {
      {"[]", "expected an object"},
      {"{\"a\": \n 1,}", "line 2, column 4: syntax error while parsing object key"},
      {"{}", "ConfigurationSpace: missing"},
      {R"({"ConfigurationSpace": []})", "ConfigurationSpace: expected an object"},
      {t1_document("", kKernel), "ConfigurationSpace.TuningParameters: missing"},
      {t1_document(R"("TuningParameters": {})", kKernel),
       "ConfigurationSpace.TuningParameters: expected a list"},
      {with_parameters(""), "ConfigurationSpace.TuningParameters: expected at least one parameter"},
      {with_parameters("1"), "ConfigurationSpace.TuningParameters[0]: expected an object"},
      {with_parameters(many), "ConfigurationSpace.TuningParameters: more than 1000 elements"},
      {with_parameters(R"({"Name": 1})"),
       "ConfigurationSpace.TuningParameters[0].Name: expected text"},
      {with_parameters(R"({"Name": "x", "Values": "[1]"})"),
       "ConfigurationSpace.TuningParameters[0].Type: missing"},
      {with_parameters(std::string(kParameter) + "," + kParameter),
       "ConfigurationSpace.TuningParameters[1]: parameter \"x\" is there twice"},
      {value_of("long", "[1]"),
       "ConfigurationSpace.TuningParameters[0].Type: expected int, uint, float, bool or string"},
      {value_of("int", "3"), kValues + std::string("expected a list, or text that is one")},
      {value_of("int", "[]"), kValues + std::string("expected at least one value")},
      {value_of("int", "[[1]]"), "ConfigurationSpace.TuningParameters[0].Values[0]: expected text"},
      {value_of("int", "[1, 0.5]"), kValues + std::string("0.5 is no int")},
      {value_of("uint", "[-1]"), kValues + std::string("-1 is no uint")},
      {value_of("float", "[\"a\"]"), kValues + std::string("\"a\" is no float")},
      {value_of("bool", "[2]"), kValues + std::string("2 is no bool")},
      {value_of("string", "[2]"), kValues + std::string("2 is no string")},
      {value_of("int", "\"[1, 2\""), kValues + std::string("\"[1, 2\", column ")},
      {value_of("int", "\"range(10**7)\""), kValues},
      {value_of("int", "\"range(10**6 + 1)\""),
       "ConfigurationSpace.TuningParameters[0]: more than 1000000 values of parameters"},
      {with_parameters(kParameter, "{}"), "ConfigurationSpace.Conditions[0].Expression: missing"},
      {with_parameters(kParameter, R"({"Expression": "x >"})"),
       "ConfigurationSpace.Conditions[0].Expression: \"x >\", column "},
      {with_parameters(kParameter, R"({"Expression": "y > 1"})"),
       "ConfigurationSpace.Conditions[0].Expression: \"y > 1\", column 1"},
      {with_kernel(R"("KernelName": "k")"), "KernelSpecification.Language: missing"},
      {R"({"ConfigurationSpace": {"TuningParameters": [)" + std::string(kParameter) +
           R"(]}, "KernelSpecification": [{}, {}]})",
       "KernelSpecification: a list of kernels; a file describes one: write a file for each"},
      {with_kernel(R"("Language": "CUDA", "KernelName": "k")"),
       "KernelSpecification.KernelFile: missing"},
      {with_kernel(R"("Language": "CUDA", "KernelName": "k", "KernelFile": "f")"),
       "KernelSpecification.GlobalSize: missing"},
      {with_kernel(R"("Language": "CUDA", "KernelName": "k", "KernelFile": "f",
                      "GlobalSize": {"Y": "1"})"),
       "KernelSpecification.GlobalSize.X: missing"},
      {with_kernel(R"("Language": "CUDA", "KernelName": "k", "KernelFile": "f",
                      "GlobalSize": {"X": []})"),
       "KernelSpecification.GlobalSize.X: expected an expression as text, or a number"},
      {with_kernel(std::string(kKernel) + R"(, "Profiling": "yes")"),
       "KernelSpecification.Profiling: expected true or false"},
      {with_kernel(std::string(kKernel) + R"(, "SharedMemory": 0.5)"),
       "KernelSpecification.SharedMemory: expected an integer"},
      {with_kernel(std::string(kKernel) + R"(, "CompilerOptions": ["-O", 3])"),
       "KernelSpecification.CompilerOptions: expected a list of texts"},
      {with_kernel(std::string(kKernel) + R"(, "ProblemSizeNames": [1])"),
       "KernelSpecification.ProblemSizeNames: expected a list of texts"},
      {with_kernel(std::string(kKernel) + R"(, "Metrics": [{"Name": "GB/s"}])"),
       "KernelSpecification.Metrics[0].Expression: missing"},
      {with_kernel(std::string(kKernel) + R"(, "ProblemSize": [[]])"),
       "KernelSpecification.ProblemSize: expected a list of numbers and expressions"},
      {with_kernel(std::string(kKernel) + R"(, "Arguments": [{"Type": "float"}])"),
       "KernelSpecification.Arguments[0].MemoryType: missing"},
      {with_kernel(std::string(kKernel) + R"(, "ReferenceData": {"ValidationPairs":
                   [{"ReferenceName": "a", "TargetName": "b"}]})"),
       "KernelSpecification.ReferenceData.ValidationPairs[0]: expected the name of one of the "
       "ReferenceArguments"},
      {with(R"(, "Budget": [{"Type": "Energy", "BudgetValue": 1}])"),
       "Budget[0].Type: expected TuningDuration, ConfigurationCount or ConfigurationFraction"},
      {with(R"(, "Budget": [{"Type": "TuningDuration", "BudgetValue": -1}])"),
       "Budget[0].BudgetValue: expected a number that is not negative"},
      {with(R"(, "Search": {"Attributes": []})"), "Search.Name: missing"},
      {with((", \"a\": " + std::string(100'000, '[')).c_str()), "line 2, column "},
  };
  for (const Case& c : cases) {
    const auto problem = parse_t1(c.text, "p.json");
    ASSERT_FALSE(problem) << c.text.substr(0, 300);
    EXPECT_TRUE(problem.error().message.starts_with("\"p.json\": " + c.message))
        << problem.error().message << "\n"
        << c.message;
    EXPECT_EQ(problem.error().message.find('\n'), std::string::npos);
  }
}

TEST(T1, AnyPrefixIsAnErrorAndNoCrash) {
  const std::string text = with(R"(, "Search": {"Name": "Random"})");
  for (std::size_t size = 0; size < text.size(); ++size) {
    EXPECT_FALSE(parse_t1(std::string_view(text).substr(0, size), "p.json")) << size;
  }
}

}  // namespace
}  // namespace vyre::recording
