#include "suite.h"

#include <fmt/format.h>
#include <gtest/gtest-spi.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cfloat>
#include <cmath>
#include <cstdlib>

#include "ops_cases.h"
#include "vyre/program.h"

namespace vyre::conformance {
namespace {

// Sign and magnitude as one ordered integer, so that neighbours differ by one.
std::int64_t ordinal(float x) {
  const auto bits = std::bit_cast<std::int32_t>(x);
  return bits < 0 ? -std::int64_t{bits & 0x7fffffff} : std::int64_t{bits};
}

std::string first_difference(const Bytes& got, const Bytes& want, std::uint32_t ulp) {
  if (got.size() != want.size()) {
    return fmt::format("{} bytes instead of {}", got.size(), want.size());
  }
  for (std::size_t at = 0; at + 4 <= want.size(); at += 4) {
    std::uint32_t g = 0;
    std::uint32_t w = 0;
    std::memcpy(&g, got.data() + at, 4);
    std::memcpy(&w, want.data() + at, 4);
    if (g == w || (ulp > 0 && close(std::bit_cast<float>(g), std::bit_cast<float>(w), ulp))) {
      continue;
    }
    return fmt::format("word {} is {:#010x} ({}), not {:#010x} ({})", at / 4, g,
                       std::bit_cast<float>(g), w, std::bit_cast<float>(w));
  }
  return "";
}

void check_outputs(const Case& c, const Outputs& outputs, bool executes) {
  ASSERT_EQ(outputs.size(), c.expected.size());
  for (std::size_t k = 0; k < outputs.size(); ++k) {
    if (!executes) {
      EXPECT_EQ(outputs[k].size(), c.expected[k].size());
      continue;
    }
    EXPECT_EQ(first_difference(outputs[k], c.expected[k], c.ulp), "") << "output " << k;
  }
}

// A number as its type has it.
Arg number(std::string_view name, ir::Scalar type, std::uint64_t bits) {
  switch (type) {
    case ir::Scalar::boolean:
      return {name, bits != 0};
    case ir::Scalar::f32:
      return {name, std::bit_cast<float>(static_cast<std::uint32_t>(bits))};
    case ir::Scalar::i32:
      return {name, static_cast<std::int32_t>(bits)};
    case ir::Scalar::i64:
      return {name, static_cast<std::int64_t>(bits)};
    default:
      return {name, bits};
  }
}

// The same call by name, on memory of the device, gives the same bytes. Memory that is only written
// holds something else before: the program must not see it.
void run_on_device_memory(const Case& c, const ir::Sequence& sequence, Dispatcher& dispatcher,
                          Device& device, const Outputs& wanted) {
  std::vector<std::unique_ptr<Buffer>> memory;
  std::vector<Arg> args;
  std::size_t input = 0;
  std::size_t output = 0;
  std::vector<Buffer*> results;
  for (const ir::Buffer& b : sequence.def().buffers) {
    if (b.access > ir::Access::write) continue;
    const bool is_input = b.access != ir::Access::write;
    const Bytes content =
        is_input ? c.inputs[input++] : Bytes(wanted[output].size(), std::byte{0xa5});
    auto buffer = device.allocate(content.size());
    ASSERT_TRUE(buffer && (*buffer)->write(0, content));
    memory.push_back(*std::move(buffer));
    args.emplace_back(b.name, *memory.back());
    if (b.access == ir::Access::read) continue;
    results.push_back(memory.back().get());
    ++output;
  }
  for (const Argument& a : c.arguments) {
    const auto it = std::ranges::find(sequence.def().symbols, a.name, &ir::Symbol::name);
    args.push_back(number(a.name, it->type, a.bits));
  }
  const auto done = dispatcher.dispatch(sequence, args, {.config = &c.config, .grid = c.grid});
  ASSERT_TRUE(done) << done.error().message;
  ASSERT_TRUE(dispatcher.finish());
  for (std::size_t k = 0; k < results.size(); ++k) {
    Bytes got(results[k]->size());
    ASSERT_TRUE(results[k]->read(0, got));
    if (device.info().executes) {
      EXPECT_EQ(first_difference(got, wanted[k], 0), "") << "output " << k << " on the device";
    }
  }
}

void run_case(const Case& c, const std::shared_ptr<Device>& device) {
  ASSERT_NE(device, nullptr) << "the device does not open; install what tools/setup lists";
  auto def = ir::parse(c.text);
  ASSERT_TRUE(def) << def.error().message;
  auto sequence = ir::Sequence::make(*std::move(def));
  ASSERT_TRUE(sequence) << sequence.error().message;
  const std::vector<Input> inputs(c.inputs.begin(), c.inputs.end());
  const Call call{.inputs = inputs, .arguments = c.arguments, .config = &c.config, .grid = c.grid};
  auto dispatcher = make_dispatcher(device);
  auto outputs = dispatcher->dispatch(*sequence, call);
  ASSERT_TRUE(outputs) << outputs.error().message;
  check_outputs(c, *outputs, device->info().executes);
  run_on_device_memory(c, *sequence, *dispatcher, *device, *outputs);
}

class ConformanceTest : public ::testing::Test {
 public:
  ConformanceTest(const Joining& backend, std::function<void()> body, const Skip* never,
                  const Skip* not_yet)
      : backend_(backend), body_(std::move(body)), never_(never), not_yet_(not_yet) {}

