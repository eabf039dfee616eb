// Two accesses of which one is made, and indices with `min`: what is proved of them, beside near
// misses, and against counting on the interpreter.

#include "bounds/exclusive.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "testing/soak.h"
#include "vyre/call.h"

namespace vyre::bounds::exclusive_tests {
namespace {

std::string strips(const std::string& body) {
  return "program p { shape n: u32 tunable block: u32 = 2u tunable items: u32 = 3u read x: f32[n] "
         "write y: f32[n * n] workgroup [block] "
         "grid [(n + block * items - 1u) / (block * items)] " +
         body + " }";
}

// The usual body; each case changes a part.
struct Strip {
  std::string first = "min(global_id(0) * items, n)";
  std::string condition = "n - first >= items";
  std::string whole = "items";
  std::string last = "n - first";
  std::string index = "r * n + first + k";

  std::string text() const {
    const auto loop = [&](const std::string& end, const std::string& at) {
      return fmt::format("for r: u32 in 0u .. n {{ for k: u32 in 0u .. {} {{ y[{}] = 1f }} }}", end,
                         at);
    };
    return strips(fmt::format("let first: u32 = {} if {} {{ {} }} else {{ {} }}", first, condition,
                              loop(whole, index), loop(last, "r * n + first + k")));
  }
};

struct Claim {
  bool is_united = false;
  bool covers = false;
  bool is_injective = false;
  bool operator==(const Claim&) const = default;
};
void PrintTo(const Claim& c, std::ostream* out) {
  *out << c.is_united << c.covers << c.is_injective;
}

Claim claim_of(const std::string& text) {
  const auto program = ir::parse_program(text);
  EXPECT_TRUE(program) << program.error().message << text;
  if (!program) return {};
  for (const Error& e : ir::validate(*program)) ADD_FAILURE() << e.message << text;
  Accesses accesses(*program);
  std::vector<MemoryAccess> stores;
  for (const MemoryAccess& a : accesses.all()) {
    if (a.kind != AccessKind::load) stores.push_back(a);
  }
  EXPECT_EQ(stores.size(), 2U);
  const auto both = united(*program, accesses, stores[0], stores[1]);
  if (!both) return {};
  const MemoryAccess plain = without_min(accesses, *both);
  return {true, accesses.covers(plain), accesses.is_injective(plain)};
}

TEST(Exclusive, StripsOfColumns) {
  struct Case {
    const char* name;
    Strip strip;
    Claim expected;
  };
  const Claim all{true, true, true};
  const Claim none{};
  const Case table[] = {
      {"usual", {}, all},
      {"one more is the last", {.condition = "n - first > items"}, all},
      {"a sum", {.condition = "first + items <= n"}, all},
      {"the other way round",
       {.condition = "n - first < items", .whole = "n - first", .last = "items"},
       all},
      {"always the last", {.condition = "first > n", .whole = "0u"}, none},
      {"a min as extent", {.whole = "min(items, n - first)"}, none},
      {"one column less", {.whole = "items - 1u"}, {true, false, true}},
      {"one column more", {.last = "n - first + 1u"}, none},
      {"too few in the last", {.last = "n - first - 1u"}, none},
      {"another condition", {.condition = "n - first > items", .last = "items"}, none},
      {"no condition on sizes", {.condition = "x[first] < 1f"}, none},
      {"another index", {.index = "r * n + first + k + 1u"}, none},
      {"transposed in one branch", {.index = "(first + k) * n + r"}, none},
      {"not clamped", {.first = "global_id(0) * items"}, none},
      {"clamped too far", {.first = "min(global_id(0) * items, n - 1u)"}, {true, false, false}},
      {"overlapping", {.first = "min(global_id(0) * (items - 1u), n)"}, {true, false, false}},
  };
  for (const auto& [name, strip, expected] : table) {
    EXPECT_EQ(claim_of(strip.text()), expected) << name << ": " << strip.text();
  }
}

TEST(Exclusive, OnlyOppositeBranchesAreUnited) {
  for (const char* body : {
           "let i: u32 = global_id(0) if i < 3u { y[i] = 1f } if i >= 3u { y[i] = 1f }",
           "let i: u32 = global_id(0) if i < 3u { y[i] = 1f y[i] = 2f }",
           "let i: u32 = global_id(0) if i < 3u { y[i] = 1f } else { y[i + 1u] = 1f }",
           "let i: u32 = global_id(0) if i < 3u { y[i] = 1f } else { y.x4[i] = x.x4[i] }",
           "let i: u32 = global_id(0) if i < 3u { y[i] = 1f } else { for k: u32 in 0u .. 1u { y[i] "
           "= 1f } }",
           "let i: u32 = global_id(0) if x[i] < 3f { return } if i < 3u { y[i] = 1f } else { y[i] "
           "= 1f }",
       }) {
    EXPECT_EQ(claim_of(strips(body)), Claim{}) << body;
  }
  EXPECT_EQ(
      claim_of(strips("let i: u32 = global_id(0) if i < 3u { y[i] = 1f } else { y[i] = 2f }")),
      (Claim{true, false, true}));
}

// A min in an index, or as the end of a loop, at one place.
TEST(Exclusive, OneAccessWithMin) {
  struct Case {
    const char* body;
    bool covers;
    bool is_injective;
  };
  const char* head = "let first: u32 = min(global_id(0) * items, n) for r: u32 in 0u .. n { ";
  for (const auto& [body, covers, is_injective] : {
           Case{"for k: u32 in 0u .. min(items, n - first) { y[r * n + first + k] = 1f } }", true,
                true},
           Case{"for k: u32 in 0u .. min(n - first, items) { y[r * n + first + k] = 1f } }", true,
                true},
           Case{"for k: u32 in 0u .. items { if first + k < n { y[r * n + first + k] = 1f } } }",
                true, true},
           Case{"for k: u32 in 0u .. items { y[r * n + first + k] = 1f } }", false, false},
           Case{"for k: u32 in 0u .. min(items, n) { y[r * n + first + k] = 1f } }", false, false},
           Case{"for k: u32 in 0u .. max(items, n - first) { y[r * n + first + k] = 1f } }", false,
                false},
           Case{"for k: u32 in 1u .. min(items, n - first) { y[r * n + first + k] = 1f } }", false,
                true},
       }) {
    const auto program = ir::parse_program(strips(std::string(head) + body));
    ASSERT_TRUE(program) << program.error().message << body;
    Accesses accesses(*program);
    const MemoryAccess plain = without_min(accesses, accesses.all().back());
    EXPECT_EQ(accesses.covers(plain), covers) << body;
    EXPECT_EQ(accesses.is_injective(plain), is_injective) << body;
  }
}

// Strips with parts that are mostly right.
class StripMaker {
 public:
  explicit StripMaker(std::uint64_t seed) : random_(seed) {}

