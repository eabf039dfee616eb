// Values and control flow: nothing moves into a loop, no load moves into a branch.

#include <gtest/gtest.h>

#include "testing/small_kernel.h"
#include "vyre/builder.h"
#include "vyre/program.h"

namespace vyre::ir {
namespace {

using Kernel = testing::KernelNames;

struct FlowCase {
  const char* name;
  testing::KernelBody body;
  const char* expected;
};

class PlaceInFlow : public ::testing::TestWithParam<FlowCase> {};

TEST_P(PlaceInFlow, IsWhereItWasWritten) {
  EXPECT_EQ(testing::statements(GetParam().body), std::string(GetParam().expected).substr(1));
}

const FlowCase kFlowCases[] = {
    {"load_before_a_loop_is_loaded_once",
     [](Builder& b, Kernel& k) {
       auto t = k.x[k.i];
       b.for_("k", 0, 4, [&](Value j) { k.y[j] = t; });
     },
     R"(
  let t0: f32 = x[i]
  for k: u32 in 0u .. 4u {
    y[k] = t0
  }
)"},
    {"work_before_a_loop_is_done_once",
     [](Builder& b, Kernel& k) {
       auto base = k.i * 4;
       b.for_("k", 0, 4, [&](Value j) { k.y[base + j] = k.x[j]; });
     },
     R"(
  let t0: u32 = i * 4u
  for k: u32 in 0u .. 4u {
    y[t0 + k] = x[k]
  }
)"},
    {"load_before_a_branch_stays_before_it",
     [](Builder& b, Kernel& k) {
       auto t = k.x[k.i];
       auto j = k.i * 4;
       b.if_(k.i < 4, [&] { k.y[j] = t; });
     },
     R"(
  let t0: f32 = x[i]
  if i < 4u {
    y[i * 4u] = t0
  }
)"},
    {"effects_inside_a_branch_count_after_it",
     [](Builder& b, Kernel& k) {
       auto t = k.y[k.i];
       auto u = k.y[k.i + 1];
       b.if_(t > 0, [&] { k.y[k.i] = 0; });
       k.z[k.i] = u;
     },
     R"(
  let t0: f32 = y[i + 1u]
  if y[i] > 0f {
    y[i] = 0f
  }
  z[i] = t0
)"},
    {"branches_without_effects_do_not_count",
     [](Builder& b, Kernel& k) {
       auto t = k.y[k.i];
       b.if_(k.i > 7, [&] { b.return_(); });
       k.z[k.i] = t;
     },
     R"(
  if i > 7u {
    return
  }
  z[i] = y[i]
)"},
    {"variable_read_before_a_loop_that_assigns",
     [](Builder& b, Kernel& k) {
       auto acc = b.var("acc", 0.0F);
       Value before = acc;
       b.for_("k", 0, 4, [&](Value j) { acc += k.x[j]; });
       k.y[k.i] = acc - before;
     },
     R"(
  var acc: f32 = 0f
  let t0: f32 = acc
  for k: u32 in 0u .. 4u {
    acc = acc + x[k]
  }
  y[i] = acc - t0
)"},
    {"loads_in_a_loop_are_of_that_turn",
     [](Builder& b, Kernel& k) {
       b.for_("k", 0, 4, [&](Value j) {
         auto t = k.y[j];
         k.y[j + 1] = 2;
         k.z[j] = t;
       });
     },
     R"(
  for k: u32 in 0u .. 4u {
    let t0: f32 = y[k]
    y[k + 1u] = 2f
    z[k] = t0
  }
)"},
    {"bounds_of_a_loop_are_fixed_before_it",
     [](Builder& b, Kernel& k) {
       auto c = b.local(u32, "c", 2);
       b.for_("k", c[0], c[1] + 1, [&](Value j) { c[1] = j; });
       k.y[0] = 1;
     },
     R"(
  let t0: u32 = c[0u]
  let t1: u32 = c[1u] + 1u
  for k: u32 in t0 .. t1 {
    c[1u] = k
  }
  y[0u] = 1f
)"},
    {"while_conditions_are_evaluated_each_turn",
     [](Builder& b, Kernel& k) {
       auto j = b.var("j", k.i);
       auto limit = k.x[0] * 2;
       b.while_(
           [&] {
             Value v = k.y[j];
             return v * v < limit;
           },
           100, [&] { j += 1; });
       k.z[0] = limit;
     },
     R"(
  var j: u32 = i
  let t0: f32 = x[0u] * 2f
  while y[j] * y[j] < t0 limit 100u {
    j = j + 1u
  }
  z[0u] = t0
)"},
};

INSTANTIATE_TEST_SUITE_P(All, PlaceInFlow, ::testing::ValuesIn(kFlowCases),
                         [](const auto& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace vyre::ir
