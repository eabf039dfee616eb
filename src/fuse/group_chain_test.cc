// Random chains of steps in which a workgroup, an invocation or a lane owns a row: every plan gives
// the interpreter's bits of the original, with races looked for.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>

#include "testing/group_programs.h"
#include "testing/soak.h"
#include "vyre/call.h"
#include "vyre/device.h"
#include "vyre/fuse.h"

namespace vyre::fuse::group_chain_tests {
namespace {

using testing::group_map;
using testing::group_program;

// A chain that is being made: programs, declarations and steps.
class Draft {
 public:
  explicit Draft(std::uint64_t seed) : random_(seed) {}

  std::string text() {
    const std::uint64_t steps = 2 + random_() % 3;
    for (std::uint64_t k = 0; k < steps; ++k) add_step();
    add(map_of_elements(), "", row_ + ", " + number_, "out", "rows = rows, cols = cols");
    return programs_ +
           "sequence s { shape rows: u32 shape cols: u32 read x: f32[rows * cols] read y: "
           "f32[rows] "
           "write out: f32[rows * cols] " +
           scratch_ + steps_ + "}";
  }

 private:
  std::string name() const { return fmt::format("p{}", count_); }
  std::string fresh(const char* what) const { return fmt::format("{}{}", what, count_); }

  void add_step() {
    if (random_() % 2 == 0) return add_number();
    const std::string to = fresh("row");
    add(map_of_elements(), to + ": f32[rows * cols]", row_ + ", " + number_, to,
        "rows = rows, cols = cols");
    row_ = to;
  }

  // One number of each row, from a row or from a number.
  void add_number() {
    const std::string to = fresh("number");
    const std::string from = random_() % 4 == 0 ? number_ : row_;
    if (from == number_) {
      add(testing::flat_program(name(), testing::kTunables + "read x: f32[n] write t: f32[n]",
                                "t[i] = x[i] * 0.5f + 1f"),
          to + ": f32[rows]", from, to, "n = rows");
    } else {
      add(sum_of_row(), to + ": f32[rows]", row_, to, "rows = rows, cols = cols");
    }
    number_ = to;
  }

  std::string sum_of_row() {
    if (random_() % 3 == 0) {
      return testing::row_program(name(), "t", "0f", "most + x[r * cols + c]");
    }
    return group_program(name(), "read x: f32[rows * cols] write t: f32[rows]", "0f",
                         "most + x[r * cols + c]", testing::kAdded, "t[r] = part[0u]");
  }

  std::string map_of_elements() {
    const std::string declared =
        "read x: f32[rows * cols] read s: f32[rows] write t: f32[rows * cols]";
    const std::string store =
        fmt::format("t[r * cols + c] = x[r * cols + {}] * 0.5f - s[{}]",
                    random_() % 4 == 0 ? "(cols - 1u - c)" : "c", random_() % 8 == 0 ? "0u" : "r");
    switch (random_() % 3) {
      case 0:
        return group_map(name(), declared, store);
      case 1:
        return group_map(name(), declared, store, "threads");
      default:
        return testing::map_program(name(), testing::kTunables + declared, store);
    }
  }

  void add(const std::string& program, const std::string& declaration, const std::string& from,
           const std::string& to, const std::string& sizes) {
    programs_ += program;
    if (!declaration.empty()) scratch_ += "scratch " + declaration + " ";
    steps_ += fmt::format("run {}({}, {}; {}) ", name(), from, to, sizes);
    ++count_;
  }

  std::mt19937_64 random_;
  std::uint32_t count_ = 0;
  std::string row_ = "x";
  std::string number_ = "y";
  std::string programs_;
  std::string scratch_;
  std::string steps_;
};

Expected<Outputs> run(const ir::Sequence& sequence, std::uint32_t rows, std::uint32_t cols,
                      const Config& config) {
  static const auto interpreter =
      make_dispatcher(open_reference({.threads = 1, .detect_races = true}));
  std::mt19937_64 random(rows * 31 + cols);
  std::vector<float> x(std::size_t{rows} * cols);
  std::vector<float> y(rows);
  for (auto* values : {&x, &y}) {
    for (float& v : *values) v = static_cast<float>(random() % 1000) / 64.0F - 7.0F;
  }
  const std::vector<Input> inputs{std::as_bytes(std::span(x)), std::as_bytes(std::span(y))};
  const std::vector<Argument> arguments{{"rows", rows}, {"cols", cols}};
  return interpreter->dispatch(sequence,
                               {.inputs = inputs, .arguments = arguments, .config = &config});
}

// The order of a sum depends on the number of lanes, so the original gets its tunables too.
Config of_original(const ir::Sequence& original, const Config& config) {
  Config out;
  for (const ir::Symbol& tunable : original.tunables()) {
    if (const Value* value = config.find(tunable.name)) out.set(tunable.name, *value);
  }
  return out;
}

void expect_same_under_plans(const ir::Sequence& sequence, const Widened& widened,
                             std::uint64_t seed, const std::string& text) {
  const auto space = space::Space::build(widened.space);
  ASSERT_TRUE(space) << space.error().message;
  std::mt19937_64 random(seed);
  std::vector<Config> configs = single_plans(widened);
  for (const std::uint64_t index :
       space->sample_distinct(std::min<std::size_t>(12, space->size()), random)) {
    configs.push_back(space->config_at(index));
  }
  for (const auto& [rows, cols] : {std::pair(1U, 1U), std::pair(3U, 7U), std::pair(4U, 9U)}) {
    for (const Config& config : configs) {
      const std::string where = fmt::format("seed {}, {}\n{}", seed, to_string(config), text);
      const auto expected = run(sequence, rows, cols, of_original(sequence, config));
      const auto got = run(widened.sequence, rows, cols, config);
      ASSERT_TRUE(expected) << expected.error().message << where;
      ASSERT_TRUE(got) << got.error().message << where;
      ASSERT_EQ(*got, *expected) << where;
    }
  }
}

TEST(GroupChains, GiveTheSameBitsUnderEveryPlan) {
  const std::uint32_t count = testing::cases(60, 2'000, 4);
  std::size_t joined = 0;
  for (std::uint64_t seed = 0; seed < count && !HasFailure(); ++seed) {
    const std::string text = Draft(seed).text();
    const auto def = ir::parse(text);
    ASSERT_TRUE(def) << def.error().message << text;
    const auto sequence = ir::Sequence::make(*def);
    ASSERT_TRUE(sequence) << sequence.error().message << text;
    const auto widened = widen(*sequence);
    ASSERT_TRUE(widened) << widened.error().message;
    expect_same_under_plans(*sequence, *widened, seed, text);
    for (const Link& link : widened->links) {
      joined += static_cast<std::size_t>(std::ranges::count(link.kinds, Kind::rows));
    }
  }
  EXPECT_GE(joined, count / 2) << "links that rows can join";
}

}  // namespace
}  // namespace vyre::fuse::group_chain_tests
