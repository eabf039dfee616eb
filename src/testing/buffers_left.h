// Which buffers a program still has after a change that may drop some: for tests of such changes.

#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "vyre/program.h"

namespace vyre::testing {

// The text must be that of a valid program.
inline ir::Program parsed(const std::string& text) {
  auto program = ir::parse_program(text);
  EXPECT_TRUE(program) << program.error().message << "\n" << text;
  if (!program) return {};
  for (const Error& error : ir::validate(*program)) ADD_FAILURE() << error.message << text;
  return *std::move(program);
}

inline std::vector<bool> named(const ir::Program& program, const std::string& name) {
  std::vector<bool> out;
  for (const ir::Buffer& b : program.buffers) out.push_back(b.name == name);
  return out;
}

// A valid program must have come out.
inline bool has_buffer(const ir::Program& program, const std::string& name) {
  for (const Error& error : ir::validate(program)) {
    ADD_FAILURE() << error.message << "\n" << ir::print(program);
  }
  return std::ranges::find(program.buffers, name, &ir::Buffer::name) != program.buffers.end();
}

// One change of a text, and whether the buffer in question stays with it.
struct BufferCase {
  const char* name;
  std::string from;
  std::string to;
  bool stays;
};

}  // namespace vyre::testing
