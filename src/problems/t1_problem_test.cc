// Problems made from T1 files and their kernels, and mistakes that are found before anything runs.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <fstream>

#include "base/files/whole_file.h"
#include "ir/rewrite/fold.h"
#include "problems/fill.h"
#include "testing/every_device.h"
#include "testing/temporary_folder.h"
#include "vyre/problem.h"

namespace vyre {
namespace {

using ::testing::HasSubstr;

constexpr const char* kSource = R"(
// __kernel void scale(no, such, thing)
__kernel void scale(__global const float* x, __global float* y, const int n, float a,
                    __local float* scratch) {
  for (int k = 0; k < items; ++k) {
    const int i = get_group_id(0) * block * items + k * block + get_local_id(0);
    if (i < n) y[i] = a * x[i];
  }
}
)";

constexpr const char* kT1 = R"({
  "General": {"BenchmarkName": "scaling"},
  "ConfigurationSpace": {
    "TuningParameters": [
      {"Name": "block", "Type": "int", "Values": "[16, 32, 64]", "Default": 32},
      {"Name": "items", "Type": "int", "Values": "[1, 2, 4]", "Default": 1}
    ],
    "Conditions": [{"Parameters": ["block", "items"], "Expression": "block * items <= 128"}]
  },
  "KernelSpecification": {
    "Language": "OpenCL", "KernelName": "scale", "KernelFile": "scale.cl",
    "GlobalSizeType": "OpenCL", "CompilerOptions": ["-cl-fast-relaxed-math", "-std=c++11"],
    "ProblemSize": [1024], "ProblemSizeNames": ["n"],
    "LocalSize": {"X": "block"}, "GlobalSize": {"X": "ProblemSize[0] // items"},
    "Arguments": [
      {"Name": "x", "Type": "float", "MemoryType": "Vector", "AccessType": "ReadOnly",
       "FillType": "Random", "FillValue": 2.0, "RandomSeed": 3, "Size": "ProblemSize[0]"},
      {"Name": "y", "Type": "float", "MemoryType": "Vector", "AccessType": "WriteOnly",
       "Size": "n + max(block) - 64"},
      {"Name": "n", "Type": "int32", "MemoryType": "Scalar", "FillValue": 1024},
      {"Name": "a", "Type": "float", "MemoryType": "Scalar", "FillValue": 1.5},
      {"Name": "scratch", "Type": "float", "MemoryType": "Local", "Size": "block * 2"}
    ],
    "Metrics": [{"Name": "GB/s", "Expression": "8 * ProblemSize[0] / time_ms / 1e6"}]
  }
})";

// The file with one piece of it replaced.
std::string changed(const std::string& from, const std::string& to, std::string text = kT1) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

class T1Problem : public ::testing::Test {
 protected:
  Expected<Problem> load(const std::string& t1, const ProblemSizes& sizes = {},
                         const char* source = kSource) {
    write("scale.cl", source);
    write("scale.json", t1);
    return load_problem(folder_ / "scale.json", sizes);
  }

  void write(const std::string& name, const std::string& text) {
    ASSERT_TRUE(write_file_atomically(folder_ / name, text));
  }

  // The error message, without the name of the file.
  std::string message(const std::string& t1, const ProblemSizes& sizes = {},
                      const char* source = kSource) {
    const auto problem = load(t1, sizes, source);
    if (problem) return "it was loaded";
    const std::string& text = problem.error().message;
    const std::size_t colon = text.find("json\": ");
    return colon == std::string::npos ? text : text.substr(colon + 7);
  }

  testing::TemporaryFolder folder_;
};

