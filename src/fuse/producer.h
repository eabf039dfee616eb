// Producer: how each element of a buffer is computed from its number alone.
//
// A program qualifies if it stores the buffer with one plain store, reaches every element, and if
// the stored value depends on the invocation and on the turns of loops only through what the
// element's number determines. Example: out[y * w + x] = a[y * p + x] with x < w: y and x are the
// digits of the number, with the strides w and 1.

#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <string_view>
#include <vector>

#include "fuse/lazy_accesses.h"
#include "fuse/refusal.h"
#include "fuse/store_path.h"
#include "vyre/program.h"

namespace vyre::fuse {

// A sum of products of symbols: a size that means the same in all stages.
struct SizeTerm {
  std::int64_t factor = 0;
  std::vector<std::string> symbols;

  bool operator==(const SizeTerm&) const = default;
};
using Size = std::vector<SizeTerm>;

// A part of the program's state that follows from the element's number e: (e mod the stride of the
// digit before) / stride.
struct NumberDigit {
  enum class Kind : std::uint8_t { variable, id, turn };
  Kind kind = Kind::variable;
  std::uint32_t index = 0;  // of the variable; as Expr::index; of the `for` statement
  Size stride;
  bool is_used = false;
};

struct Recipe {
  std::uint32_t buffer = 0;
  StorePath path;
  std::uint32_t width = 1;          // elements that the store writes
  ir::ExprId value = ir::kNone;     // what it stores
  bounds::Poly number{};            // where: the element's number in the program's own analysis
  std::vector<ir::StmtId> slice;    // statements that compute the value
  std::vector<NumberDigit> digits;  // outermost first
  bool uses_number = false;         // the element's number itself stands in `given`
  bool has_loop = false;
  // By expression: what it is known to be. kNone: to compute; 0: the element's number; k: digit
  // k - 1.
  std::vector<std::uint32_t> given;
};

// How the buffer's elements are computed. `accesses` are those of the program. `kind` is the first
// part of the rules of refusals: KIND.once, .plain, .covers, .carried, .index.
std::expected<Recipe, Refusal> find_recipe(const ir::Program& program, std::uint32_t buffer,
                                           LazyAccesses& accesses, std::string_view kind);

}  // namespace vyre::fuse
