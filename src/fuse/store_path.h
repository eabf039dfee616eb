// StorePath: the way from a program's body down to one of its stores, and the statements before it
// that the stored value needs.
//
// An invocation that makes the store has run, in each block on the way, the statements before it.
// Those that give values to variables which the stored value uses, directly or through other
// variables, are the slice. Written behind each other, without the `if`s and `for`s around them,
// they compute the value, if the ids and the variables of the loops around are given.

#pragma once

#include <cstdint>
#include <expected>
#include <functional>
#include <optional>
#include <vector>

#include "fuse/refusal.h"
#include "vyre/program.h"

namespace vyre::fuse {

struct StorePath {
  ir::StmtId store = ir::kNone;
  std::vector<ir::StmtId> around;      // statements that contain the store, outermost first
  std::vector<ir::StmtId> before;      // statements before it, in the blocks of these, in order
  std::vector<std::uint32_t> turning;  // variables of the `for`s in `around`, outermost first
};

// All paths to stores into the buffer, in the order of the text.
std::vector<StorePath> find_stores(const ir::Program& program, std::uint32_t buffer);

// Whether an expression of the program is given from outside, so that the slice need not compute
// it.
using IsGiven = std::function<bool(ir::ExprId)>;

// The statements of the slice for these expressions, in the order in which they run. None if a
// variable that they need keeps a value from one turn of a loop around the store to the next: then
// one turn alone does not give the value.
std::optional<std::vector<ir::StmtId>> slice_before(const ir::Program& program,
                                                    const StorePath& path,
                                                    const std::vector<ir::ExprId>& wanted,
                                                    const IsGiven& is_given);

// Whether a statement or one inside it is a loop.
bool has_loop(const ir::Program& program, ir::StmtId stmt);

}  // namespace vyre::fuse
