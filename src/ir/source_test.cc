// Programs whose body is source text: text form, fingerprint, rules.

#include <gtest/gtest.h>

#include "vyre/builder.h"
#include "vyre/program.h"

namespace vyre::ir {
namespace {

constexpr const char* kText = R"(program scale {
  shape n: u32
  scalar factor: u64
  tunable block: u32 = 64u
  read_write x: bytes8[n]
  local tile: f32[block]
  workgroup [block]
  source opencl_c "scale"(x, tile, n, factor: 1) options "-DA=\"b\""
    "kernel void scale() {"
    "  // \x09tab"
    "}"
    ""
}
)";

Program scale() {
  auto program = parse_program(kText);
  EXPECT_TRUE(program) << program.error().message;
  return *std::move(program);
}

TEST(Source, PrintsAndParsesBack) {
  const Program program = scale();
  EXPECT_EQ(print(program), kText);
  EXPECT_EQ(program.source->text, "kernel void scale() {\n  // \ttab\n}\n");
  EXPECT_EQ(program.source->options, "-DA=\"b\"");
  EXPECT_EQ(program.buffers[0].opaque_bytes, 8U);
  EXPECT_EQ(element_bytes(program.buffers[0]), 8U);
  EXPECT_EQ(element_bytes(program.buffers[1]), 4U);
}

TEST(Source, KeepsTheNameOfItsFile) {
  Program program = scale();
  program.source->file = "my \"scale\".cl";
  const auto again = parse_program(print(program));
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(again->source->file, "my \"scale\".cl");
  EXPECT_EQ(*again, program);
}

TEST(Source, IsBuiltWithTheSameDeclarationsAsAProgram) {
  const Program parsed = scale();
  const auto built = from_source("scale", *parsed.source, [](Builder& b) {
    const Value n = b.shape("n");
    b.scalar(Scalar::u64, "factor");
    const Value block = b.tunable("block", 64);
    b.read_write(opaque(8), "x", n);
    b.local(Scalar::f32, "tile", block);
    b.workgroup(block);
  });
  ASSERT_TRUE(built) << built.error().message;
  EXPECT_EQ(*built, parsed);
}

struct Change {
  const char* name;
  void (*make)(Program&);
  bool counts;
};

void PrintTo(const Change& change, std::ostream* out) { *out << change.name; }

class SourceFingerprint : public ::testing::TestWithParam<Change> {};

TEST_P(SourceFingerprint, ChangesWithWhatCanChangeTheWinner) {
  Program changed = scale();
  GetParam().make(changed);
  ASSERT_TRUE(validate(changed).empty()) << validate(changed).front().message;
  EXPECT_EQ(fingerprint(changed) != fingerprint(scale()), GetParam().counts);
}

void rename_buffer(Program& p) {
  p.buffers[0].name = "y";
  p.source->arguments[0].name = "y";
}

INSTANTIATE_TEST_SUITE_P(
    All, SourceFingerprint,
    ::testing::Values(
        Change{"text", [](Program& p) { p.source->text += " "; }, true},
        Change{"entry", [](Program& p) { p.source->entry = "other"; }, true},
        Change{"options", [](Program& p) { p.source->options = "-w"; }, true},
        Change{"argument_size", [](Program& p) { p.source->arguments[3].bytes = 2; }, true},
        Change{"argument_order",
               [](Program& p) { std::swap(p.source->arguments[2], p.source->arguments[3]); }, true},
        Change{"element", [](Program& p) { p.buffers[0].opaque_bytes = 4; }, true},
        Change{"default", [](Program& p) { p.symbols[2].default_bits = 32; }, true},
        Change{"buffer_name", rename_buffer, false},
        Change{"file", [](Program& p) { p.source->file = "scale.cl"; }, false}),
    [](const auto& row) { return std::string(row.param.name); });

struct Mistake {
  const char* name;
  void (*make)(Program&);
  const char* code;
  const char* message;
};

void PrintTo(const Mistake& mistake, std::ostream* out) { *out << mistake.name; }

class SourceMistake : public ::testing::TestWithParam<Mistake> {};

TEST_P(SourceMistake, IsNamed) {
  Program program = scale();
  GetParam().make(program);
  const auto errors = validate(program);
  ASSERT_EQ(errors.size(), 1U);
  EXPECT_EQ(errors[0].code, GetParam().code);
  EXPECT_EQ(errors[0].message, GetParam().message);
}

void add_body(Program& p) {
  p.stmts.emplace_back().kind = StmtKind::return_;
  p.body = {0};
}

INSTANTIATE_TEST_SUITE_P(
    All, SourceMistake,
    ::testing::Values(
        Mistake{"body", add_body, "V110",
                "program \"scale\": it has both a body and a source; keep one of the two"},
        Mistake{"entry", [](Program& p) { p.source->entry = "a b"; }, "V111",
                "program \"scale\": entry \"a b\" is no name of a function; give the kernel's "
                "name"},
        Mistake{"no_text", [](Program& p) { p.source->text.clear(); }, "V112",
                "program \"scale\": the source is empty or has a zero byte; give its text"},
        Mistake{"options", [](Program& p) { p.source->options = "a\nb"; }, "V112",
                "program \"scale\": the compiler's options have a control character; remove it"},
        Mistake{"unknown", [](Program& p) { p.source->arguments[2].name = "m"; }, "V113",
                "program \"scale\": argument \"m\" is not declared; declare it or remove it"},
        Mistake{"tunable", [](Program& p) { p.source->arguments[2].name = "block"; }, "V113",
                "program \"scale\": argument \"block\" is a tunable, which is a definition of the "
                "preprocessor; remove it from the arguments"},
        Mistake{"twice", [](Program& p) { p.source->arguments[2].name = "x"; }, "V114",
                "program \"scale\": argument \"x\" is passed twice; pass it once"},
        Mistake{"not_passed",
                [](Program& p) { p.source->arguments.erase(p.source->arguments.begin()); }, "V114",
                "program \"scale\", buffer \"x\": it is passed to no parameter; add it to the "
                "arguments"},
        Mistake{"bytes", [](Program& p) { p.source->arguments[2].bytes = 8; }, "V115",
                "program \"scale\": argument \"n\" cannot be passed as 8 bytes; it has 4"},
        Mistake{"private_array", [](Program& p) { p.buffers[1].access = Access::private_; }, "V116",
                "program \"scale\", buffer \"tile\": a source program declares its private arrays "
                "in its text; remove this one"},
        Mistake{"large_element", [](Program& p) { p.buffers[0].opaque_bytes = 70000; }, "V117",
                "program \"scale\", buffer \"x\": elements of 70000 bytes are too large; the most "
                "is 65536"}),
    [](const auto& row) { return std::string(row.param.name); });

