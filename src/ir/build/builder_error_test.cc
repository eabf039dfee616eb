// One mistake_with_names each: what `build` says, and where it says it was.

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "vyre/builder.h"

namespace vyre::ir {
namespace {

struct Names {
  Value n, a, i;
  Array x, y;
};

using NamedBody = std::function<void(Builder&, Names&)>;

Expected<Program> built(const NamedBody& body) {
  return build("k", [&](Builder& b) {
    Names names;
    names.n = b.shape("n");
    names.a = b.scalar(f32, "a");
    names.x = b.read(f32, "x", names.n);
    names.y = b.read_write(f32, "y", names.n);
    names.i = b.global_id(0);
    body(b, names);
  });
}

// The message, with the line of the mistake_with_names as L.
std::string mistake_with_names(const NamedBody& body) {
  const auto program = built(body);
  if (program) return "no mistake";
  std::string text = program.error().message;
  const std::string file = "builder_error_test.cc:";
  const std::size_t at = text.find(file);
  if (at == std::string::npos) return text;
  const std::size_t from = at + file.size();
  const std::size_t to = text.find_first_not_of("0123456789", from);
  return text.replace(at, to - at, "L");
}

struct MistakeCase {
  const char* name;
  NamedBody body;
  const char* message;
};

class Mistake : public ::testing::TestWithParam<MistakeCase> {};

TEST_P(Mistake, IsNamed) { EXPECT_EQ(mistake_with_names(GetParam().body), GetParam().message); }

const MistakeCase kMistakes[] = {
    {"operand_types", [](Builder&, Names& k) { k.y[k.i] = k.a * k.i; },
     R"(program "k", at L: mul takes numbers of one type, not f32 "a" and u32 global_id(0))"},
    {"operand_types_inside",
     [](Builder& b, Names& k) {
       b.region("r", [&] {
         b.for_("j", 0, k.n, [&](Value j) { b.if_(j < 4, [&] {}, [&] { k.y[j] = exp(j); }); });
       });
     },
     R"(program "k", at L, in else in for "j" in region "r": exp takes f32 or vectors of f32, not u32 "j")"},
    {"select_types", [](Builder&, Names& k) { k.y[0] = select(k.a, k.a, 1); },
     R"(program "k", at L: select takes a bool and two values of one type, not f32 "a", f32 "a" and the literal 1)"},
    {"logic_on_numbers", [](Builder& b, Names& k) { b.if_(k.i && k.a > 0, [] {}); },
     R"(program "k", at L: && takes bools, not u32 global_id(0) and bool gt(...))"},
    {"not_on_numbers", [](Builder& b, Names& k) { b.if_(!k.i, [] {}); },
     R"(program "k", at L: ! takes bools, not u32 global_id(0))"},
    {"inexact_literal", [](Builder&, Names& k) { k.y[0] = k.a * 0.1; },
     R"(program "k", at L: 0.1 is not exactly a value of type f32; write it as a float)"},
    {"negative_literal", [](Builder&, Names& k) { k.y[0] = k.x[k.i + -1]; },
     R"(program "k", at L: -1 is not exactly a value of type u32)"},
    {"fraction_as_integer", [](Builder&, Names& k) { k.y[0] = k.x[k.i * 0.5F]; },
     R"(program "k", at L: 0.5 is not exactly a value of type u32)"},
    {"bool_as_number", [](Builder&, Names& k) { k.y[0] = k.a + true; },
     R"(program "k", at L: true is not exactly a value of type f32)"},
    {"literal_alone", [](Builder& b, Names&) { b.let("v", -1); },
     R"(program "k", at L: -1 is not exactly a value of type u32)"},
    {"constant_of_a_value", [](Builder& b, Names& k) { b.let("v", b.constant(u32, k.i)); },
     R"(program "k", at L: a constant takes a C++ number or bool, not u32 global_id(0))"},
    {"store_type", [](Builder&, Names& k) { k.y[k.i] = k.i; },
     R"(program "k", at L: a store to "y" takes f32, not u32 global_id(0))"},
    {"store_to_input", [](Builder&, Names& k) { k.x[k.i] = 1; },
     R"(program "k", at L: a store to "x", which is only read; declare it with write or read_write)"},
    {"store_of_a_vector", [](Builder&, Names& k) { k.y[k.i] = k.x.load4(0); },
     R"(program "k", at L: a store to "y" takes f32, not f32x4 "x"[...])"},
    {"vector_store_of_a_scalar", [](Builder&, Names& k) { k.y.store4(k.i, k.a); },
     R"(program "k", at L: a store to "y" takes f32x4, not f32 "a")"},
    {"index_type", [](Builder&, Names& k) { k.y[k.a] = 1; },
     R"(program "k", at L: an index of "y" takes u32, not f32 "a")"},
    {"vector_of_u64",
     [](Builder& b, Names& k) {
       auto w = b.read(u64, "w", 8);
       k.y[0] = cast(f32, w.load2(0)[0]);
     },
     R"(program "k", at L: "w" has elements of u64, and only u32 and f32 come in vectors)"},
    {"element_of_a_scalar", [](Builder&, Names& k) { k.y[0] = k.a[0]; },
     R"(program "k", at L: there is no element the literal 0 in f32 "a")"},
    {"element_beyond", [](Builder&, Names& k) { k.y[0] = k.x.load2(0)[2]; },
     R"(program "k", at L: there is no element the literal 2 in f32x2 "x"[...])"},
    {"element_not_fixed", [](Builder&, Names& k) { k.y[0] = k.x.load2(0)[k.i]; },
     R"(program "k", at L: there is no element u32 global_id(0) in f32x2 "x"[...])"},
    {"vec_of_mixed_types", [](Builder& b, Names& k) { k.y.store2(0, b.vec(k.a, k.i)); },
     R"(program "k", at L: vec takes f32, not u32 global_id(0))"},
    {"vec_of_bools", [](Builder& b, Names& k) { b.let("v", b.vec(k.i < 1, k.i < 2)); },
     R"(program "k", at L: vec takes u32 or f32, not bool lt(...))"},
    {"cast_of_a_vector", [](Builder&, Names& k) { k.y[0] = cast(f32, k.x.load2(0)); },
     R"(program "k", at L: cast to f32 takes a scalar, not f32x2 "x"[...])"},
    {"bitcast_size", [](Builder& b, Names& k) { b.let("v", bitcast(u64, k.i)); },
     R"(program "k", at L: bitcast to u64 takes a number of that size, not u32 global_id(0))"},
    {"condition_type", [](Builder& b, Names& k) { b.if_(k.i, [] {}); },
     R"(program "k", at L: if takes bool, not u32 global_id(0))"},
    {"for_types", [](Builder& b, Names& k) { b.for_("j", k.i, k.a, [](Value) {}); },
     R"(program "k", at L: for "j" takes u32, not f32 "a")"},
    {"unroll_by_id", [](Builder& b, Names& k) { b.for_("j", 0, 4, {.unroll = k.i}, [](Value) {}); },
     R"(program "k", at L: unroll of for "j" may use constants, shapes, scalars and tunables only, not u32 global_id(0))"},
    {"while_type", [](Builder& b, Names& k) { b.while_([&] { return k.i + 1; }, 10, [] {}); },
     R"(program "k", at L, in while: while takes bool, not u32 add(...))"},
    {"while_limit", [](Builder& b, Names& k) { b.while_([&] { return k.i < 1; }, k.a, [] {}); },
     R"(program "k", at L: the limit of while takes u32, not f32 "a")"},
    {"statement_in_a_condition",
     [](Builder& b, Names& k) {
       auto v = b.var("v", k.a);
       b.while_(
           [&] {
             v = 1;
             return v < 1;
           },
           10, [] {});
     },
     R"(program "k", at L, in while: a while condition can only compute; put statements into the body or before the loop)"},
    {"variable_type",
     [](Builder& b, Names& k) {
       auto v = b.var("v", k.a);
       v = k.i;
     },
     R"(program "k", at L: variable "v" takes f32, not u32 global_id(0))"},
    {"variable_update",
     [](Builder& b, Names& k) {
       auto v = b.var("v", k.a);
       v += k.i;
     },
     R"(program "k", at L: add takes numbers of one type, not f32 "v" and u32 global_id(0))"},
    {"variable_start", [](Builder& b, Names& k) { auto v = b.var(u32, "v", k.a); },
     R"(program "k", at L: variable "v" takes u32, not f32 "a")"},
    {"atomic_type",
     [](Builder& b, Names& k) {
       auto c = b.local(u32, "c", 1);
       b.atomic_add(c, 0, k.a);
     },
     R"(program "k", at L: atomic_add on "c" takes u32, not f32 "a")"},
    {"length_of_ids", [](Builder& b, Names& k) { b.local(f32, "t", k.i + 1); },
     R"(program "k", at L: the length of "t" may use constants, shapes, scalars and tunables only, not u32 add(...))"},
    {"workgroup_type", [](Builder& b, Names& k) { b.workgroup(8, k.a); },
     R"(program "k", at L: the workgroup size takes u32, not f32 "a")"},
    {"grid_too_large",
     [](Builder& b, Names& k) {
       Value size = k.n;
       for (int i = 0; i < 30; ++i) size = size + size;
       b.grid(size);
     },
     R"(program "k", at L: the grid is too large an expression)"},
    {"axis", [](Builder& b, Names& k) { k.y[0] = k.x[b.local_id(3)]; },
     R"(program "k", at L: local_id(3): an axis is 0, 1 or 2)"},
    {"outside_its_block",
     [](Builder& b, Names& k) {
       Value t;
       b.if_(k.i < 4, [&] { t = k.x[k.i]; });
       k.y[k.i] = t;
     },
     R"(program "k", at L: f32 "x"[...] is used outside its block; use b.var)"},
    {"loop_variable_outside",
     [](Builder& b, Names& k) {
       Value last;
       b.for_("j", 0, 4, [&](Value j) { last = j; });
       k.y[last] = 0;
     },
     R"(program "k", at L: u32 "j" is used outside its block; use b.var)"},
    {"empty_value",
     [](Builder&, Names& k) {
       const Value none;
       k.y[0] = none + k.a;
     },
     R"(program "k", at L: an empty value is used)"},
    {"empty_array", [](Builder& b, Names&) { b.atomic_add(Array{}, 0, 1); },
     R"(program "k", at L: an empty array is used)"},
    {"only_the_first_counts",
     [](Builder& b, Names& k) {
       auto v = b.var("v", k.a * k.i);
       v += 0.1;
       k.y[v] = k.i;
       b.for_("j", v, k.a, [](Value) { FAIL() << "a body runs after a mistake"; });
     },
     R"(program "k", at L: mul takes numbers of one type, not f32 "a" and u32 global_id(0))"},
};

INSTANTIATE_TEST_SUITE_P(All, Mistake, ::testing::ValuesIn(kMistakes),
                         [](const auto& test) { return std::string(test.param.name); });

TEST(Mistakes, SayTheLine) {
  const auto line = std::to_string(std::source_location::current().line() + 1);
  const auto program = built([](Builder&, Names& k) { k.y[k.i] = k.a * k.i; });
  ASSERT_FALSE(program.has_value());
  EXPECT_NE(program.error().message.find("builder_error_test.cc:" + line + ":"), std::string::npos)
      << program.error().message;
  EXPECT_EQ(program.error().kind, ErrorKind::rejected);
  EXPECT_EQ(program.error().code, "builder");
}

TEST(Mistakes, ValuesOfAnotherProgramAreRefused) {
  Value kept;
  Array array;
  ASSERT_TRUE(built([&](Builder&, Names& k) {
                kept = k.a;
                array = k.y;
              }).has_value());
  EXPECT_EQ(mistake_with_names([&](Builder&, Names& k) { k.y[0] = kept; }),
            R"(program "k", at L: a value of another program is used)");
  EXPECT_EQ(mistake_with_names([&](Builder&, Names& k) { k.y[0] = k.a + kept; }),
            R"(program "k", at L: a value of another program is used)");
  EXPECT_EQ(mistake_with_names([&](Builder& b, Names&) { b.atomic_add(array, 0, 1); }),
            R"(program "k", at L: an array of another program is used)");
  // After the build, handles do nothing.
  array[0] = kept + 1;
}

TEST(Mistakes, EmptyBodiesAreEmptyBlocks) {
  EXPECT_EQ(mistake_with_names([](Builder& b, Names& k) {
              b.if_(k.i < 4, nullptr);
              b.for_("j", 0, 4, Builder::LoopBody());
              b.region("r", nullptr);
            }),
            "no mistake");
  EXPECT_EQ(mistake_with_names([](Builder& b, Names&) { b.while_(nullptr, 4, nullptr); }),
            R"(program "k", at L, in while: an empty value is used)");
  EXPECT_TRUE(build("k", nullptr).has_value());
}

TEST(Mistakes, NestingHasALimit) {
  const std::string message = mistake_with_names([](Builder& b, Names& k) {
    std::function<void(int)> nest = [&](int depth) {
      if (depth == 0) return;
      b.if_(k.i < 4, [&] { nest(depth - 1); });
    };
    nest(100'000);
  });
  EXPECT_TRUE(message.ends_with(": statements are nested more than 64 deep")) << message;
}

TEST(Mistakes, OfTheWholeProgramAreThoseOfValidate) {
  const auto program = build("k", [](Builder& b) {
    auto x = b.write(f32, "x", 4);
    b.write(f32, "x", 4);
    x[0] = 1;
  });
  ASSERT_FALSE(program.has_value());
  EXPECT_TRUE(program.error().code.starts_with("V")) << program.error().message;
}

}  // namespace
}  // namespace vyre::ir
