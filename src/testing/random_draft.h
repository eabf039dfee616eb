// The program that random_program is making, and the names that its expressions can use at this
// point.

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "testing/random_program.h"

namespace vyre::testing {

// The same numbers on every platform, which the standard's distributions do not promise.
class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}

  std::uint64_t bits() { return engine_(); }
  std::uint32_t below(std::size_t end) { return static_cast<std::uint32_t>(engine_() % end); }
  bool percent(std::uint32_t chance) { return below(100) < chance; }
  template <class Range>
  auto pick(const Range& range) {
    return *(std::begin(range) + below(std::size(range)));
  }

 private:
  std::mt19937_64 engine_;
};

// A buffer of which each invocation has `stride` elements of its own, from index * stride on.
struct Own {
  std::uint32_t buffer = 0;
  std::uint32_t stride = 1;
  bool readable = false;
};

// A buffer of which any invocation may update any element, by one commutative operation.
struct Shared {
  std::uint32_t buffer = 0;
  ir::AtomicOp op = ir::AtomicOp::add;
};

struct RandomDraft {
  RandomDraft(std::uint64_t seed, const RandomOptions& chosen) : random(seed), options(chosen) {}

  ir::ExprId add(ir::Op op, ir::Type type, std::uint32_t index = 0,
                 std::array<ir::ExprId, 4> args = {ir::kNone, ir::kNone, ir::kNone, ir::kNone});
  ir::ExprId constant(ir::Type type, std::uint64_t bits);
  ir::ExprId u32(std::uint32_t value);
  ir::ExprId binary(ir::Op op, ir::ExprId a, ir::ExprId b);  // u32
  ir::ExprId symbol(std::uint32_t index);
  ir::ExprId variable(std::uint32_t index);
  ir::ExprId id(ir::IdKind kind, std::uint32_t axis);
  std::uint32_t new_variable(const std::string& prefix, ir::Type type, bool is_mutable);

  ir::Program program;
  Random random;
  RandomOptions options;

  std::vector<std::uint32_t> visible;  // variables
  std::vector<std::uint32_t> inputs;   // buffers that nobody writes
  std::vector<Own> own;
  std::vector<std::uint32_t> privates;  // of kPrivateLength elements
  std::vector<std::uint32_t> locals;    // of one element per invocation of the workgroup
  std::vector<Shared> shared;
  std::uint32_t global_index = 0;  // variables: the invocation's number in the grid,
  std::uint32_t local_index = 0;   // and in its workgroup
  std::uint32_t group_invocations = 64;
};

inline constexpr std::uint32_t kPrivateLength = 8;

}  // namespace vyre::testing
