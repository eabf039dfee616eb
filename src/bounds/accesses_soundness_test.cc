// Random launches and indices: what is said to be covered is, and what is said to be touched once
// is. The interpreter counts how often each element is touched.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "bounds/accesses.h"
#include "testing/soak.h"
#include "vyre/call.h"

namespace vyre::bounds {
namespace {

// A launch of one or two axes with up to two loops. The index is a sum of digits times strides that
// are mostly the products of the extents below, in any order, and sometimes not.
class LaunchMaker {
 public:
  explicit LaunchMaker(std::uint64_t seed) : random_(seed) {}

  std::string program() {
    choose_digits();
    std::string body = opening_;
    std::string closing;
    for (std::uint32_t k = 0; k < loops_; ++k) closing += "}\n";
    body += "let i: u32 = " + index() + "\n";
    for (std::uint32_t k = below(3); k > 0; --k) {
      body +=
          fmt::format("if {} {} {} {{\n", below(3) != 0 ? "i" : digits_[below(digits_.size())].name,
                      rarely() ? "<=" : "<", pick({length_, length_, length_, "n", "m", "items"}));
      closing += "}\n";
    }
    body += rarely() ? "atomic_add(y, (i / m) * m + i % m, 1u)\n" : "atomic_add(y, i, 1u)\n";
    return fmt::format(
        "program p {{\nshape n: u32\nshape m: u32\ntunable block: u32 = {}u\ntunable items: u32 = "
        "{}u\n"
        "read_write y: u32[{}]\nworkgroup [block]\ngrid [{}]\n{}{}}}\n",
        1 + below(4), 1 + below(3), length_, grid_, body, closing);
  }

  std::uint32_t shape() { return 1 + below(7); }

 private:
  struct Named {
    std::string name;
    std::string extent;
  };

  std::string pick(std::vector<std::string> choices) { return choices[below(choices.size())]; }
  std::uint32_t below(std::size_t end) { return static_cast<std::uint32_t>(random_() % end); }
  bool rarely() { return below(6) == 0; }

  void add_loop(const std::string& end) {
    const std::string name = fmt::format("k{}", loops_++);
    opening_ += fmt::format("for {}: u32 in {} .. {} step {} {{\n", name, rarely() ? "1u" : "0u",
                            end, rarely() ? "2u" : "1u");
    digits_.insert(digits_.begin() + below(digits_.size() + 1), {name, end});
  }

  void choose_digits() {
    length_ = pick({"n", "n * m", "n * m"});
    const std::string inner = length_ == "n" || below(3) == 0 ? length_ : pick({"n", "m"});
    const bool has_items = below(2) == 0;
    const std::string part = has_items ? "(block * items)" : "block";
    grid_ = rarely() ? "items" : fmt::format("({} + {} - 1u) / {}", inner, part, part);
    if (below(3) == 0) {
      digits_ = {{"local_id(0)", "block"}, {"group_id(0)", "groups(0)"}};
    } else {
      digits_ = {{"global_id(0)", "global_size(0)"}};
    }
    if (has_items) add_loop("items");
    if (inner == length_) return;
    const std::string outer = inner == "n" ? "m" : "n";
    if (below(2) == 0) {
      grid_ += ", " + outer;
      digits_.push_back({"global_id(1)", outer});
    } else {
      add_loop(outer);
    }
  }

  std::string index() {
    std::string out;
    std::string stride = "1u";
    for (const Named& digit : digits_) {
      const std::string factor = rarely() ? pick({"1u", "items", "m", "n", "block"}) : stride;
      out += fmt::format("{}{} * ({})", out.empty() ? "" : " + ", digit.name, factor);
      stride += " * " + (below(3) == 0 ? pick({"n", "m"}) : digit.extent);
    }
    return out;
  }

  std::mt19937_64 random_;
  std::string length_;
  std::string grid_;
  std::string opening_;
  std::vector<Named> digits_;
  std::uint32_t loops_ = 0;
};

TEST(AccessesSoundness, CountsAgreeWithTheInterpreter) {
  const std::uint32_t count = testing::cases(3000, 300'000);
  auto dispatcher = make_dispatcher(open_reference({.threads = 1}));
  std::uint32_t covered = 0;
  std::uint32_t injective = 0;
  for (std::uint32_t seed = 1; seed <= count; ++seed) {
    LaunchMaker maker(seed);
    const std::string text = maker.program();
    const auto program = ir::parse_program(text);
    ASSERT_TRUE(program) << program.error().message << "\n" << text;
    const auto sequence = ir::Sequence::make(*program);
    if (!sequence) continue;
    Accesses accesses(*program);
    ASSERT_EQ(accesses.all().size(), 1U);
    const bool covers = accesses.covers(accesses.all()[0]);
    const bool once = accesses.is_injective(accesses.all()[0]);
    covered += covers ? 1 : 0;
    injective += once ? 1 : 0;
    if (!covers && !once) continue;
    for (int round = 0; round < 3; ++round) {
      const std::uint32_t n = maker.shape();
      const std::uint32_t m = maker.shape();
      const auto items = static_cast<std::uint32_t>(program->symbols[3].default_bits);
      const bool is_square = text.contains("y: u32[n * m]");
      std::vector<std::uint32_t> y(is_square ? n * m : text.contains("y: u32[n]") ? n : n * items);
      const auto done = dispatcher->dispatch(*sequence, {{"n", n}, {"m", m}, {"y", y}});
      if (!done) continue;  // such as a grid that is too large
      const auto [least, most] = std::ranges::minmax(y);
      ASSERT_FALSE(covers && least < 1) << "seed " << seed << ", n " << n << ", m " << m << text;
      ASSERT_FALSE(once && most > 1) << "seed " << seed << ", n " << n << ", m " << m << text;
    }
  }
  EXPECT_GT(covered, count / 100);
  EXPECT_GT(injective, count / 20);
}

}  // namespace
}  // namespace vyre::bounds
