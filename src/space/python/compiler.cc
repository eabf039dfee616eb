#include "space/python/compiler.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "base/check.h"
#include "base/text.h"
#include "space/python/stack_machine.h"

namespace vyre::space::detail {
namespace {

// Constant pieces that take more than this are evaluated when they are reached.
constexpr std::uint64_t kMostFoldingSteps = 100'000;
constexpr std::size_t kMostFoldedCells = 100'000;
constexpr int kMostFailedFolds = 16;

using Done = Parsed<void>;

class Compiler {
 public:
  explicit Compiler(ExpressionCode& code) : code_(code) {}

  Done emit(const Node& node);

 private:
  struct Local {
    std::string name;
    std::uint32_t slot;
  };

  // The size of the code before a piece of it was emitted.
  struct Mark {
    std::size_t code;
    std::size_t constants;
    std::size_t locals;
    std::size_t stack_size;
  };

  Done emit_kind(const Node& node);
  Done emit_children(const Node& node);
  Done emit_name(const Node& node);
  Done emit_comparison(const Node& node);
  Done emit_joined(const Node& node, Opcode opcode);
  Done emit_conditional(const Node& node);
  Done emit_call(const Node& node);
  Done emit_comprehension(const Node& node);
  Done emit_clauses(const Node& node, std::size_t clause, std::uint32_t list);

  void constant(const Node& node, Cell cell);
  void emit_constant(const Node& node);
  bool adopt(const Cell& cell, std::size_t& room, Cell& out);
  bool depends_on_names(const Mark& mark) const;
  void fold(const Node& node, const Mark& mark);

  // `effect`: by how much the instruction changes the stack's height.
  std::size_t put(const Node& node, Opcode opcode, std::size_t argument, int effect,
                  std::uint8_t detail = 0);
  std::size_t here() const { return code_.instructions.size(); }
  void land(std::size_t jump) {
    code_.instructions[jump].argument = static_cast<std::uint32_t>(here());
  }
  std::uint32_t new_locals(std::uint32_t count) {
    const auto first = static_cast<std::uint32_t>(code_.locals);
    code_.locals += count;
    return first;
  }