  std::string text() {
    const std::string body =
        below(4) == 0 ? loop(pick({"min(items, n - first)", "min(items, n)", "items", "n - first"}))
                      : fmt::format("if {} {{ {} }} else {{ {} }}", condition(),
                                    loop(extent("items")), loop(extent("n - first")));
    const std::string clamp = usual("n", {"n - 1u", "m", "n + 1u"});
    const std::string number = usual("global_id(0) * items", {"global_id(0)", "global_id(0) * m"});
    return fmt::format(
        "program p {{ shape n: u32 shape m: u32 tunable block: u32 = {}u tunable items: u32 = {}u "
        "read_write y: u32[n * m] workgroup [block] grid [({} + block * items - 1u) / (block * "
        "items)] let first: u32 = {} {} }}",
        1 + below(3), 1 + below(3), usual("n", {"m", "n - 1u"}),
        below(8) == 0 ? number : fmt::format("min({}, {})", number, clamp), body);
  }

  std::uint32_t below(std::size_t end) { return static_cast<std::uint32_t>(random_() % end); }

 private:
  std::string pick(const std::vector<std::string>& choices) {
    return choices[below(choices.size())];
  }
  std::string usual(const std::string& right, const std::vector<std::string>& wrong) {
    return below(7) != 0 ? right : pick(wrong);
  }
  std::string extent(const std::string& right) {
    return usual(right, {"items", "n - first", "items - 1u", "n", "min(items, n - first)"});
  }
  std::string condition() {
    return usual("n - first >= items",
                 {"n - first > items", "first + items <= n", "first < n", "m < n"});
  }
  std::string loop(const std::string& end) {
    const std::string index = usual("r * n + first + k", {"r * n + k", "(first + k) * m + r"});
    return fmt::format(
        "for r: u32 in 0u .. {} {{ for k: u32 in 0u .. {} {{ atomic_add(y, {}, 1u) "
        "}} }}",
        usual("m", {"n"}), end, index);
  }

  std::mt19937_64 random_;
};

TEST(Exclusive, ClaimsAgreeWithTheInterpreter) {
  const std::uint32_t count = testing::cases(1500, 150'000);
  auto dispatcher = make_dispatcher(open_reference({.threads = 1, .budget = 1'000'000}));
  std::uint32_t covered = 0;
  std::uint32_t injective = 0;
  for (std::uint32_t seed = 1; seed <= count; ++seed) {
    StripMaker maker(seed);
    const std::string text = maker.text();
    const auto program = ir::parse_program(text);
    ASSERT_TRUE(program) << program.error().message << "\n" << text;
    const auto sequence = ir::Sequence::make(*program);
    ASSERT_TRUE(sequence) << sequence.error().message << text;
    Accesses accesses(*program);
    const auto all = accesses.all();
    const auto one =
        all.size() == 1 ? std::optional(all[0]) : united(*program, accesses, all[0], all[1]);
    if (!one) continue;
    const MemoryAccess plain = without_min(accesses, *one);
    const bool covers = accesses.covers(plain);
    const bool once = accesses.is_injective(plain);
    covered += covers ? 1 : 0;
    injective += once ? 1 : 0;
    for (int round = 0; round < 3 && (covers || once); ++round) {
      const std::uint32_t n = 1 + maker.below(9);
      const std::uint32_t m = 1 + maker.below(5);
      std::vector<std::uint32_t> y(std::size_t{n} * m);
      const auto done = dispatcher->dispatch(*sequence, {{"n", n}, {"m", m}, {"y", y}});
      if (!done) continue;  // a loop that does not end, or a grid of 0
      const auto [least, most] = std::ranges::minmax(y);
      ASSERT_FALSE(covers && least < 1) << "seed " << seed << ", n " << n << ", m " << m << text;
      ASSERT_FALSE(once && most > 1) << "seed " << seed << ", n " << n << ", m " << m << text;
    }
  }
  EXPECT_GT(covered, count / 20);
  EXPECT_GT(injective, count / 20);
}

}  // namespace
}  // namespace vyre::bounds::exclusive_tests
