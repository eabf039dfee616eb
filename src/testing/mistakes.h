// One-mistake tests: a valid thing is broken in one way, and exactly one error says so.

#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <span>
#include <string>

#include "testing/sample_program.h"
#include "vyre/program.h"

namespace vyre::testing {

struct Mistake {
  const char* code;
  const char* message;
  std::function<void(Sample&)> make;
};

struct SequenceMistake {
  const char* code;
  const char* message;
  std::function<void(ir::SequenceDef&)> make;
};

inline void expect_only(const std::vector<Error>& errors, const std::string& code,
                        const std::string& message) {
  ASSERT_FALSE(errors.empty()) << code << " " << message;
  EXPECT_EQ(errors.size(), 1U) << code << ", then " << errors.back().code << " "
                               << errors.back().message;
  EXPECT_EQ(errors[0].code, code) << errors[0].message;
  EXPECT_EQ(errors[0].message, message);
  EXPECT_EQ(errors[0].kind, ErrorKind::rejected);
}

inline void expect_mistakes(std::span<const Mistake> mistakes) {
  for (const auto& [code, message, make] : mistakes) {
    Sample s = sample();
    make(s);
    expect_only(ir::validate(s.program), code, message);
  }
}

inline void expect_mistakes(std::span<const SequenceMistake> mistakes) {
  for (const auto& [code, message, make] : mistakes) {
    ir::SequenceDef sequence = sample_sequence();
    make(sequence);
    expect_only(ir::validate(sequence), code, message);
  }
}

}  // namespace vyre::testing
