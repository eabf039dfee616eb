// RecipeCopy: writes the value of one element, as a recipe computes it, into another program.

#pragma once

#include <cstdint>
#include <vector>

#include "fuse/producer.h"
#include "ir/rewrite/rewriter.h"

namespace vyre::fuse {

// A buffer of the recipe's program whose element of the same number is known, and its value.
struct KnownElement {
  std::uint32_t buffer = ir::kNone;
  ir::ExprId value = ir::kNone;
};

// Expressions of `to` that stand for the element's number and for the digits that the recipe uses.
// They are copied at each use, so they should be leaves.
struct GivenValues {
  ir::ExprId number = ir::kNone;
  std::vector<ir::ExprId> digits{};
  std::vector<KnownElement> known{};
};

class RecipeCopy : public ir::Rewriter {
 public:
  // `program` is the recipe's.
  RecipeCopy(const ir::Program& program, const Recipe& recipe, GivenValues values,
             ir::ProgramWriter& to)
      : Rewriter(program, to), recipe_(recipe), values_(std::move(values)) {}

  // Writes the statements that the value needs, and gives the value.
  ir::ExprId write();

  // Whether the recipe loads an element of a known buffer that is not the known one.
  bool has_other_load() const { return has_other_load_; }

 protected:
  ir::ExprId replace_expr(ir::ExprId expr) override;
  bool replace_stmt(ir::StmtId stmt) override;

 private:
  ir::ExprId known_load(const ir::Expr& load, const KnownElement& known);
  ir::ExprId launch_size(ir::IdKind kind, std::uint32_t axis);

  const Recipe& recipe_;
  GivenValues values_;
  bool has_other_load_ = false;
};

}  // namespace vyre::fuse
