// Random programs full of conditions, loops and indices. An access that is proved to be inside its
// buffer is never outside when the interpreter runs the program.
//
// Before each access stands a probe: a store that records whether the same index is outside.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <bit>
#include <random>

#include "bounds/proofs.h"
#include "ir/rewrite/fold.h"
#include "testing/soak.h"
#include "vyre/call.h"
#include "vyre/program.h"

namespace vyre::bounds {
namespace {

constexpr std::uint32_t kMostAccesses = 24;

class ProgramMaker {
 public:
  explicit ProgramMaker(std::uint64_t seed) : random_(seed) {}

  std::string program() {
    const std::string length = pick({"n", "n * m", "n * n", "n + 1u", "n * 4u", "max(n, m)"});
    std::string body = "let i: u32 = global_id(0)\nvar v: u32 = s\n";
    block(body, 3);
    return fmt::format(
        "program p {{\nshape n: u32\nshape m: u32\nscalar s: u32\nscalar t: u32\n"
        "read_write x: u32[{}]\nwrite outside: u32[{}u]\nworkgroup [4u]\ngrid [3u]\n{}}}\n",
        length, kMostAccesses, body);
  }

  // A small number, or one so large that sums wrap.
  std::uint32_t argument() {
    const std::uint32_t small = below(13);
    return below(4) == 0 ? (below(2) == 0 ? ~small : (1U << 31U) + small) : small;
  }
  std::uint32_t shape() { return 1 + below(9); }

 private:
  std::string pick(std::vector<std::string> choices) { return choices[below(choices.size())]; }
  std::uint32_t below(std::size_t end) { return static_cast<std::uint32_t>(random_() % end); }

  std::string leaf() {
    if (!names_.empty() && below(3) == 0) return names_[below(names_.size())];
    return pick({"i", "i", "v", "s", "t", "n", "m", "n", "m", "0u", "1u", "1u", "2u", "3u", "4u",
                 "7u", "length(x)", "local_id(0)", "group_id(0)"});
  }

  std::string value(std::uint32_t depth) {
    if (depth == 0 || below(3) == 0) return leaf();
    const std::string a = value(depth - 1);
    const std::string b = value(depth - 1);
    switch (below(9)) {
      case 0:
        return fmt::format("min({}, {})", a, b);
      case 1:
        return fmt::format("max({}, {})", a, b);
      case 2:
        return fmt::format("select({}, {}, {})", condition(1), a, b);
      case 3:
        return fmt::format("({} {} {}u)", a, pick({"<<", ">>"}), below(5));
      case 4:
        return fmt::format("u32(u64({}) {} u64({}))", a, pick({"+", "*"}), b);
      default:
        return fmt::format("({} {} {})", a, pick({"+", "-", "*", "+", "*", "/", "%", "&"}), b);
    }
  }

  std::string condition(std::uint32_t depth) {
    if (depth > 0 && below(3) == 0) {
      return fmt::format("({} {} {})", condition(depth - 1), pick({"&", "|"}),
                         condition(depth - 1));
    }
    if (below(8) == 0) return "!(" + condition(0) + ")";
    return fmt::format("({} {} {})", value(1), pick({"<", "<", "<=", ">", ">=", "==", "!="}),
                       below(2) == 0 ? value(1) : pick({"n", "m", "n * m", "length(x)"}));
  }

  void block(std::string& out, std::uint32_t depth) {
    const std::size_t visible = names_.size();
    for (std::uint32_t k = 1 + below(4U); k > 0; --k) stmt(out, depth);
    names_.resize(visible);
  }

  void stmt(std::string& out, std::uint32_t depth) {
    switch (below(depth > 0 ? 10U : 6U)) {
      case 0:
        out += "v = " + value(2) + "\n";
        return;
      case 1:
        introduce(out);
        return;
      case 2:
      case 3:
        return access(out);
      case 4:
      case 5:
        return guarded(out);
      case 6:
        return for_(out, depth);
      case 7:
        out += "while " + condition(1) + " limit 3u {\n";
        return nested(out, depth);
      case 8:
        out += "if " + condition(1) + " {\nreturn\n}\n";
        return;
      default:
        out += "if " + condition(1) + " {\n";
        block(out, depth - 1);
        out += "} else {\n";
        block(out, depth - 1);
        out += "}\n";
    }
  }

  void for_(std::string& out, std::uint32_t depth) {
    const std::string bounds = fmt::format("{} .. min({}, {}) step max(1u, {})", value(1), value(1),
                                           pick({"9u", "n", "n * m"}), leaf());
    out += fmt::format("for {}: u32 in {} {{\n", fresh(), bounds);
    nested(out, depth);
    names_.pop_back();
  }