TEST_F(T1Problem, IsMadeAsTheFileSays) {
  const auto problem = load(kT1);
  ASSERT_TRUE(problem) << problem.error().message;
  EXPECT_EQ(problem->name, "scaling");
  EXPECT_EQ(problem->space.size(), 8U);
  EXPECT_EQ(problem->space.config_at(problem->default_index),
            (Config{{"block", 32}, {"items", 1}}));
  ASSERT_EQ(problem->inputs->size(), 1U);
  const auto x = values_of<float>(problem->inputs->at(0));
  ASSERT_EQ(x.size(), 1024U);
  EXPECT_EQ(x[5], static_cast<float>(2 * uniform(3, 5)));
  ASSERT_EQ(problem->input_origins.size(), 1U);
  EXPECT_EQ(problem->input_origins[0],
            (Origin{.type = "float", .span = 2, .seed = 3, .lanes = 1024}));
  EXPECT_EQ(made_from(problem->input_origins[0]), problem->inputs->at(0));
  EXPECT_THAT(x, ::testing::Each(::testing::AllOf(::testing::Ge(0.0F), ::testing::Lt(2.0F))));
  EXPECT_EQ(problem->arguments, (std::vector<std::pair<std::string, std::uint64_t>>{
                                    {"n", 1024}, {"a", std::bit_cast<std::uint32_t>(1.5F)}}));
  EXPECT_EQ(problem->reference, nullptr);
  EXPECT_EQ(problem->sizes, (std::map<std::string, double>{{"n", 1024}}));
  ASSERT_EQ(problem->metrics.size(), 1U);
  EXPECT_EQ(problem->metrics[0].expression, "8 * n / time_ms / 1e6");
  EXPECT_EQ(problem->sequence.def().programs[0].source->options, "-cl-fast-relaxed-math");
  EXPECT_EQ(problem->warnings,
            std::vector<std::string>{
                R"(compiler option "-std=c++11" is none of OpenCL's and is left out)"});
}