  ExpressionCode& code_;
  std::vector<Local> scope_;
  std::size_t height_ = 0;
  int failed_folds_ = 0;
};

#define VYRE_EMIT(...)                               \
  if (auto done = __VA_ARGS__; !done) {              \
    return std::unexpected(std::move(done).error()); \
  }

std::size_t Compiler::put(const Node& node, Opcode opcode, std::size_t argument, int effect,
                          std::uint8_t detail) {
  code_.instructions.push_back({opcode, detail, static_cast<std::uint32_t>(argument)});
  code_.places.push_back(node.where);
  height_ += static_cast<std::size_t>(effect);  // a negative one wraps, and takes away
  code_.stack_size = std::max(code_.stack_size, height_);
  return here() - 1;
}

void Compiler::emit_constant(const Node& node) {
  const auto* const text = std::get_if<std::string>(&node.value);
  constant(node, text ? Cell::text(code_.pool.add(*text)) : to_cell(node.value));
}

void Compiler::constant(const Node& node, Cell cell) {
  code_.constants.push_back(cell);
  put(node, Opcode::constant, code_.constants.size() - 1, 1);
}

// Copies the cell into the code's own pool; false if the copy would be too large. Nested lists that
// share their parts easily are.
bool Compiler::adopt(const Cell& cell, std::size_t& room, Cell& out) {
  if (room == 0) return false;
  --room;
  out = cell;
  if (cell.tag == Tag::text) out = Cell::text(code_.pool.add(*cell.s));
  if (cell.tag != Tag::sequence) return true;
  PythonSequence* copy = code_.pool.add(cell.q->kind);
  out = Cell::sequence(copy);
  copy->items.resize(std::min(room, cell.q->items.size()));
  for (std::size_t i = 0; i < copy->items.size(); ++i) {
    if (!adopt(cell.q->items[i], room, copy->items[i])) return false;
  }
  return copy->items.size() == cell.q->items.size();
}

bool Compiler::depends_on_names(const Mark& mark) const {
  return std::any_of(
      code_.instructions.begin() + static_cast<std::ptrdiff_t>(mark.code), code_.instructions.end(),
      [&](const Instruction& instruction) {
        return instruction.opcode == Opcode::load ||
               (instruction.opcode == Opcode::load_local && instruction.argument < mark.locals);
      });
}

// Replaces the code since the mark by its value, if the value can be computed now. Stops trying for
// an expression in which this failed often: each failure costs as much as evaluating the piece.
void Compiler::fold(const Node& node, const Mark& mark) {
  if (failed_folds_ > kMostFailedFolds || here() - mark.code < 2 || depends_on_names(mark)) return;
  Evaluation evaluation(std::min(kMostFoldingSteps, code_.limits.most_steps));
  Cell value;
  Cell kept;
  std::size_t where = mark.code;
  std::size_t room = kMostFoldedCells;
  if (!run(code_, {}, evaluation, value, where) || !adopt(value, room, kept)) {
    ++failed_folds_;
    return;
  }
  code_.instructions.resize(mark.code);
  code_.places.resize(mark.code);
  code_.constants.resize(mark.constants);
  code_.locals = mark.locals;
  --height_;
  code_.stack_size = std::max(mark.stack_size, height_);
  constant(node, kept);
}

Done Compiler::emit(const Node& node) {
  const Mark mark{here(), code_.constants.size(), code_.locals, code_.stack_size};
  VYRE_EMIT(emit_kind(node));
  fold(node, mark);
  return {};
}

Done Compiler::emit_children(const Node& node) {
  for (const NodePtr& child : node.children) VYRE_EMIT(emit(*child));
  return {};
}

Done Compiler::emit_kind(const Node& node) {
  const int children = static_cast<int>(node.children.size());
  switch (node.kind) {
    case NodeKind::constant:
      emit_constant(node);
      return {};
    case NodeKind::name:
      return emit_name(node);
    case NodeKind::unary:
    case NodeKind::binary: {
      VYRE_EMIT(emit_children(node));
      const auto op = static_cast<std::uint8_t>(node.operators[0]);
      put(node, children == 1 ? Opcode::unary : Opcode::binary, 0, 1 - children, op);
      return {};
    }
    case NodeKind::comparison:
      return emit_comparison(node);
    case NodeKind::conjunction:
      return emit_joined(node, Opcode::keep_if_false);
    case NodeKind::disjunction:
      return emit_joined(node, Opcode::keep_if_true);
    case NodeKind::negation:
      VYRE_EMIT(emit_children(node));
      put(node, Opcode::logical_not, 0, 0);
      return {};
    case NodeKind::conditional:
      return emit_conditional(node);
    case NodeKind::call:
      return emit_call(node);
    case NodeKind::list:
    case NodeKind::tuple:
      VYRE_EMIT(emit_children(node));
      put(node, node.kind == NodeKind::list ? Opcode::make_list : Opcode::make_tuple,
          node.children.size(), 1 - children);
      return {};
    case NodeKind::comprehension:
      return emit_comprehension(node);
  }
  return {};
}

Done Compiler::emit_name(const Node& node) {
  const auto local = std::ranges::find(scope_.rbegin(), scope_.rend(), node.name, &Local::name);
  if (local != scope_.rend()) {
    put(node, Opcode::load_local, local->slot, 1);
    return {};
  }
  const auto found = std::ranges::find(code_.names, node.name);
  if (found != code_.names.end()) {
    put(node, Opcode::load, static_cast<std::size_t>(found - code_.names.begin()), 1);
    return {};
  }
  const std::string hint = find_function(node.name)
                               ? std::string("; to call the function, write its arguments")
                               : did_you_mean(node.name, code_.names);
  return std::unexpected(
      Fault{fmt::format("unknown name {}{}", quote(node.name), hint), node.where});
}

Done Compiler::emit_comparison(const Node& node) {
  std::vector<std::size_t> exits;
  VYRE_EMIT(emit(*node.children[0]));
  for (std::size_t i = 0; i < node.operators.size(); ++i) {
    VYRE_EMIT(emit(*node.children[i + 1]));
    const auto op = static_cast<std::uint8_t>(node.operators[i]);
    const bool last = i + 1 == node.operators.size();
    const std::size_t at = put(node, last ? Opcode::binary : Opcode::compare_or_exit, 0, -1, op);
    if (!last) exits.push_back(at);
  }
  for (const std::size_t exit : exits) land(exit);
  return {};
}

Done Compiler::emit_joined(const Node& node, Opcode opcode) {
  std::vector<std::size_t> exits;
  for (std::size_t i = 0; i < node.children.size(); ++i) {
    VYRE_EMIT(emit(*node.children[i]));
    if (i + 1 < node.children.size()) exits.push_back(put(node, opcode, 0, -1));
  }
  for (const std::size_t exit : exits) land(exit);
  return {};
}

Done Compiler::emit_conditional(const Node& node) {
  VYRE_EMIT(emit(*node.children[0]));
  const std::size_t to_else = put(node, Opcode::jump_if_false, 0, -1);
  VYRE_EMIT(emit(*node.children[1]));
  const std::size_t to_end = put(node, Opcode::jump, 0, -1);
  land(to_else);
  VYRE_EMIT(emit(*node.children[2]));
  land(to_end);
  return {};
}

Done Compiler::emit_call(const Node& node) {
  const auto function = find_function(node.name);
  if (!function) {
    return std::unexpected(Fault{fmt::format("unknown function {}{}", quote(node.name),
                                             did_you_mean(node.name, function_names())),
                                 node.where});
  }
  const auto& [name, least, most] = info(*function);
  const std::size_t given = node.children.size();
  if (given < least || given > most) {
    return std::unexpected(
        Fault{fmt::format("{}() does not take {} arguments", name, given), node.where});
  }
  VYRE_EMIT(emit_children(node));
  put(node, Opcode::call, given, 1 - static_cast<int>(given), static_cast<std::uint8_t>(*function));
  return {};
}

Done Compiler::emit_comprehension(const Node& node) {
  const std::uint32_t list = new_locals(1);
  const std::size_t outer = scope_.size();
  put(node, Opcode::begin_list, list, 0);
  VYRE_EMIT(emit_clauses(node, 0, list));
  put(node, Opcode::load_local, list, 1);
  scope_.erase(scope_.begin() + static_cast<std::ptrdiff_t>(outer), scope_.end());
  return {};
}

Done Compiler::emit_clauses(const Node& node, std::size_t clause, std::uint32_t list) {
  if (clause == node.clauses.size()) {
    VYRE_EMIT(emit(*node.children[0]));
    put(node, Opcode::append, list, -1);
    return {};
  }
  const Clause& loop = node.clauses[clause];
  VYRE_EMIT(emit(*loop.iterable));
  const std::uint32_t state = new_locals(3);
  put(*loop.iterable, Opcode::begin_loop, state, -1);
  const std::size_t head = put(*loop.iterable, Opcode::next_or_exit, state, 0);
  const std::size_t to_end = put(*loop.iterable, Opcode::jump, 0, 0);
  scope_.push_back({loop.variable, state + 2});
  for (const NodePtr& condition : loop.conditions) {
    VYRE_EMIT(emit(*condition));
    put(*condition, Opcode::jump_if_false, head, -1);
  }
  VYRE_EMIT(emit_clauses(node, clause + 1, list));
  put(node, Opcode::jump, head, 0);
  land(to_end);
  return {};
}

}  // namespace

Parsed<std::shared_ptr<const ExpressionCode>> compile(const Node& node, std::string_view text,
                                                      std::span<const std::string> names,
                                                      const ExpressionLimits& limits) {
  auto code = std::make_shared<ExpressionCode>();
  code->text = text;
  code->names.assign(names.begin(), names.end());
  code->limits = limits;
  std::vector<std::string> used;
  collect_names(node, used);
  std::ranges::copy_if(names, std::back_inserter(code->uses), [&](const std::string& name) {
    return std::ranges::find(used, name) != used.end();
  });
  Compiler compiler(*code);
  if (auto done = compiler.emit(node); !done) return std::unexpected(std::move(done).error());
  return code;
}

}  // namespace vyre::space::detail
