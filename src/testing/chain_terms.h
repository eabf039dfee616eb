// ChainTerms: random expressions of the text form over values that a place can load. For the
// programs of random chains (random_step.h).

#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "vyre/program.h"

namespace vyre::testing {

class ChainTerms {
 public:
  // `random` must outlive this.
  explicit ChainTerms(std::mt19937_64& random) : random_(random) {}

  std::uint64_t below(std::uint64_t n) { return random_() % n; }
  bool chance(std::uint64_t one_in) { return below(one_in) == 0; }

  // From now on expressions may use this text, a value of that type.
  void add(std::string text, ir::Scalar type) { loads_.push_back({std::move(text), type}); }
  void clear() { loads_.clear(); }

  // Of f32, u32 or i32, with operations nested at most so deep.
  std::string expr(ir::Scalar type, int depth);
  std::string constant(ir::Scalar type);

 private:
  struct Load {
    std::string text;
    ir::Scalar type;
  };

  std::string leaf(ir::Scalar type);

  std::mt19937_64& random_;
  std::vector<Load> loads_;
};

}  // namespace vyre::testing