// Messages and tables begin with the name.
TEST_F(T1Problem, ANameThatWouldBreakALineIsQuoted) {
  const auto problem = load(changed("\"scaling\"", R"("a\n\u001b[31mb")"));
  ASSERT_TRUE(problem) << problem.error().message;
  EXPECT_EQ(problem->name, R"("a\x0a\x1b[31mb")");
}

TEST_F(T1Problem, ChangesWithTheFilesThatItsKernelIncludes) {
  const std::string source = std::string("#include \"parts/factor.h\"\n") + kSource;
  std::filesystem::create_directory(folder_ / "parts");
  const auto fingerprint_with = [&](const std::string& header) {
    write("parts/factor.h", header);
    const auto problem = load(kT1, {}, source.c_str());
    EXPECT_TRUE(problem) << problem.error().message;
    EXPECT_THAT(problem->sequence.def().programs[0].source->text, HasSubstr(header));
    return problem->sequence.fingerprint();
  };
  const auto before = fingerprint_with("#define FACTOR 1\n");
  EXPECT_EQ(fingerprint_with("#define FACTOR 1\n"), before);
  EXPECT_NE(fingerprint_with("#define FACTOR 2\n"), before);
}

TEST_F(T1Problem, KeepsOnlyWhatDividesTheSize) {
  const auto problem = load(kT1, {{"n", 96}});
  ASSERT_TRUE(problem) << problem.error().message;
  // 96 / items invocations: 96 and 48 and 24.
  EXPECT_EQ(problem->space.size(), 3U);
  for (std::uint64_t i = 0; i < problem->space.size(); ++i) {
    const Config config = problem->space.config_at(i);
    const auto block = std::get<std::int64_t>(*config.find("block"));
    const auto items = std::get<std::int64_t>(*config.find("items"));
    EXPECT_EQ(96 / items % block, 0) << to_string(config);
  }
}

TEST_F(T1Problem, ReplacesADefaultThatIsNotValid) {
  const auto problem = load(changed("\"Default\": 32", "\"Default\": 48"));
  ASSERT_TRUE(problem) << problem.error().message;
  EXPECT_THAT(problem->warnings, ::testing::Contains(HasSubstr("the default is not a valid")));
  const auto without = load(changed(", \"Default\": 32", "", changed(", \"Default\": 1}", "}")));
  ASSERT_TRUE(without) << without.error().message;
  EXPECT_THAT(without->warnings,
              ::testing::Contains("no Default is declared; untuned is block=16, items=1"));
}

TEST_F(T1Problem, HasTheGridOfItsGlobalSizeType) {
  struct Row {
    const char* rule;
    std::uint64_t groups;  // of block = 32, items = 1, n = 1024
  };
  const Row rows[] = {{R"("GlobalSizeType": "OpenCL")", 32},
                      {R"("GlobalSizeType": "CUDA")", 1024},
                      {R"("Stream": null)", 32},
                      {R"("GlobalSizeType": "CUDA", "GridDivX": ["block", "items * 3"])", 11}};
  for (const Row& row : rows) {
    const auto problem = load(changed(R"("GlobalSizeType": "OpenCL")", row.rule));
    ASSERT_TRUE(problem) << problem.error().message;
    const ir::Program& program = problem->sequence.def().programs[0];
    auto known = ir::default_bits(program.symbols);
    for (std::size_t k = 0; k < known.size(); ++k) {
      if (program.symbols[k].name == "n") known[k] = 1024;
    }
    EXPECT_EQ(ir::fold(program, program.grid[0], known), row.groups) << row.rule;
  }
}

TEST_F(T1Problem, TakesReferencesFromFilesAndConstants) {
  const auto with = [](const std::string& reference) {
    return changed(R"("Metrics": [)",
                   R"("ReferenceArguments": [{"Name": "r", "TargetName": "y", )" + reference +
                       R"(}], "Metrics": [)");
  };
  const auto constant = load(with(
      R"("FillType": "Constant", "FillValue": 4, "ValidationMethod": "SideBySideRelativeComparison",
         "ValidationThreshold": 0.01)"));
  ASSERT_TRUE(constant) << constant.error().message;
  ASSERT_NE(constant->reference, nullptr);
  EXPECT_EQ(values_of<float>(constant->reference->at(0)), std::vector<float>(1024, 4.0F));
  EXPECT_EQ(constant->tolerance.relative, 0.01);
  EXPECT_EQ(constant->tolerance.absolute, 0);
  write("y.bin", std::string(4096, '\1'));
  const auto file = load(with(R"("FillType": "BinaryRaw", "DataSource": "y.bin",
                                 "ValidationMethod": "SideBySideComparison",
                                 "ValidationThreshold": 0.5)"));
  ASSERT_TRUE(file) << file.error().message;
  EXPECT_EQ(file->reference->at(0), std::vector<std::byte>(4096, std::byte{1}));
  EXPECT_THAT(file->reference_origins.at(0).file, ::testing::EndsWith("/y.bin"));
  EXPECT_EQ(file->tolerance.absolute, 0.5);
}

TEST_F(T1Problem, FillsEveryType) {
  struct Row {
    const char* type;
    double value;
    std::vector<std::uint8_t> bytes;
  };
  const Row rows[] = {{"bool", 1, {1}},
                      {"int8", -2, {0xfe}},
                      {"uint16", 513, {1, 2}},
                      {"int32", -1, {0xff, 0xff, 0xff, 0xff}},
                      {"uint64", 1, {1, 0, 0, 0, 0, 0, 0, 0}},
                      {"half", 1.5, {0x00, 0x3e}},
                      {"half", 0, {0x00, 0x00}},
                      {"half", -1e9, {0x00, 0xfc}},
                      {"half", 0x1p-24, {0x01, 0x00}},
                      {"half2", 1, {0x00, 0x3c, 0x00, 0x3c}},
                      {"float2", 2, {0, 0, 0, 0x40, 0, 0, 0, 0x40}},
                      {"double", 1, {0, 0, 0, 0, 0, 0, 0xf0, 0x3f}}};
  for (const Row& row : rows) {
    recording::ArgumentSpecification argument;
    argument.type = row.type;
    argument.fill_type = "Constant";
    argument.fill_value = row.value;
    const auto type = find_type(argument);
    ASSERT_TRUE(type) << row.type;
    const auto made = filled(argument, *type, 1, {});
    ASSERT_TRUE(made) << row.type;
    EXPECT_EQ(made_from(made->origin), made->bytes) << row.type;
    std::vector<std::uint8_t> got;
    for (const std::byte b : made->bytes) got.push_back(std::to_integer<std::uint8_t>(b));
    EXPECT_EQ(got, row.bytes) << row.type << " " << row.value;
  }
}

struct Mistake {
  const char* from;
  const char* to;
  const char* message;
};

const Mistake kMistakes[] = {
    {R"("Language": "OpenCL")", R"("Language": "Metal")",
     R"(its kernel is written in "Metal"; vyre runs OpenCL C, CUDA C++, HIP C++ and GLSL: port the kernel, and set Language to "OpenCL", "CUDA", "HIP" or "Vulkan")"},
    {R"("Language": "OpenCL")", R"("Language": "OpenCl")",
     R"(Language: "OpenCl" is written "OpenCL")"},
    {R"("ProblemSize": [1024], "ProblemSizeNames": ["n"],)", "",
     R"(GlobalSize.X: "ProblemSize[0] // items" needs a ProblemSize, and the file has none; add one to KernelSpecification, as "ProblemSize": [1024])"},
    {R"("GlobalSize": {"X": "ProblemSize[0] // items"})",
     R"("GlobalSize": {"X": "ProblemSize[1]"})",
     R"(GlobalSize.X: "ProblemSize[1]" names a size that is not there; ProblemSize has 1: n = 1024)"},
    {R"("Size": "ProblemSize[0]")", R"("Size": "ProblemSize")",
     R"(argument "x": Size: "ProblemSize" names a size that is not there)"},
    {R"(, "Size": "ProblemSize[0]")", "",
     R"(argument "x": Size: it is missing; give the number of elements, as "ProblemSize[0]")"},
    {R"("Type": "float", "MemoryType": "Scalar")", R"("Type": "int", "MemoryType": "Scalar")",
     R"(argument "a": there is no type "int"; write "int32")"},
    {R"("Type": "float", "MemoryType": "Scalar")", R"("Type": "floatt", "MemoryType": "Scalar")",
     R"(argument "a": there is no type "floatt"; did you mean "float"?)"},
    {R"("Metrics": [)",
     R"("ReferenceArguments": [{"Name": "r", "TargetName": "y", "FillType": "Constant", "ValidationMethod": "CustomComparison", "ValidationThreshold": 1}], "Metrics": [)",
     R"(reference of "y": vyre has no ValidationMethod "CustomComparison"; judge with --verify)"},
    {R"("General": {)",
     R"("Budget": [{"Type": "ConfigurationFraction", "BudgetValue": 1.5}], "General": {)",
     R"(Budget: a ConfigurationFraction is at most 1, not 1.5)"},
    {R"("General": {)", R"("Budget": [{"Type": "TuningDuration", "BudgetValue": 0}], "General": {)",
     R"(Budget: a BudgetValue of 0 tunes nothing; raise it)"},
    {R"("KernelName": "scale")", R"("KernelName": "scaled")",
     R"~(the source has no kernel "scaled"; did you mean "scale"?; correct KernelName)~"},
    {R"("ProblemSize": [1024])", R"("ProblemSize": [0])",
     R"(problem size "n" cannot be 0; give a number from 1 to 4294967295)"},
    {R"("ProblemSize": [1024])", R"("ProblemSize": ["1.5"])",
     R"(ProblemSize: "1.5" is no whole number; give one)"},
    {R"("ProblemSize": [1024])", R"("ProblemSize": ["block * 8"])",
     R"(ProblemSize: "block * 8" is no whole number; give one)"},
    {R"("ProblemSizeNames": ["n"])", R"("ProblemSizeNames": ["n", "m"])",
     "ProblemSizeNames has 2 names for 1 sizes; give one name for each"},
    {R"("ProblemSizeNames": ["n"])", R"("ProblemSizeNames": ["for"])",
     R"(ProblemSizeNames: "for" cannot be a name; use letters, digits and _)"},
    {R"("LocalSize": {"X": "block"})", R"("LocalSize": {"X": "block / 2"})",
     R"(LocalSize.X: "block / 2": "block / 2" divides with "/", which gives a fraction; write "//")"},
    {R"("Size": "ProblemSize[0]")", R"("Size": "ProblemSize[0] * items")",
     R"~(argument "x": Size: "n * items": "items" differs between configurations, but the data does not; write max(items) for the largest)~"},
    {R"("Size": "ProblemSize[0]")", R"("Size": "0")",
     R"(argument "x": Size "0" must give 1 element to 2 GiB of them, with n = 1024)"},
    {R"("Size": "ProblemSize[0]")", R"("Size": "n * n * 4000")",
     R"(argument "x": Size "n * n * 4000" must give 1 element to 2 GiB of them, with n = 1024)"},
    {R"("FillType": "Random")", R"("FillType": "Script")",
     R"(argument "x": vyre does not fill with "Script"; write the data to a file and use BinaryRaw)"},
    {R"("FillType": "Random")", R"("FillType": "BinaryRaw")",
     R"(argument "x": BinaryRaw needs a DataSource, the file to read)"},
    {R"({"Name": "a", "Type": "float", "MemoryType": "Scalar", "FillValue": 1.5},)", "",
     R"(kernel "scale" takes 5 arguments, but Arguments lists 4; list one for each parameter, in order)"},
    {R"("Type": "float", "MemoryType": "Scalar")", R"("Type": "float", "MemoryType": "Vector")",
     R"(argument "a" is a Vector, but the kernel's parameter "float a" takes a Scalar; check the order of Arguments and its MemoryType)"},
    {R"("Type": "float", "MemoryType": "Scalar")", R"("Type": "double", "MemoryType": "Scalar")",
     R"(argument "a" is of type double, but the kernel's parameter is "float a"; correct its Type)"},
    {R"("Type": "float", "MemoryType": "Scalar")", R"("Type": "float4", "MemoryType": "Scalar")",
     R"(argument "a": a scalar cannot be a float4; pass it as a Vector of one)"},
    {R"("Type": "float", "MemoryType": "Scalar")", R"("Type": "float", "MemoryType": "Symbol")",
     R"(argument "a": OpenCL has no memory of type "Symbol"; use Vector, Scalar or Local)"},
    {R"("Type": "float", "MemoryType": "Scalar")", R"("Type": "real", "MemoryType": "Scalar")",
     R"(argument "a": there is no type "real"; use one of T1's, as "float")"},
    {R"("Type": "float", "MemoryType": "Vector", "AccessType": "ReadOnly")",
     R"("Type": "custom", "MemoryType": "Vector", "AccessType": "ReadOnly")",
     R"(argument "x": a custom type needs a TypeSize from 1 to 65536 bytes)"},
    {R"("Type": "float", "MemoryType": "Vector", "AccessType": "ReadOnly")",
     R"("Type": "custom", "TypeSize": 4, "MemoryType": "Vector", "AccessType": "ReadOnly")",
     R"~(argument "x": a custom type is filled with zeros or from a file (BinaryRaw))~"},
    {R"("MemoryType": "Scalar", "FillValue": 1.5)", R"("MemoryType": "Scalar")",
     R"(argument "a": a scalar needs a FillValue)"},
    {R"("Name": "n", "Type": "int32")", R"("Name": "n", "Type": "int64")",
     R"(argument "n" is a problem size, passed as 32 bits; make it an int32 or uint32, or give it another name)"},
    {R"("Expression": "8 *)", R"("Expression": "8 * size *)", R"(Metrics: "GB/s": )"},
};

TEST_F(T1Problem, SaysWhatIsWrongAndWhatToDo) {
  for (const Mistake& mistake : kMistakes) {
    EXPECT_THAT(message(changed(mistake.from, mistake.to)), ::testing::StartsWith(mistake.message))
        << mistake.to;
  }
}

TEST_F(T1Problem, KnowsWhatItsFileAsksFor) {
  const auto nothing = load(kT1);
  ASSERT_TRUE(nothing) << nothing.error().message;
  EXPECT_FALSE(nothing->asked.seconds);
  EXPECT_FALSE(nothing->asked.evaluations);
  EXPECT_EQ(nothing->asked.strategy, "");
  const auto problem = load(changed("\"General\"", R"(
    "Budget": [{"Type": "TuningDuration", "BudgetValue": 90}, {"Type": "TuningDuration", "BudgetValue": 2.5},
               {"Type": "ConfigurationFraction", "BudgetValue": 0.3},
               {"Type": "ConfigurationCount", "BudgetValue": 1e300}],
    "Search": {"Name": "random", "Attributes": [{"Name": "maxiter", "Value": 3}]}, "General")"));
  ASSERT_TRUE(problem) << problem.error().message;
  EXPECT_EQ(problem->asked.seconds, 2.5);
  EXPECT_EQ(problem->asked.evaluations, 3U) << "of 8 configurations";
  EXPECT_EQ(problem->asked.strategy, "random");
  EXPECT_THAT(problem->warnings,
              ::testing::Contains("Search.Attributes are not used: \"maxiter\""));
}

TEST_F(T1Problem, SaysWhichSizesNoConfigurationDivides) {
  EXPECT_THAT(
      message(kT1, {{"n", 1000}}),
      ::testing::AllOf(
          ::testing::StartsWith("no configuration divides the problem size n = 1000: "),
          ::testing::EndsWith(
              R"~(; choose sizes that make GlobalSize.X ("ProblemSize[0] // items") a multiple of "block")~")));
  EXPECT_EQ(message(kT1, {{"N", 64}}),
            R"(there is no problem size "N"; did you mean "n"?; it has: n = 1024)");
}

TEST_F(T1Problem, RefusesParametersThatAreNoDefinitions) {
  const std::string more =
      R"({"Name": "items", "Type": "int", "Values": "[1, 2, 4]", "Default": 1})";
  EXPECT_EQ(
      message(changed(more, more + R"(, {"Name": "t", "Type": "string", "Values": "['a']"})")),
      R"(parameter "t": "a" cannot be a definition of the preprocessor beside the others; )"
      "number the choices, and let the kernel choose with #if");
  EXPECT_EQ(message(changed(more, more + R"(, {"Name": "t", "Type": "float", "Values": "[0.1]"})")),
            R"(parameter "t": 0.1 is no 32-bit float; use one, as 0.25, or whole numbers)");
}

TEST_F(T1Problem, NamesAMissingKernelFile) {
  write("scale.json", kT1);
  const auto problem = load_problem(folder_ / "scale.json");
  ASSERT_FALSE(problem);
  EXPECT_THAT(problem.error().message, HasSubstr("scale.json\": KernelFile: "));
  EXPECT_THAT(problem.error().message, HasSubstr("scale.cl"));
  EXPECT_THAT(problem.error().message,
              ::testing::EndsWith("; it is looked for beside the T1 file"));
  EXPECT_FALSE(load_problem(folder_ / "none.json"));
}

TEST_F(T1Problem, NamesADataFileOfTheWrongSize) {
  write("x.bin", "1234");
  const std::string t1 =
      changed(R"("FillType": "Random")", R"("FillType": "BinaryRaw", "DataSource": "x.bin")");
  EXPECT_THAT(message(t1),
              ::testing::EndsWith("has 4 bytes, but 4096 are needed; check Size and Type"));
}

TEST_F(T1Problem, TakesSignaturesThatItCannotReadOnTrust) {
  // Preprocessor lines stand among the parameters.
  EXPECT_TRUE(load(kT1, {}, R"(
__kernel __attribute__((reqd_work_group_size(block, 1, 1))) void scale(
#ifdef FIVE
  real x)
#endif
{})"));
  EXPECT_TRUE(load(kT1, {}, R"(typedef float real;
kernel void __attribute__((vec_type_hint(float4))) scale(global real x[], global float4* y,
                  unsigned int n, float a, local float* s) {})"));
  EXPECT_EQ(message(kT1, {}, R"(
kernel void scale(global float* x, global unsigned char* y, int n, float a, local float* s) {})"),
            "argument \"y\" is of type float, but the kernel's parameter is \"global unsigned char "
            "* y\"; correct its Type");
}

TEST(openclT1Problem, RunsWithEveryKindOfArgument) {
  testing::TemporaryFolder folder;
  ASSERT_TRUE(write_file_atomically(folder / "scale.cl", kSource));
  ASSERT_TRUE(write_file_atomically(folder / "scale.json", kT1));
  const auto problem = load_problem(folder / "scale.json", {{"n", 256}});
  ASSERT_TRUE(problem) << problem.error().message;
  const Input x = problem->inputs->at(0);
  std::vector<Argument> arguments;
  for (const auto& [name, bits] : problem->arguments) arguments.push_back({name, bits});
  for (const std::uint64_t index : {std::uint64_t{0}, problem->space.size() - 1}) {
    const Config config = problem->space.config_at(index);
    const auto outputs = testing::dispatcher_on("opencl").dispatch(
        problem->sequence, {.inputs = {&x, 1}, .arguments = arguments, .config = &config});
    ASSERT_TRUE(outputs) << outputs.error().message;
    std::vector<float> expected = values_of<float>(x);
    for (float& value : expected) value *= 1.5F;
    EXPECT_EQ(values_of<float>(outputs->at(0)), expected) << to_string(config);
  }
}

TEST(T1InMemory, NeedsNoFile) {
  const testing::TemporaryFolder folder;
  const auto t1 = recording::parse_t1(kT1, "scale.json");
  ASSERT_TRUE(t1) << t1.error().message;
  const auto problem = t1_problem(*t1, kSource, folder.path(), {{"n", 256}});
  ASSERT_TRUE(problem) << problem.error().message;
  EXPECT_EQ(problem->name, "scaling");
  EXPECT_EQ(problem->inputs->at(0).size(), 256 * sizeof(float));
  const auto other = t1_problem(*t1, "__kernel void other() {}", folder.path());
  ASSERT_FALSE(other);
  EXPECT_EQ(other.error().message, "the source has no kernel \"scale\"; correct KernelName");
}

TEST(T1InMemory, HasTheIncludedFilesWrittenIntoItsKernel) {
  const testing::TemporaryFolder folder;
  ASSERT_TRUE(write_file_atomically(folder / "part.h", kSource));
  const auto t1 = recording::parse_t1(kT1, "scale.json");
  ASSERT_TRUE(t1) << t1.error().message;
  const auto problem = t1_problem(*t1, "#include \"part.h\"\n", folder.path());
  ASSERT_TRUE(problem) << problem.error().message;
  EXPECT_THAT(problem->sequence.def().programs.at(0).source->text, HasSubstr("void scale"));
}

}  // namespace
}  // namespace vyre
