#include "ir/validate/check_scopes.h"

#include <set>

#include "base/text.h"
#include "ir/ops.h"
#include "ir/structure.h"
#include "ir/validate/check_declarations.h"

namespace vyre::ir {
namespace {

// Walks the blocks and keeps the set of visible variables. Statements nest at most 64 deep here, so
// recursion is safe.
class Scopes {
 public:
  explicit Scopes(Inspection& inspection)
      : inspection_(inspection),
        program_(inspection.program),
        visible_(program_.variables.size(), false) {
    for (const Symbol& symbol : program_.symbols) names_.insert(symbol.name);
    for (const Buffer& buffer : program_.buffers) names_.insert(buffer.name);
  }

  void check() { block(program_.body); }

 private:
  void block(const Block& stmts) {
    const std::size_t before = introduced_.size();
    for (const StmtId id : stmts) {
      if (inspection_.full()) return;
      statement(id);
    }
    leave(before);
  }

  void statement(StmtId id) {
    const Stmt& s = program_.stmts[id];
    const Place place{Part::body, id};
    for (const ExprId arg : operands(s)) uses(place, arg);
    const std::size_t before = introduced_.size();
    if (s.kind == StmtKind::assign) {
      assign(place, s.variable);
    } else if (s.variable != kNone) {
      introduce(place, s);
    }
    block(s.body);
    if (s.kind == StmtKind::for_) leave(before);
    block(s.otherwise);
  }

  void uses(Place place, ExprId root) {
    for_each_node(program_.exprs, root, [&](ExprId, const Expr& e) {
      if (e.op == Op::variable) require_visible(place, e.index);
    });
  }

  bool require_visible(Place place, std::uint32_t variable) {
    if (visible_[variable]) return true;
    inspection_.report(place, "V020",
                       "variable {} is not visible here; introduce it before, in this "
                       "block or one around it",
                       quote(program_.variables[variable].name));
    return false;
  }

  void assign(Place place, std::uint32_t variable) {
    if (!require_visible(place, variable) || program_.variables[variable].is_mutable) return;
    inspection_.report(place, "V021", "variable {} cannot be assigned; introduce it as mutable",
                       quote(program_.variables[variable].name));
  }

  void introduce(Place place, const Stmt& s) {
    const Variable& variable = program_.variables[s.variable];
    check_name(inspection_, place, "variable", variable.name);
    if (!is_allowed(variable.type)) {
      inspection_.report(place, "V032",
                         "there is no type {}; vectors are u32x2, u32x4, f32x2 and f32x4",
                         spelled(variable.type));
    }
    if (variable.is_mutable && s.kind == StmtKind::for_) {
      inspection_.report(place, "V022",
                         "loop variable {} is marked mutable; it cannot be assigned, so copy it",
                         quote(variable.name));
    }
    const bool is_new = names_.insert(variable.name).second;
    if (!is_new) {
      inspection_.report(place, "V014", "{} already has a meaning here; rename the variable",
                         quote(variable.name));
    }
    visible_[s.variable] = true;
    introduced_.push_back({s.variable, is_new});
  }

  // Forgets the variables that became visible after the first `count`.
  void leave(std::size_t count) {
    for (; introduced_.size() > count; introduced_.pop_back()) {
      const auto [variable, owns_name] = introduced_.back();
      visible_[variable] = false;
      if (owns_name) names_.erase(program_.variables[variable].name);
    }
  }

  struct Introduced {
    std::uint32_t variable;
    bool owns_name;
  };

  Inspection& inspection_;
  const Program& program_;
  std::vector<bool> visible_;
  std::vector<Introduced> introduced_;
  std::set<std::string_view> names_;
};

}  // namespace

void check_scopes(Inspection& inspection) { Scopes(inspection).check(); }

}  // namespace vyre::ir
