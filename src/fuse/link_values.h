// LinkValues: the values of fuse_* with which an interval, or an original step, runs.
//
// A condition is a list of them that must all hold. It is written as a size expression for
// ir::Step::when, and in Python's syntax for the constraints of the space.

#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "vyre/fuse.h"

namespace vyre::fuse {

// fuse_LINK == kind.
struct LinkValue {
  std::uint32_t link = 0;
  Kind kind = Kind::none;
};

// All links of the interval have its kinds, and those beside it are not joined. Links without a
// tunable are left out: they are never joined.
std::vector<LinkValue> values_of(std::span<const Link> links, std::uint32_t first,
                                 std::uint32_t last, std::span<const Kind> kinds);

// The step is joined with neither neighbour.
inline std::vector<LinkValue> values_of_step(std::span<const Link> links, std::uint32_t step) {
  return values_of(links, step, step, {});
}

// "fuse_0 == 1 and fuse_1 == 0"; "True" without values.
std::string in_python(std::span<const Link> links, std::span<const LinkValue> values);

// Appends the condition to `exprs` and returns its root: a bool. `symbols`: by link, the symbol of
// its tunable.
ir::ExprId all_of(std::vector<ir::Expr>& exprs, std::span<const std::uint32_t> symbols,
                  std::span<const LinkValue> values);

// Appends "none of the conditions holds"; kNone without conditions.
ir::ExprId none_of(std::vector<ir::Expr>& exprs, std::span<const std::uint32_t> symbols,
                   std::span<const std::vector<LinkValue>> conditions);

}  // namespace vyre::fuse
