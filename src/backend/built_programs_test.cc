// Programs from the builder compute the same values as the same lines in C++.

#include <gtest/gtest.h>

#include <bit>
#include <functional>
#include <vector>

#include "vyre/builder.h"
#include "vyre/call.h"

namespace vyre::backend {
namespace {

using namespace ir;
using ir::Value;

template <class T>
std::vector<T> run(const Expected<Program>& program, std::span<const Input> inputs,
                   std::span<const Argument> arguments) {
  if (!program) {
    ADD_FAILURE() << program.error().message;
    return {};
  }
  const auto sequence = Sequence::make(*program);
  if (!sequence) {
    ADD_FAILURE() << sequence.error().message;
    return {};
  }
  const auto dispatcher = make_dispatcher(open_reference());
  const auto outputs = dispatcher->dispatch(*sequence, {.inputs = inputs, .arguments = arguments});
  if (!outputs) {
    ADD_FAILURE() << outputs.error().message;
    return {};
  }
  return values_of<T>(outputs->front());
}

TEST(BuiltPrograms, SaxpyAddsUp) {
  const auto saxpy = build("saxpy", [](Builder& b) {
    auto n = b.shape("n");
    auto a = b.scalar(f32, "a");
    auto x = b.read(f32, "x", n);
    auto y = b.read_write(f32, "y", n);
    auto i = b.global_id(0);
    b.if_(i < n, [&] { y[i] = a * x[i] + y[i]; });
  });
  for (const std::size_t n : {1U, 63U, 64U, 65U, 1000U}) {
    std::vector<float> x(n);
    std::vector<float> y(n);
    std::vector<float> expected(n);
    for (std::size_t i = 0; i < n; ++i) {
      x[i] = static_cast<float>(i) * 0.5F;
      y[i] = 100.0F - static_cast<float>(i);
      expected[i] = 2.5F * x[i] + y[i];
    }
    const Input inputs[] = {as_input(x), as_input(y)};
    const Argument arguments[] = {{"a", std::bit_cast<std::uint32_t>(2.5F)}};
    EXPECT_EQ(run<float>(saxpy, inputs, arguments), expected) << n;
  }
}

using Memory = std::vector<std::uint32_t>;

// The same kernel, by one invocation on the device and in C++.
struct Case {
  const char* name;
  std::function<void(Builder&, const Array&)> device;
  std::function<void(Memory&)> host;
};

class OneInvocation : public ::testing::TestWithParam<Case> {};

TEST_P(OneInvocation, ComputesWhatCppWould) {
  const auto program = build("k", [](Builder& b) {
    auto m = b.read_write(u32, "m", 8);
    b.workgroup(1);
    b.grid(1);
    GetParam().device(b, m);
  });
  const Memory before{3, 1, 4, 1, 5, 9, 2, 6};
  Memory after = before;
  GetParam().host(after);
  const Input input = as_input(before);
  EXPECT_EQ(run<std::uint32_t>(program, {&input, 1}, {}), after);
}

const Case kCases[] = {
    {"swap",
     [](Builder&, const Array& m) {
       auto t = m[0];
       m[0] = m[1];
       m[1] = t;
     },
     [](Memory& m) { std::swap(m[0], m[1]); }},
    {"fibonacci",
     [](Builder& b, const Array& m) {
       auto p = b.var("p", 0);
       auto q = b.var("q", 1);
       b.for_("k", 0, 8, [&](const Value& k) {
         Value next = p + q;
         p = q;
         q = next;
         m[k] = p;
       });
     },
     [](Memory& m) { m = {1, 1, 2, 3, 5, 8, 13, 21}; }},
    {"sorting",
     [](Builder& b, const Array& m) {
       b.for_("i", 1, 8, [&](const Value& i) {
         auto key = m[i];
         auto j = b.var("j", i);
         b.while_([&] { return j > 0 && m[j - 1] > key; }, 8,
                  [&] {
                    m[j] = m[j - 1];
                    j -= 1;
                  });
         m[j] = key;
       });
     },
     [](Memory& m) { m = {1, 1, 2, 3, 4, 5, 6, 9}; }},
    {"running_sum",
     [](Builder& b, const Array& m) {
       auto sum = b.var("sum", 0);
       b.for_("i", 0, 8, [&](const Value& i) {
         Value before = sum;
         sum += m[i];
         m[i] = before;
       });
       m[7] += b.atomic_add(m, 0, sum) + sum;
     },
     [](Memory& m) { m = {31, 3, 4, 8, 9, 14, 23, 25 + 0 + 31}; }},
    {"branches",
     [](Builder& b, const Array& m) {
       auto largest = b.var("largest", m[0]);
       b.for_("i", 1, 8, {.unroll = 4}, [&](const Value& i) {
         b.if_(m[i] > largest, [&] { largest = m[i]; }, [&] { m[i] = 0; });
       });
       m[0] = select(largest == 9, 100 + largest, 0);
     },
     [](Memory& m) { m = {109, 0, 4, 0, 5, 9, 0, 0}; }},
};

INSTANTIATE_TEST_SUITE_P(All, OneInvocation, ::testing::ValuesIn(kCases),
                         [](const auto& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace vyre::backend
