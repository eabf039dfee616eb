#include "ir/build/describe.h"

#include <fmt/format.h>

#include "base/text.h"

namespace vyre::ir {

std::string_view name_of_any(Op op) {
  switch (op) {
    case Op::vector:
      return "vec";
    case Op::extract:
      return "element";
    case Op::select:
      return "select";
    case Op::cast:
      return "cast";
    case Op::bitcast:
      return "bitcast";
    default:
      return in_table(op) ? info(op).name : "value";
  }
}

std::string describe(const Draft& draft, NodeId node) {
  const Expr& expr = draft.nodes[node].expr;
  const auto named = [&](std::string_view name) {
    return fmt::format("{} {}", to_string(expr.type), quote(name));
  };
  switch (expr.op) {
    case Op::constant:
      return fmt::format("a constant {}", to_string(expr.type));
    case Op::symbol:
      return named(draft.symbols[expr.index].name);
    case Op::variable: {
      const std::string& name = draft.variables[expr.index].name;
      return name.empty() ? fmt::format("{} of an atomic", to_string(expr.type)) : named(name);
    }
    case Op::id:
      return fmt::format("{} {}({})", to_string(expr.type), name_of(id_kind(expr.index)),
                         id_axis(expr.index));
    case Op::length:
      return fmt::format("u32 length({})", quote(draft.buffers[expr.index].name));
    case Op::load:
      return fmt::format("{} {}[...]", to_string(expr.type), quote(draft.buffers[expr.index].name));
    default:
      return fmt::format("{} {}(...)", to_string(expr.type), name_of_any(expr.op));
  }
}

}  // namespace vyre::ir