  void nested(std::string& out, std::uint32_t depth) {
    block(out, depth - 1);
    out += "}\n";
  }

  std::string fresh() {
    names_.push_back("a" + std::to_string(count_++));
    return names_.back();
  }

  void introduce(std::string& out) {
    const std::string v = value(2);
    out += "let " + fresh() + ": u32 = " + v + "\n";
  }

  // An index under a condition that is nearly right, or just right.
  void guarded(std::string& out) {
    const std::string index = value(1);
    const std::string bound = pick({"length(x)", "length(x)", "n", "n * m", "length(x) - 1u",
                                    "length(x) + 1u", "length(x) / 2u"});
    out += fmt::format("if {} {} {} {{\n", index, pick({"<", "<", "<=", "!=", ">="}), bound);
    access(out, fmt::format(fmt::runtime(pick({"{}", "{}", "{} + 1u", "{} - 1u", "{} * 2u + 1u"})),
                            index));
    out += "}\n";
  }

  void access(std::string& out) { access(out, value(2)); }

  void access(std::string& out, const std::string& index) {
    if (accesses_ == kMostAccesses) return;
    out += fmt::format("if {} >= length(x) {{ atomic_max(outside, {}u, 1u) }}\nx[{}] = 1u\n", index,
                       accesses_++, index);
  }

  std::mt19937_64 random_;
  std::vector<std::string> names_;
  std::uint32_t count_ = 0;
  std::uint32_t accesses_ = 0;
};

// For each probe: whether the access behind it is proved to be inside.
std::vector<bool> said_inside(const ir::Program& program) {
  const Proofs proofs =
      prove(program, std::vector<std::optional<std::uint64_t>>(program.symbols.size()), {4, 1, 1});
  std::vector<bool> out;
  for (ir::StmtId id = 0; id < program.stmts.size(); ++id) {
    const ir::Stmt& s = program.stmts[id];
    if (s.kind == ir::StmtKind::store && s.buffer == 0) out.push_back(proofs.inside_stmt[id]);
  }
  return out;
}

// The probes' numbers in the order of the statements' nodes.
std::vector<std::uint32_t> probes(const ir::Program& program) {
  std::vector<std::uint32_t> out;
  for (const ir::Stmt& s : program.stmts) {
    if (s.kind != ir::StmtKind::atomic) continue;
    out.push_back(static_cast<std::uint32_t>(program.exprs[s.args[0]].bits));
  }
  return out;
}

TEST(Soundness, WhatIsSaidToBeInsideIs) {
  const std::uint32_t count = testing::cases(800, 200'000);
  auto dispatcher = make_dispatcher(open_reference({.threads = 1}));
  std::uint32_t proved = 0;
  std::uint32_t ran = 0;
  for (std::uint32_t seed = 1; seed <= count; ++seed) {
    ProgramMaker maker(seed);
    const std::string text = maker.program();
    const auto program = ir::parse_program(text);
    ASSERT_TRUE(program) << program.error().message << "\n" << text;
    const auto sequence = ir::Sequence::make(*program);
    if (!sequence) continue;  // such as an access that can never be inside
    const std::vector<bool> inside = said_inside(*program);
    const std::vector<std::uint32_t> numbers = probes(*program);
    ASSERT_EQ(inside.size(), numbers.size());
    for (const bool yes : inside) proved += yes ? 1 : 0;
    for (int round = 0; round < 3; ++round) {
      const std::vector<Argument> arguments{{"n", maker.shape()},
                                            {"m", maker.shape()},
                                            {"s", maker.argument()},
                                            {"t", maker.argument()}};
      std::vector<std::optional<std::uint64_t>> known;
      for (const Argument& a : arguments) known.push_back(a.bits);
      const auto length = *ir::fold(*program, program->buffers[0].length, known);
      const std::vector<std::uint32_t> x(length);
      const std::vector<Input> inputs{as_input(x)};
      const auto out = dispatcher->dispatch(*sequence, {.inputs = inputs, .arguments = arguments});
      ASSERT_TRUE(out) << out.error().message << "\n" << text;
      ++ran;
      const auto outside = values_of<std::uint32_t>((*out)[1]);
      for (std::size_t k = 0; k < inside.size(); ++k) {
        ASSERT_FALSE(inside[k] && outside[numbers[k]] != 0)
            << "seed " << seed << ", access " << numbers[k] << "\n"
            << text;
      }
    }
  }
  EXPECT_GT(ran, count);
  EXPECT_GT(proved, count / 2);
}

}  // namespace
}  // namespace vyre::bounds
