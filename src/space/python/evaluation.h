// Evaluation: the steps that one evaluation of an expression may still take, its memory, and the
// problem that stopped it.

#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "space/python/cell.h"

namespace vyre::space::detail {

struct Evaluation {
  explicit Evaluation(std::uint64_t most_steps) : steps_left(most_steps) {}

  // Takes `count` steps off; false once there are none left.
  bool spend(std::uint64_t count) {
    if (count > steps_left) {
      steps_left = 0;
      return fail("takes too many steps");
    }
    steps_left -= count;
    return true;
  }
  bool fail(std::string why) {
    problem = std::move(why);
    return false;
  }

  std::uint64_t steps_left;
  std::vector<Cell> cells;  // the machine's stack and locals, kept between evaluations
  Pool pool;
  std::string problem;
};

}  // namespace vyre::space::detail