  void TestBody() override {
    if (never_ != nullptr) GTEST_SKIP() << "never: " << never_->because;
    const std::string missing = backend_.missing ? backend_.missing() : "";
    if (!missing.empty()) GTEST_SKIP() << missing;
    if (not_yet_ == nullptr) return body_();
    ::testing::TestPartResultArray results;
    {
      const ::testing::ScopedFakeTestPartResultReporter reporter(
          ::testing::ScopedFakeTestPartResultReporter::INTERCEPT_ALL_THREADS, &results);
      body_();
    }
    if (results.size() == 0) FAIL() << "passes now: take it off the list of what is not yet done";
    GTEST_SKIP() << "not yet: " << not_yet_->because;
  }

 private:
  const Joining& backend_;
  std::function<void()> body_;
  const Skip* never_;
  const Skip* not_yet_;
};

const Skip* find(const std::vector<Skip>& list, const std::string& name) {
  const auto it = std::ranges::find(list, name, &Skip::name);
  return it == list.end() ? nullptr : &*it;
}

}  // namespace

bool close(float a, float b, std::uint32_t ulp) {
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
  if (std::fabs(a) < FLT_MIN && std::fabs(b) < FLT_MIN) return true;
  return std::llabs(ordinal(a) - ordinal(b)) <= ulp;
}

bool join(const Joining& joining) {
  // Tests run long after this returns, and the lists must outlive them.
  static std::vector<std::unique_ptr<Joining>> joined;
  joined.push_back(std::make_unique<Joining>(joining));
  const Joining& backend = *joined.back();
  const auto add = [&](const std::string& name, const std::function<void()>& body) {
    const Skip* never = find(backend.never, name);
    const Skip* not_yet = find(backend.not_yet, name);
    ::testing::RegisterTest(backend.name.c_str(), name.c_str(), nullptr, nullptr, __FILE__,
                            __LINE__, [=, &backend]() -> ::testing::Test* {
                              return new ConformanceTest(backend, body, never, not_yet);
                            });
  };
  for (auto make : {value_cases, flow_cases, memory_cases, sequence_cases, op_cases}) {
    for (const Case& c : make()) add(c.name, [&backend, c] { run_case(c, backend.open()); });
  }
  for (const Behaviour& b : behaviours()) {
    add(b.name, [&backend, b] { b.check(backend.open()); });
  }
  return true;
}

}  // namespace vyre::conformance
