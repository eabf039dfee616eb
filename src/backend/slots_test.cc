// Calls by name: what is taken, and what is refused with which words.

#include "backend/slots.h"

#include <gtest/gtest.h>

#include <array>

#include "vyre/builder.h"

namespace vyre::backend {
namespace {

// y = a x + y, and how often it was called.
ir::Sequence saxpy() {
  const auto program = ir::build("saxpy", [](ir::Builder& b) {
    auto n = b.shape("n");
    auto a = b.scalar(ir::f32, "a");
    auto step = b.scalar(ir::i32, "step");
    auto x = b.read(ir::f32, "x", n);
    auto y = b.read_write(ir::f32, "y", n);
    auto count = b.write(ir::i32, "count", n);
    auto i = b.global_id(0);
    b.if_(i < n, [&] {
      y[i] = a * x[i] + y[i];
      count[i] = step;
    });
  });
  return *ir::Sequence::make(*program);
}

class Calls : public ::testing::Test {
 protected:
  std::string error_of(std::initializer_list<Arg> args) {
    const auto done = dispatcher_->dispatch(saxpy_, args);
    return done ? "no error" : done.error().message;
  }

  std::shared_ptr<Device> device_ = open_reference();
  std::unique_ptr<Dispatcher> dispatcher_ = make_dispatcher(device_);
  ir::Sequence saxpy_ = saxpy();
  std::vector<float> x_ = {1, 2, 3};
  std::vector<float> y_ = {10, 20, 30};
  std::vector<std::int32_t> count_ = {9, 9, 9};
};

TEST_F(Calls, TakeMemoryWhoseTypeOnlyTheProgramKnows) {
  const auto memory = [](const char* name, Arg::Type type, auto& values, bool is_read_only) {
    return Arg::memory(name, type, sizeof(values[0]), std::as_writable_bytes(std::span(values)),
                       is_read_only);
  };
  const Arg x = memory("x", Arg::Type::f32, x_, true);
  const Arg y = memory("y", Arg::Type::f32, y_, false);
  const Arg count = memory("count", Arg::Type::i32, count_, false);
  EXPECT_EQ(error_of({x, y, count, {"a", 2}, {"step", 1}}), "no error");
  EXPECT_EQ(y_, (std::vector<float>{12, 24, 36}));
  EXPECT_EQ(error_of({x, memory("y", Arg::Type::f32, y_, true), count, {"a", 2}, {"step", 1}}),
            "\"saxpy\": \"y\" is written, and its memory is const; give memory that may change");
  EXPECT_EQ(error_of({x, memory("y", Arg::Type::i32, y_, false), count, {"a", 2}, {"step", 1}}),
            "\"saxpy\": \"y\" has elements of f32, and i32 is given; give elements of that type, "
            "or bytes");
}

TEST_F(Calls, TakeNumbersAndRangesOfTheirOwnTypesInAnyOrder) {
  EXPECT_EQ(error_of({{"count", count_}, {"a", 2.0F}, {"y", y_}, {"x", x_}, {"step", -7}}),
            "no error");
  EXPECT_EQ(y_, (std::vector<float>{12, 24, 36}));
  EXPECT_EQ(count_, (std::vector<std::int32_t>{-7, -7, -7}));
  // Arrays, spans of a part, const memory that is only read, a double, a shape that is given too.
  const std::array<float, 2> x{1, 1};
  EXPECT_EQ(error_of({{"x", x},
                      {"y", std::span(y_).first(2)},
                      {"count", std::span(count_).last(2)},
                      {"a", 0.5},
                      {"step", 3U},
                      {"n", 2}}),
            "no error");
  EXPECT_EQ(y_, (std::vector<float>{12.5, 24.5, 36}));
  EXPECT_EQ(count_, (std::vector<std::int32_t>{-7, 3, 3}));
}

TEST_F(Calls, MixMemoryOfTheHostAndOfTheDevice) {
  auto y = device_->allocate(3 * sizeof(float));
  ASSERT_TRUE(y && (*y)->write(0, std::as_bytes(std::span(y_))));
  for (int k = 0; k < 2; ++k) {
    ASSERT_EQ(error_of({{"x", x_}, {"y", **y}, {"count", count_}, {"a", 1}, {"step", k}}),
              "no error");
    EXPECT_EQ(count_[2], k);
  }
  ASSERT_TRUE((*y)->read(0, std::as_writable_bytes(std::span(y_))));
  EXPECT_EQ(y_, (std::vector<float>{12, 24, 36}));
}

TEST_F(Calls, AreRefusedByNameWithASuggestion) {
  const std::vector<float> fixed = y_;
  std::vector<std::int32_t> integers = {1, 2, 3};
  std::vector<double> doubles = {1, 2, 3};
  std::vector<float> two = {1, 2};
  std::vector<float> none;
  const Arg x("x", x_);
  const Arg y("y", y_);
  const Arg count("count", count_);
  const Arg a("a", 1.0F);
  const Arg step("step", 1);
  auto device = device_->allocate(12);
  struct Case {
    std::initializer_list<Arg> args;
    const char* message;
  };
  const Case table[] = {
      {{x, y, count, a, step, {"scale", 1}}, "there is no buffer, shape or scalar \"scale\""},
      {{x, y, {"cont", count_}, a, step},
       "there is no buffer, shape or scalar \"cont\"; did you mean \"count\"?"},
      {{x, y, count, a}, "scalar \"step\" is not given; add it to the call's arguments"},
      {{x, y, a, step}, "buffer \"count\" is not given; add it to the arguments"},
      {{x, x, y, count, a, step}, "\"x\" is given twice; leave one out"},
      {{x, y, count, a, a, step}, "\"a\" is given twice; leave one out"},
      {{{"x", 1.0F}, y, count, a, step},
       "\"x\" is a buffer, and a number is given; give a range or a Buffer"},
      {{x, y, count, {"a", x_}, step}, "\"a\" is a number, and memory is given; give a f32"},
      {{x, y, count, a, {"step", 1.5F}}, "\"step\" cannot be 1.5; it is a i32"},
      {{x, y, count, a, {"step", 3000000000U}}, "\"step\" cannot be 3000000000; it is a i32"},
      {{x, y, count, {"a", 1e300}, step}, "\"a\" cannot be 1e+300; it is a f32"},
      {{x, y, count, {"a", true}, step}, "\"a\" cannot be true; it is a f32"},
      {{x, {"y", fixed}, count, a, step},
       "\"y\" is written, and its memory is const; give memory that may change"},
      {{{"x", integers}, y, count, a, step},
       "\"x\" has elements of f32, and i32 is given; give elements of that type, or bytes"},
      {{{"x", doubles}, y, count, a, step},
       "\"x\" has elements of f32, and f64 is given; give elements of that type, or bytes"},
      {{{"x", none}, y, count, a, step}, "\"x\" is empty; give at least one f32"},
      {{x, {"y", two}, count, a, step},
       "input \"y\" has 8 bytes, wanted are 3 elements of f32: 12 bytes"},
      {{x, y, {"count", std::span(count_).first(1)}, a, step},
       "output \"count\" has 4 bytes, wanted are 3 elements of i32: 12 bytes"},
      {{{"x", **device}, {"y", **device}, count, a, step},
       "\"x\" and \"y\" are one buffer, and one of them is written; give two"},
  };
  for (const Case& c : table) EXPECT_EQ(error_of(c.args), std::string("\"saxpy\": ") + c.message);
  EXPECT_EQ(y_, fixed) << "a refused call writes nothing";
}

// Numbers that decide no size are no part of what is bound: a million values make one bound call.
TEST_F(Calls, AreBoundOncePerShape) {
  for (int k = 0; k < 100; ++k) {
    ASSERT_EQ(error_of({{"x", x_}, {"y", y_}, {"count", count_}, {"a", 0}, {"step", k}}),
              "no error");
    ASSERT_EQ(count_[0], k);
  }
}

}  // namespace
}  // namespace vyre::backend
