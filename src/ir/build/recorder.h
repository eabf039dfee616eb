// Recorder: the draft of a program while the builder's handles write it.
//
// It turns operands into nodes, keeps track of scopes, and keeps the first mistake; after a mistake
// nothing is recorded any more. Operations on values are in operations.h, statements in
// statements.h.

#pragma once

#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ir/build/draft.h"
#include "vyre/builder.h"
#include "vyre/value.h"

namespace vyre::ir {

// The kind of later operation that may see a difference: loads, or reads of variables.
enum class Effect : std::uint8_t { none, memory, variables };

using Operands = std::initializer_list<const Operand*>;

class Recorder : public std::enable_shared_from_this<Recorder> {
 public:
  // `noun` is the word for the whole in messages: "program" or "sequence".
  Recorder(std::string_view name, std::string_view noun);

  Draft& draft() { return draft_; }
  const std::optional<Error>& error() const { return error_; }
  bool ok() const { return !error_ && !closed_; }
  // Handles that outlive the builder do nothing from here on.
  void close() { closed_ = true; }
  // Keeps the first mistake; adds place, enclosing statements and the program's name.
  void fail(const Location& at, std::string_view message);
  void fail(Error error);

  // --- values -----------------------------------------------------------------------------
  // Appends a node to the open scope; none after a mistake.
  NodeId push(Expr expr);
  // The handle of a node; empty for none.
  Value make(NodeId node);
  Value constant(Type type, const Operand& literal);
  Value leaf(Expr expr);
  Value read(std::uint32_t variable);

  // The node of an operand; a literal becomes a constant of `type`. kNone after a mistake.
  NodeId resolve(const Operand& operand, Type type);
  // The same, but the operand must be of that type: "store to "y" takes f32, not u32 "i"".
  NodeId resolve_as(const Operand& operand, Type type, std::string_view what);
  // The type of the first operand that is not a literal; without one, the type that a literal has
  // by itself.
  Type common_type(Operands operands) const;
  // A u32 over constants, symbols and operations on them.
  NodeId size(const Operand& operand, std::string_view what);
  // The same for a value of any type.
  NodeId argument(const Operand& operand, Type type, std::string_view what);

  // --- statements -------------------------------------------------------------------------
  std::uint32_t add_variable(std::string_view name, Type type, bool is_mutable);
  // Its index, or none after a mistake.
  std::uint32_t add(Stmt stmt, const Location& at, Effect effect);

  // False, and nothing opened, if statements are nested too deep.
  bool open(ScopeKind kind, std::string label, const Location& at);
  ScopeId close_scope();

  std::uint32_t add_symbol(Symbol symbol);
  Array add_buffer(std::string_view name, const ElementType& element, Access access,
                   const Operand& length);
  // The index of the array if it is of this recorder; none after a mistake.
  std::uint32_t buffer_of(const Array& array, const Location& at);
  Type type_of(const Operand& operand) const;
  Type type_of(const Value& value) const { return draft_.nodes[value.node_].expr.type; }

  static const Location& at(const Operand& operand) { return operand.at_; }
  static bool is_given(const Operand& operand) {
    return operand.is_literal_ || operand.value_.recorder_ != nullptr;
  }
  static bool is_literal(const Operand& operand) { return operand.is_literal_; }
  static const Literal& literal_of(const Operand& operand) { return operand.literal_; }
  static std::shared_ptr<Recorder> of(const Operand& operand) { return operand.value_.recorder_; }
  static std::shared_ptr<Recorder> of(const Value& value) { return value.recorder_; }
  static std::shared_ptr<Recorder> of(const Array& array) { return array.recorder_; }
  static std::uint32_t buffer_index(const Array& array) { return array.buffer_; }
  static NodeId node_of(const Value& value) { return value.node_; }
  Var make_var(std::uint32_t variable) { return Var(shared_from_this(), variable); }
  std::string describe(const Operand& operand) const;

 private:
  NodeId push_literal(const Operand& operand, Type type);
  bool is_visible(const DraftNode& node) const;
  DraftScope& scope() { return draft_.scopes[open_.back()]; }

  Draft draft_;
  std::string noun_;
  std::optional<Error> error_;
  bool closed_ = false;
  std::vector<ScopeId> open_{0};
};

}  // namespace vyre::ir
