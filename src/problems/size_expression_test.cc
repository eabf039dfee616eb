// Sizes in Python's syntax mean the same as size expressions of the kernel language.

#include "problems/size_expression.h"

#include <gtest/gtest.h>

#include "ir/rewrite/fold.h"
#include "vyre/space.h"

namespace vyre {
namespace {

struct Translated {
  Expected<void> ok;
  ir::Program program;
};

// A program whose grid is the size, over n, block, offset (may be negative), a flag and a fraction.
Translated translate(std::string_view text) {
  Translated out;
  auto program =
      ir::from_source("k", {.text = "k", .entry = "k", .arguments = {}}, [&](ir::Builder& b) {
        SizeNames names;
        names["n"] = {.value = b.shape("n"), .least = 1};
        names["block"] = {.value = b.tunable("block", 16), .least = 1, .values = {16, 64, 4}};
        names["offset"] = {
            .value = b.tunable(ir::i32, "offset", 0), .type = ir::i32, .least = -9, .values = {}};
        names["flag"] = {.value = b.tunable(ir::boolean, "flag", true), .type = ir::boolean};
        names["real"] = {.type = ir::f32, .values = {0.5}, .why_not = "is a fraction; round it"};
        auto size = to_size(b, text, names);
        if (!size) {
          out.ok = std::unexpected(size.error());
          return;
        }
        b.grid(*size);
      });
  if (out.ok && !program) out.ok = std::unexpected(program.error());
  if (out.ok) out.program = *std::move(program);
  return out;
}

// The names that sizes use. Each size is compared with Python's result for many values of them.
const std::vector<std::string> kNames{"n", "block", "offset", "flag"};

void expect_python(const std::string& text, const Translated& translated) {
  const auto expression = space::Expression::compile(text, kNames);
  ASSERT_TRUE(expression) << expression.error().message;
  for (const std::int64_t n : {1, 7, 64, 1000, 100000}) {
    for (const std::int64_t block : {4, 16, 64}) {
      for (const std::int64_t offset : {-9, -1, 0, 3}) {
        for (const bool flag : {false, true}) {
          const auto value = expression->evaluate(std::vector<Value>{n, block, offset, flag});
          ASSERT_TRUE(value) << text << ": " << value.error().message;
          const auto* b = std::get_if<bool>(&*value);
          const std::int64_t whole = b != nullptr ? (*b ? 1 : 0) : std::get<std::int64_t>(*value);
          const std::vector<std::optional<std::uint64_t>> known{
              static_cast<std::uint64_t>(n), static_cast<std::uint64_t>(block),
              static_cast<std::uint32_t>(offset), flag ? 1U : 0U};
          EXPECT_EQ(ir::fold(translated.program, translated.program.grid[0], known),
                    static_cast<std::uint32_t>(whole))
              << text << " with n = " << n << ", block = " << block << ", offset = " << offset;
        }
      }
    }
  }
}

TEST(SizeExpression, MeansWhatPythonMeans) {
  for (const char* text : {"1",
                           "n",
                           "n * block + 3",
                           "n // block",
                           "n % block",
                           "(n + block - 1) // block",
                           "-(-n // block)",
                           "(n + block - 1) // block * block",
                           "n - 1",
                           "abs(offset) + 1",
                           "(offset + 20) // 3",
                           "(offset - 1) // 4 + 100",
                           "(offset - 1) % 4 + 1",
                           "min(n, block, 32)",
                           "max(n, 5)",
                           "n if n > block else block",
                           "2**(block // 16)",
                           "block**2",
                           "block**0",
                           "1 << (block // 16)",
                           "n >> 1",
                           "(n & 7) + 1",
                           "n | block",
                           "n ^ 3",
                           "~(-5 - n)",
                           "int(n / block)",
                           "int(n)",
                           "4 < n <= 64",
                           "(n > 4) + 1",
                           "n > 4 and block or 7",
                           "(not flag) + 1",
                           "1 if not n == 7 else 2",
                           "flag * 3 + True",
                           "+n",
                           "2 * (n != 7)",
                           "n % 3 >= 1"}) {
    const Translated translated = translate(text);
    ASSERT_TRUE(translated.ok) << text << ": " << translated.ok.error().message;
    expect_python(text, translated);
  }
}

TEST(SizeExpression, TakesMinAndMaxOfAParameterAsOfItsValues) {
  for (const auto& [text, value] :
       {std::pair("max(block)", 64U), std::pair("min(block) + 1", 5U)}) {
    const Translated translated = translate(text);
    ASSERT_TRUE(translated.ok) << translated.ok.error().message;
    const auto known = ir::default_bits(translated.program.symbols);
    EXPECT_EQ(ir::fold(translated.program, translated.program.grid[0], known), value) << text;
  }
}

TEST(SizeExpression, RefusesWhatIsNoSize) {
  const std::pair<const char*, const char*> cases[] = {
      {"n / block",
       R"~("n / block": "n / block" divides with "/", which gives a fraction; write "//")~"},
      {"0.5", R"~("0.5": "0.5" is a fraction, which is no size; write a whole number)~"},
      {"'a'", R"~("'a'": "'a'" is a text, which is no size; write a whole number)~"},
      {"[n]", R"~("[n]": "[n]" is a list, which is no size; write a number)~"},
      {"real", R"~("real": "real" is a fraction; round it)~"},
      {"max(real)", R"~("max(real)": "max(real)" is over values that are not whole numbers)~"},
      {"blok", R"~("blok": "blok" is no parameter and no problem size; did you mean "block"?)~"},
      {"n // offset",
       R"~("n // offset": "n // offset" divides by what may be negative; divide by something above 0)~"},
      {"n**block",
       R"~("n**block": "n**block" is a power that sizes do not have; write 2**x, or x**0 to x**8)~"},
      {"round(n)",
       R"~("round(n)": "round(n)" is a call that sizes do not have; use min, max, abs or int)~"},
      {"n in [1]", R"~("n in [1]": "[1]" is a list, which is no size; write a number)~"},
      {"n +", R"~("n +": the expression ends too early)~"},
  };
  for (const auto& [text, message] : cases) {
    const Translated translated = translate(text);
    ASSERT_FALSE(translated.ok) << text;
    EXPECT_EQ(translated.ok.error().message, message);
  }
}

}  // namespace
}  // namespace vyre
