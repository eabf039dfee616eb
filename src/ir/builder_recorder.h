// Recorder: what the builder's handles write into. Checks types and scopes as it goes, and keeps
// the first mistake; after that, nothing is recorded any more.

#pragma once

#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ir/builder_draft.h"
#include "vyre/builder.h"
#include "vyre/value.h"

namespace vyre::ir {

// Which later loads and reads may see a difference.
enum class Effect : std::uint8_t { none, memory, variables };

class Recorder : public std::enable_shared_from_this<Recorder> {
 public:
  using Operands = std::initializer_list<const Operand*>;

  // `noun` is what messages call the whole: "program" or "sequence".
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
  // The recorder of the operands; null if none has one, or after reporting that they differ.
  static std::shared_ptr<Recorder> common(Operands operands);
  static Value apply(Op op, Operands operands);
  static Value apply_bools(Op op, std::string_view spelling, Operands operands);
  static Value convert(Op op, Scalar to, const Operand& value);
  static Value extract(const Value& vector, const Operand& i);
  Value vector(Operands operands);
  Value constant(Type type, const Operand& literal);
  Value leaf(Expr expr);
  Value read(std::uint32_t variable);
  Value load(std::uint32_t buffer, const Operand& index, std::uint8_t width);

  // The node of an operand, a literal taking `type`; none after a mistake.
  NodeId resolve(const Operand& operand, Type type);
  // The same, and it must be of that type: "store to "y" takes f32, not u32 "i"".
  NodeId resolve_as(const Operand& operand, Type type, std::string_view what);
  // The type of the first operand that has one; else what a literal is by itself.
  Type common_type(Operands operands) const;
  // A u32 over constants, symbols and operations on them.
  NodeId size(const Operand& operand, std::string_view what);
  // The same for a value of any type.
  NodeId argument(const Operand& operand, Type type, std::string_view what);

  // --- statements -------------------------------------------------------------------------
  std::uint32_t add_variable(std::string_view name, Type type, bool is_mutable);
  // Its index, or none after a mistake.
  std::uint32_t add(Stmt stmt, const Location& at, Effect effect);
  void assign(std::uint32_t variable, const Operand& value);
  void store(std::uint32_t buffer, const Operand& index, const Operand& value, std::uint8_t width);
  Value atomic(AtomicOp op, const Array& array, const Operand& index, const Operand& value,
               const Operand* expected);
  // To where `loaded` was loaded from.
  static void store_back(const Value& loaded, const Operand& value);

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
  static std::shared_ptr<Recorder> of(const Operand& operand) { return operand.value_.recorder_; }
  static std::shared_ptr<Recorder> of(const Array& array) { return array.recorder_; }
  static std::uint32_t buffer_index(const Array& array) { return array.buffer_; }
  static NodeId node_of(const Value& value) { return value.node_; }
  Var make_var(std::uint32_t variable) { return Var(shared_from_this(), variable); }
  std::string describe(const Operand& operand) const;

 private:
  friend class Var;
  Value make(NodeId node);
  NodeId push(Expr expr);
  NodeId push_literal(const Operand& operand, Type type);
  bool is_visible(const DraftNode& node) const;
  Value apply_here(Op op, Operands operands);
  void fail_types(Op op, Operands operands);
  std::string describe_all(Operands operands) const;
  std::string describe_node(NodeId node) const;
  DraftScope& scope() { return draft_.scopes[open_.back()]; }

  Draft draft_;
  std::string noun_;
  std::optional<Error> error_;
  bool closed_ = false;
  std::vector<ScopeId> open_{0};
};

// The bits of the literal as that scalar, if it holds the literal exactly.
std::optional<std::uint64_t> literal_bits(const Literal& literal, Scalar type);
std::string to_string(const Literal& literal);

// What messages call an operation, whether it is in ops.def or not.
std::string_view name_of_any(Op op);

}  // namespace vyre::ir
