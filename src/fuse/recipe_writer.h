// RecipeWriter: computes an element of one program's buffer at an access of another program, its
// host.
//
// The number of the element is the index of the host's access. What the recipe needs of it is found
// without division where the host's index shows it (load_index.h), else by division and remainder.

#pragma once

#include <deque>
#include <string>
#include <vector>

#include "bounds/accesses.h"
#include "fuse/producer.h"
#include "fuse/recipe_copy.h"
#include "ir/rewrite/rewriter.h"
#include "vyre/program.h"

namespace vyre::fuse {

// The access of the host.
struct ElementPlace {
  const bounds::MemoryAccess* access = nullptr;
  bool is_inside = false;    // the element exists for sure, or the value does not matter if not
  bool guards_loops = true;  // loops must not run where the element does not exist
  // The number of the element, if it has been written already. See RecipeWriter::bind.
  ir::ExprId number = ir::kNone;
  // What is proved at the access holds in all of the block from here on. So what is written for it
  // may be used there again.
  bool is_lasting = false;
};

class RecipeWriter {
 public:
  // `rewriter` rewrites the host; keeps references to all.
  RecipeWriter(const ir::Program& program, const ir::Program& host, bounds::Accesses& accesses,
               ir::Rewriter& rewriter, ir::ProgramWriter& to)
      : program_(program), host_(host), accesses_(accesses), rewriter_(rewriter), to_(to) {}

  // An expression with the same value of which copies cost little: a short sum, or a variable.
  ir::ExprId bind(ir::ExprId value, const std::string& wish);

  // The value of the element; 0 where it does not exist. Without loops the value is computed for
  // any number, and a `select` chooses. What several recipes compute for one element at lasting
  // places is written only once in a block.
  ir::ExprId evaluate(const Recipe& recipe, ElementPlace place,
                      const std::vector<KnownElement>& known = {});

  // Whether some recipe loaded another element of a known buffer than the known one.
  bool has_other_load = false;

 private:
  // What was written for an element, in a block that may still be open.
  struct Written {
    const Recipe* recipe = nullptr;  // the first one
    bounds::Poly index{};
    std::uint32_t block = 0;
    GivenValues values{};
    std::vector<std::uint32_t> lasting{};  // RecipeCopy::lasting
  };

  Written* find_written(const Recipe& recipe, const ElementPlace& place);
  void find_values(const Recipe& recipe, ElementPlace& place, bool needs_number, GivenValues& out);
  ir::ExprId write_value(RecipeCopy& copy, const Recipe& recipe, const ElementPlace& place,
                         bool is_guarded);
  ir::ExprId divided(const Recipe& recipe, std::size_t digit, ir::ExprId number);
  ir::ExprId exists(RecipeCopy& copy, const Recipe& recipe, ir::ExprId number);
  std::string name_of(const Recipe& recipe, const NumberDigit& digit) const;
  const std::string& name_of(const Recipe& recipe) const {
    return program_.buffers[recipe.buffer].name;
  }

  const ir::Program& program_;
  const ir::Program& host_;
  bounds::Accesses& accesses_;
  ir::Rewriter& rewriter_;
  ir::ProgramWriter& to_;
  std::deque<Written> written_;  // an index may load elements itself, so references must stay valid
};

}  // namespace vyre::fuse
