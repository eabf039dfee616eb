// Reindex: a core in another frame. Expressions that have a number of the core's domain as their
// value become variables of the new frame.

#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "bounds/accesses.h"
#include "fuse/domain.h"
#include "ir/rewrite/rewriter.h"

namespace vyre::fuse {

// An expression with this value becomes this variable of the new program.
struct ReindexRule {
  bounds::Poly value{};
  std::uint32_t variable = 0;
};

// Rewrites the core of a program whose own frame is left behind. What still depends on the old
// frame (an id, the variable of a loop) is a problem.
class Reindexer : public ir::Rewriter {
 public:
  // Keeps references to all three.
  Reindexer(const ir::Program& from, ir::ProgramWriter& to, const bounds::Accesses& accesses)
      : Rewriter(from, to), accesses_(accesses) {}

  std::vector<ReindexRule> rules;
  // The first expression that depends on the old frame, as text.
  std::optional<std::string> problem;

  // The lets of the frame, then the core.
  void write(const Domain& domain);

 protected:
  ir::ExprId replace_expr(ir::ExprId id) override;
  // The variable of a rule, or kNone.
  ir::ExprId by_rule(ir::ExprId id);

 private:
  const bounds::Accesses& accesses_;
};

// Rewrites a program whose frame stays. In the core, the numbers of the domain become variables
// too, so that they have one name in both cores.
class FrameRewriter : public Reindexer {
 public:
  FrameRewriter(const ir::Program& from, ir::ProgramWriter& to, const bounds::Accesses& accesses,
                const Domain& domain)
      : Reindexer(from, to, accesses), accesses_(accesses), domain_(domain) {}

  // Called in front of the core and behind it.
  std::function<void()> before{};
  std::function<void()> after{};

  // The variables of the domain's axes, which are named in front of the core. A number that the
  // frame has no expression for is a problem.
  std::vector<std::uint32_t> axes;

  void write();

 protected:
  ir::ExprId replace_expr(ir::ExprId id) override;
  bool replace_stmt(ir::StmtId id) override;

 private:
  void write_from(std::size_t first);
  void name_axes();
  ir::ExprId write_number(const bounds::Poly& number);

  const bounds::Accesses& accesses_;
  const Domain& domain_;
  bool is_in_core_ = false;
};

}  // namespace vyre::fuse
