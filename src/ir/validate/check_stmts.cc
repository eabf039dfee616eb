#include "ir/validate/check_stmts.h"

#include <algorithm>

#include "base/text.h"
#include "ir/ops.h"
#include "ir/structure.h"

namespace vyre::ir {
namespace {

class Stmts {
 public:
  explicit Stmts(Inspection& inspection) : inspection_(inspection), program_(inspection.program) {}

  void check() {
    for (const StmtId id : inspection_.stmts) {
      if (inspection_.full()) return;
      place_ = {Part::body, id};
      check(program_.stmts[id]);
    }
  }

 private:
  void check(const Stmt& s) {
    switch (s.kind) {
      case StmtKind::let:
      case StmtKind::assign:
        if (is_wrong(s.args[0])) return;
        return value_of_variable(s.variable, type_of(s.args[0]));
      case StmtKind::store:
        return store(s);
      case StmtKind::if_:
        return condition(s.args[0]);
      case StmtKind::for_:
        return loop(s);
      case StmtKind::while_:
        condition(s.args[0]);
        return limit(s.args[1]);
      case StmtKind::atomic:
        return atomic(s);
      case StmtKind::region:
        return region(s.name);
      case StmtKind::return_:
      case StmtKind::barrier:
        return;
    }
  }

  void value_of_variable(std::uint32_t index, Type value) {
    const Variable& variable = program_.variables[index];
    if (value == variable.type || !is_allowed(variable.type)) return;
    inspection_.report(place_, "V042", "{} is {}, but gets {}; cast the value",
                       quote(variable.name), to_string(variable.type), to_string(value));
  }

  void index(const Stmt& s) {
    const Type type = type_of(s.args[0]);
    if (is_wrong(s.args[0]) || (is_integer(type) && !is_vector(type))) return;
    inspection_.report(place_, "V036", "the index into {} is {}; it must be u32, i32, u64 or i64",
                       quote(program_.buffers[s.buffer].name), to_string(type));
  }

  void store(const Stmt& s) {
    const Buffer& buffer = program_.buffers[s.buffer];
    if (!is_writable(buffer.access)) {
      inspection_.report(place_, "V050", "{} is a read buffer; declare it read_write or write",
                         quote(buffer.name));
    }
    index(s);
    const Type value = type_of(s.args[1]);
    if (is_wrong(s.args[1]) || value.scalar == buffer.element) return;
    inspection_.report(place_, "V037", "{} holds {}, but gets {}; cast the value",
                       quote(buffer.name), name_of(buffer.element), to_string(value));
  }

  void condition(ExprId expr) {
    if (is_wrong(expr) || type_of(expr) == kBool) return;
    inspection_.report(place_, "V038",
                       "the condition is {}; it must be bool, so compare with something",
                       to_string(type_of(expr)));
  }

  void limit(ExprId expr) {
    if (is_wrong(expr) || type_of(expr) == kU32) return;
    inspection_.report(place_, "V040", "the limit is {}; it must be u32", to_string(type_of(expr)));
  }

  void loop(const Stmt& s) {
    const Type type = program_.variables[s.variable].type;
    if (!is_allowed(type)) return;  // reported where scopes are checked
    if (!is_integer(type) || is_vector(type)) {
      return inspection_.report(place_, "V039",
                                "the loop variable is {}; it must be u32, i32, u64 or i64",
                                to_string(type));
    }
    for (const ExprId bound : operands(s)) {
      if (is_wrong(bound) || type_of(bound) == type) continue;
      inspection_.report(place_, "V039", "{} is {}, but the loop variable is {}; cast it",
                         inspection_.show(bound), to_string(type_of(bound)), to_string(type));
    }
  }

  void atomic(const Stmt& s) {
    const Buffer& buffer = program_.buffers[s.buffer];
    if (!is_writable(buffer.access) || buffer.access == Access::private_) {
      inspection_.report(place_, "V051",
                         "{} is a {} buffer; atomics work on read_write, write and local ones",
                         quote(buffer.name), name_of(buffer.access));
    }
    index(s);
    const Type element{buffer.element, 1};
    if (element != kU32 && element != Type{Scalar::i32, 1}) {
      return inspection_.report(place_, "V041", "{} holds {}; atomics work on u32 and i32",
                                quote(buffer.name), to_string(element));
    }
    for (const ExprId value : operands(s).subspan(1)) {
      if (is_wrong(value) || type_of(value) == element) continue;
      inspection_.report(place_, "V037", "{} holds {}, but gets {}; cast the value",
                         quote(buffer.name), to_string(element), to_string(type_of(value)));
    }
    if (s.variable != kNone) value_of_variable(s.variable, element);
  }

  // Reports and comments of generated code show a region's name as it is.
  void region(std::string_view name) {
    const bool plain = std::ranges::all_of(
        name, [](char c) { return c >= ' ' && c <= '~' && c != '"' && c != '\\' && c != '*'; });
    if (name.empty() || name.size() > Limits::kNameBytes || !plain) {
      inspection_.report(
          place_, "V015",
          "a region's name is 1 to {} bytes of printable ASCII without \", \\ and *; "
          "choose such a one",
          Limits::kNameBytes);
    }
  }

  bool is_wrong(ExprId id) const { return inspection_.wrong[id]; }
  Type type_of(ExprId id) const { return program_.exprs[id].type; }

  Inspection& inspection_;
  const Program& program_;
  Place place_;
};

}  // namespace

void check_stmts(Inspection& inspection) { Stmts(inspection).check(); }

}  // namespace vyre::ir