constexpr const char* kCudaText = R"(program scale {
  shape n: u32
  tunable block: u32 = 64u
  read_write x: f32[n]
  read filter: f32[9u]
  local tile: f32[block]
  workgroup [block]
  source cuda "house::scale<float, block>"(x, filter = "d_filter", tile, n)
    "__constant__ float d_filter[9];"
}
)";

Program cuda_scale() {
  auto program = parse_program(kCudaText);
  EXPECT_TRUE(program) << program.error().message;
  return *std::move(program);
}

TEST(CudaSource, PrintsAndParsesBack) {
  const Program program = cuda_scale();
  EXPECT_TRUE(validate(program).empty());
  EXPECT_EQ(print(program), kCudaText);
  EXPECT_EQ(program.source->language, Language::cuda);
  EXPECT_EQ(program.source->arguments[1].symbol, "d_filter");
}

TEST(CudaSource, LanguageSymbolAndEntryCount) {
  const Fingerprint whole = fingerprint(cuda_scale());
  Program changed = cuda_scale();
  changed.source->language = Language::hip;
  EXPECT_NE(fingerprint(changed), whole);
  changed = cuda_scale();
  changed.source->arguments[1].symbol = "other";
  EXPECT_NE(fingerprint(changed), whole);
  changed = cuda_scale();
  changed.source->entry = "house::scale<double, block>";
  EXPECT_NE(fingerprint(changed), whole);
}

TEST(CudaSource, MistakesAreNamed) {
  const Mistake mistakes[] = {
      {"entry", [](Program& p) { p.source->entry = "scale<float"; }, "V111",
       "program \"scale\": entry \"scale<float\" is no name of a function; give the kernel's name"},
      {"statement", [](Program& p) { p.source->entry = "f<1>; int g<2>"; }, "V111",
       "program \"scale\": entry \"f<1>; int g<2>\" is no name of a function; give the kernel's "
       "name"},
      {"not_read", [](Program& p) { p.source->arguments[0].symbol = "d_x"; }, "V118",
       "program \"scale\": argument \"x\" is copied to \"d_x\", which takes a read buffer only; "
       "declare it as one"},
      {"no_name", [](Program& p) { p.source->arguments[1].symbol = "d x"; }, "V118",
       "program \"scale\": argument \"filter\": \"d x\" is no name of a symbol; give its name"},
      {"opencl",
       [](Program& p) {
         p.source->language = Language::opencl_c;
         p.source->entry = "scale";
       },
       "V118",
       "program \"scale\": argument \"filter\" is copied to \"d_filter\", but only CUDA and HIP "
       "have such symbols; pass it to a parameter"},
  };
  for (const Mistake& mistake : mistakes) {
    Program program = cuda_scale();
    mistake.make(program);
    const auto errors = validate(program);
    ASSERT_EQ(errors.size(), 1U) << mistake.name;
    EXPECT_EQ(errors[0].code, mistake.code);
    EXPECT_EQ(errors[0].message, mistake.message);
  }
}

TEST(Source, OpaqueElementsAreForSourcesOnly) {
  const auto program = build("p", [](Builder& b) { b.write(opaque(2), "x", 4); });
  ASSERT_FALSE(program);
  EXPECT_EQ(program.error().message,
            "program \"p\", buffer \"x\": only a source program knows elements of 2 bytes; use u32 "
            "or another type of the language");
}

TEST(Source, ParseErrorsSayWhatIsExpected) {
  const std::pair<const char*, const char*> cases[] = {
      {"program p { source metal \"f\"() \"x\" }",
       "line 1, column 20: expected a language (opencl_c, cuda, hip, glsl), found \"metal\""},
      {"program p { source opencl_c f() \"x\" }",
       "line 1, column 29: expected the name of the kernel function in quotes, found \"f\""},
      {"program p { source opencl_c \"f\"() }",
       "line 1, column 35: expected the first line of the source in quotes, found '}'"},
      {"program p { source opencl_c \"f\"(x: a) \"x\" }",
       "line 1, column 36: expected how many bytes, found \"a\""},
      {"program p { source cuda \"f\"(x = a) \"x\" }",
       "line 1, column 33: expected the name of a symbol in quotes, found \"a\""},
      {"program p { read x: bytes0[4u] }",
       "line 1, column 21: expected the size of an element, as in bytes8"},
  };
  for (const auto& [text, message] : cases) {
    const auto program = parse_program(text);
    ASSERT_FALSE(program) << text;
    EXPECT_EQ(program.error().message, message);
  }
}

}  // namespace
}  // namespace vyre::ir
