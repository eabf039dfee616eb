// A value is the value that it had where it was written, whatever happens before it is used. Shared
// values stay shared.

#include <gtest/gtest.h>

#include "testing/small_kernel.h"
#include "vyre/builder.h"
#include "vyre/program.h"

namespace vyre::ir {
namespace {

using Kernel = testing::KernelNames;

struct PlaceCase {
  const char* name;
  testing::KernelBody body;
  const char* expected;
};

class Place : public ::testing::TestWithParam<PlaceCase> {};

TEST_P(Place, IsWhereItWasWritten) {
  EXPECT_EQ(testing::statements(GetParam().body), std::string(GetParam().expected).substr(1));
}

const PlaceCase kPlaceCases[] = {
    {"load_before_store",
     [](Builder&, Kernel& k) {
       auto t = k.y[k.i];
       k.y[k.i] = 0;
       k.z[k.i] = t;
     },
     R"(
  let t0: f32 = y[i]
  y[i] = 0f
  z[i] = t0
)"},
    {"load_without_store_between",
     [](Builder&, Kernel& k) {
       auto t = k.y[k.i];
       k.z[k.i] = t;
       k.y[k.i] = 0;
     },
     R"(
  z[i] = y[i]
  y[i] = 0f
)"},
    {"swap_of_elements",
     [](Builder&, Kernel& k) {
       Value a = k.y[k.i];
       Value b = k.z[k.i];
       k.y[k.i] = b;
       k.z[k.i] = a;
     },
     R"(
  let t0: f32 = y[i]
  y[i] = z[i]
  z[i] = t0
)"},
    {"swap_of_variables",
     [](Builder& b, Kernel& k) {
       auto p = b.var("p", k.x[0]);
       auto q = b.var("q", k.x[1]);
       Value old = p;
       p = q;
       q = old;
       k.y[k.i] = p - q;
     },
     R"(
  var p: f32 = x[0u]
  var q: f32 = x[1u]
  let t0: f32 = p
  p = q
  q = t0
  y[i] = p - q
)"},
    {"whole_expression_moves_no_further_than_its_loads",
     [](Builder&, Kernel& k) {
       auto v = (k.x[k.i] + 1) * (k.y[k.i] + 2);
       k.y[k.i] = 0;
       k.z[k.i] = v * 2;
     },
     R"(
  let t0: f32 = (x[i] + 1f) * (y[i] + 2f)
  y[i] = 0f
  z[i] = t0 * 2f
)"},
    {"pure_values_may_pass_stores",
     [](Builder&, Kernel& k) {
       auto j = k.i + 1;
       k.y[k.i] = 0;
       k.z[j] = 1;
     },
     R"(
  y[i] = 0f
  z[i + 1u] = 1f
)"},
    {"load_before_barrier",
     [](Builder& b, Kernel& k) {
       auto t = k.y[k.i];
       b.barrier();
       k.y[k.i + 1] = t;
     },
     R"(
  let t0: f32 = y[i]
  barrier
  y[i + 1u] = t0
)"},
    {"load_before_atomic",
     [](Builder& b, Kernel&) {
       auto c = b.local(u32, "c", 1);
       auto before = c[0];
       auto old = b.atomic_add(c, 0, 1);
       c[0] = before + old;
     },
     R"(
  let t0: u32 = c[0u]
  let t1: u32 = atomic_add(c, 0u, 1u)
  c[0u] = t0 + t1
)"},
    {"variable_read_before_assignment",
     [](Builder& b, Kernel& k) {
       auto acc = b.var("acc", k.x[0]);
       Value before = acc;
       acc += 1;
       k.y[k.i] = before;
       k.z[k.i] = acc;
     },
     R"(
  var acc: f32 = x[0u]
  let t0: f32 = acc
  acc = acc + 1f
  y[i] = t0
  z[i] = acc
)"},
    {"stores_do_not_disturb_variables_nor_assignments_loads",
     [](Builder& b, Kernel& k) {
       auto acc = b.var("acc", 0.0F);
       Value before = acc;
       k.y[k.i] = 1;
       k.z[0] = before;
       auto t = k.y[k.i];
       acc = 2;
       k.z[1] = t;
     },
     R"(
  var acc: f32 = 0f
  y[i] = 1f
  z[0u] = acc
  acc = 2f
  z[1u] = y[i]
)"},
    {"compound_stores_compute_the_index_once",
     [](Builder&, Kernel& k) { k.y[k.i * 2 + 1] += k.x[k.i]; },
     R"(
  let t0: u32 = i * 2u + 1u
  y[t0] = y[t0] + x[i]
)"},
    {"unused_values_are_dropped",
     [](Builder&, Kernel& k) {
       auto t = exp(k.x[k.i]) + k.y[k.i];
       k.z[k.i] = 1;
       (void)t;
     },
     R"(
  z[i] = 1f
)"},
    {"names_never_hide_each_other",
     [](Builder& b, Kernel& k) {
       auto t0 = b.let("t0", k.x[k.i]);
       auto v = k.x[0];
       auto again = b.let("t0", v + v);
       auto n = b.let("n", t0 + again);
       b.for_("t0", 0, 2, [&](Value j) { k.y[j] = n; });
       b.for_("j", 0, 2, [&](Value j) { k.y[j] = n; });
       b.for_("j", 0, 2, [&](Value j) { k.y[j] = n; });
     },
     R"(
  let t0: f32 = x[i]
  let t1: f32 = x[0u]
  let t0_2: f32 = t1 + t1
  let n_2: f32 = t0 + t0_2
  for t0_3: u32 in 0u .. 2u {
    y[t0_3] = n_2
  }
  for j: u32 in 0u .. 2u {
    y[j] = n_2
  }
  for j: u32 in 0u .. 2u {
    y[j] = n_2
  }
)"},
};

INSTANTIATE_TEST_SUITE_P(All, Place, ::testing::ValuesIn(kPlaceCases),
                         [](const auto& test) { return std::string(test.param.name); });

TEST(Sharing, StaysLinear) {
  const auto program = build("doubling", [](Builder& b) {
    auto y = b.read_write(u32, "y", 1);
    Value x = y[0];
    for (int i = 0; i < 100; ++i) x = x + x;
    y[0] = x;
  });
  ASSERT_TRUE(program.has_value()) << program.error().message;
  EXPECT_EQ(program->stmts.size(), 101U);  // a let for the load and for all but the last sum
  EXPECT_LT(program->exprs.size(), 310U);
}

TEST(Sharing, LongChainsAreCut) {
  const auto program = build("chain", [](Builder& b) {
    auto y = b.read_write(u32, "y", 1);
    Value x = y[0];
    for (std::uint32_t i = 0; i < 1'000; ++i) x = x * 3 + i;
    y[0] = x;
  });
  ASSERT_TRUE(program.has_value()) << program.error().message;
  EXPECT_LT(program->stmts.size(), 100U);
}

TEST(Sharing, ConditionsBeyondTheLimitsAreRefused) {
  const auto program = build("k", [](Builder& b) {
    auto y = b.read_write(u32, "y", 1);
    b.while_(
        [&] {
          Value x = y[0];
          for (int i = 0; i < 40; ++i) x = x + x;
          return x < 7;
        },
        10, [&] { y[0] = 1; });
  });
  ASSERT_FALSE(program.has_value());
  EXPECT_EQ(program.error().message,
            "program \"k\": the condition of a while is too large an expression; compute parts of "
            "it in the body");
}

}  // namespace
}  // namespace vyre::ir
