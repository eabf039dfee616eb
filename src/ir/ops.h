// The rows of ops.def as data: names, operand counts and types.

#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "vyre/program.h"

namespace vyre::ir {

struct OpInfo {
  std::string_view name;  // as in the text form: "add", "and"
  std::uint8_t arity;     // operands that are expressions
  Rule rule;
  std::string_view c_spelling;
};

inline constexpr Type kU32{Scalar::u32, 1};
inline constexpr Type kBool{Scalar::boolean, 1};

inline constexpr Op kFirstTableOp = Op::add;

// Whether the op is a row of ops.def; the others (constants, loads, casts...) are structural.
constexpr bool in_table(Op op) { return op >= kFirstTableOp; }

// Table ops only.
const OpInfo& info(Op op);
std::optional<Op> find_op(std::string_view name);
std::span<const Op> table_ops();

// How many expression operands a node has, whatever its op; `vector` counts its own.
std::uint32_t operand_count(const Expr& expr);

// The result of a table op or `select` on these operand types; none if the rule does not allow
// them.
std::optional<Type> result_type(Op op, std::span<const Type> operands);

// "two numbers of the same type (u32, i32, u64, i64, f32 or a vector)": for messages.
std::string_view describe(Rule rule);

constexpr bool is_float(Type type) { return type.scalar == Scalar::f32; }
constexpr bool is_signed(Scalar scalar) { return scalar == Scalar::i32 || scalar == Scalar::i64; }
constexpr bool is_integer(Type type) {
  return type.scalar != Scalar::f32 && type.scalar != Scalar::boolean;
}
constexpr bool is_vector(Type type) { return type.width > 1; }

// Width 1 of any scalar; width 2 or 4 of u32 and f32.
constexpr bool is_allowed(Type type) {
  if (type.width == 1) return type.scalar <= Scalar::f32;
  return (type.width == 2 || type.width == 4) &&
         (type.scalar == Scalar::u32 || type.scalar == Scalar::f32);
}

std::string_view name_of(Scalar scalar);
std::optional<Scalar> find_scalar(std::string_view name);
std::string_view name_of(IdKind kind);
std::optional<IdKind> find_id_kind(std::string_view name);
std::string_view name_of(AtomicOp op);
std::string_view name_of(Access access);  // "read", "private", ...
std::string_view name_of(SymbolKind kind);

inline constexpr std::uint32_t kIdKinds = 6;
constexpr std::uint32_t id_index(IdKind kind, std::uint32_t axis) {
  return static_cast<std::uint32_t>(kind) * 3 + axis;
}
constexpr IdKind id_kind(std::uint32_t index) { return static_cast<IdKind>(index / 3); }
constexpr std::uint32_t id_axis(std::uint32_t index) { return index % 3; }

// Whether the buffer is bound by the caller (not local, not private).
constexpr bool is_bound(Access access) { return access <= Access::write; }
constexpr bool takes_input(Access access) { return access <= Access::read_write; }
constexpr bool gives_output(Access access) {
  return access == Access::read_write || access == Access::write;
}
// Whether a program may store to it.
constexpr bool is_writable(Access access) { return access != Access::read; }

}  // namespace vyre::ir
