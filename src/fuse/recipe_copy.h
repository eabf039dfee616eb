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
// They are copied at each use, so they should be short.
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
      : Rewriter(program, to),
        recipe_(recipe),
        values_(std::move(values)),
        lasting_(program.variables.size(), ir::kNone),
        indices_(program.variables.size(), ir::kNone) {}

  // Takes over what a copy for the same element and the same digits has written: its `lasting`. The
  // block that it was written to must be open.
  void reuse(const std::vector<std::uint32_t>& lasting);

  // Writes the statements that the value needs, and gives the value.
  ir::ExprId write();

  // By variable of the recipe's program: the variable that has its value for this element, if it
  // was written and never changes.
  const std::vector<std::uint32_t>& lasting() const { return lasting_; }

  // Whether the recipe loads an element of a known buffer that is not the known one.
  bool has_other_load() const { return has_other_load_; }

 protected:
  ir::ExprId replace_expr(ir::ExprId expr) override;
  bool replace_stmt(ir::StmtId stmt) override;

 private:
  bool is_index(ir::StmtId let) const;
  std::uint32_t index_nodes(ir::ExprId id) const;
  bool is_lasting(ir::ExprId id) const;
  ir::ExprId sum(ir::ExprId left, ir::ExprId right);
  ir::ExprId known_load(const ir::Expr& load, const KnownElement& known);
  ir::ExprId launch_size(ir::IdKind kind, std::uint32_t axis);

  const Recipe& recipe_;
  GivenValues values_;
  std::vector<std::uint32_t> lasting_;
  std::vector<ir::ExprId> indices_;  // by variable: what is written instead of it; kNone: itself
  bool has_other_load_ = false;
};

}  // namespace vyre::fuse
