// Dialect: everything in which one C-like language differs from another, as a table.
//
// The writers of expressions, statements and kernels read it and know no language by name. A new
// language is a Dialect, its prelude, its reserved words, and one entry function that calls
// `translation_unit`. dialect_test.cc holds a small one.
//
// Patterns and their keys: see spelling.h. Keys that only one field has stand beside that field.

#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "emit/c_like/c_literal.h"
#include "emit/c_like/c_names.h"
#include "emit/c_like/spelling.h"
#include "ir/ops.h"
#include "vyre/program.h"

namespace vyre::emit {

enum class TypeFamily : std::uint8_t { boolean, integer, real };

// How an operation of ops.def is written for some operand types, instead of as its row says.
struct OpSpelling {
  ir::Op op;
  TypeFamily family;
  std::string_view pattern;
};

// The definition of "vyre_NAME_$T", which a spelling calls.
struct PreludeOp {
  std::string_view name;
  std::string_view definition;
  std::string_view for_signed{};       // for signed integers, if that differs
  std::string_view for_wide{};         // for u64 and i64, if that differs
  std::string_view for_signed_wide{};  // for i64, if that differs
  // Names of PreludePatterns::helpers that the definition calls, each behind those it calls itself,
  // with a space between them.
  std::string_view needs{};
};

// Definitions of the functions that kernels call where C has no operator with the language's
// meaning. Keys: $N the function's name, $C the type, $U its unsigned type, $E its element type, $W
// its width, $S the qualifier of the address space, $D the buffer where functions are made for
// each, $B a built-in function or a bound.
struct PreludePatterns {
  // These three are empty where the language has vectors. A vector type, by width: 2 and 4.
  std::array<std::string_view, 2> vectors{};
  // An operator on vectors, by arity, made of the same on elements, $B.
  std::array<std::string_view, 2> vector_operators{};
  // A function on vectors, by arity, made of the function on elements, $B. The second is for width
  // 4; empty: as for width 2.
  std::array<std::string_view, 3> vector_functions{};
  std::array<std::string_view, 3> vector4_functions{};
  // (data, length, index): zeros outside the buffer. With `_vector`, the index counts vectors.
  std::string_view load;
  std::string_view load_vector;
  // (data, length, index, value): nothing outside the buffer.
  std::string_view store;
  std::string_view store_vector;
  // (data, length, index, value): the old value, 0 outside the buffer. $B: of Dialect::atomics.
  std::string_view atomic;
  std::string_view atomic_compare_exchange;  // (data, length, index, expected, value)
  // (begin, end, step): the number of turns of a loop, in the unsigned type.
  std::string_view trip_count;
  // These three are for languages without pointers, see Dialect::functions_per_buffer. An access
  // that is known to be inside, by width 2 and 4: (index), (index, value).
  std::array<std::string_view, 2> load_vector_inside{};
  std::array<std::string_view, 2> store_vector_inside{};
  // (u64): the same as a u32, the largest if it does not fit.
  std::string_view narrow_index{};
  // (f32): saturates, and NaN gives 0. $B: of first_too_large.
  std::string_view float_to_unsigned;
  std::string_view float_to_signed;
  // (i32): the same as an i64. Empty: a cast does it.
  std::string_view widen_signed{};
  // The first float beyond u32, i32, u64 and i64: 2 to the number of value bits.
  std::array<std::string_view, 4> first_too_large{"0x1p+32f", "0x1p+31f", "0x1p+64f", "0x1p+63f"};
  std::span<const PreludeOp> operations;
  // Functions that stand before all others, once, if one of `operations` needs them.
  std::span<const PreludeOp> helpers{};
};

struct BufferParameter {
  std::string name;
  std::string element;  // name of the element type
  bool is_read_only = false;
};

struct ValueParameter {
  std::string name;
  std::string type;
};

// One kernel, ready to be put between the words that make it one.
struct KernelParts {
  std::string program;
  std::string entry;
  std::array<std::uint32_t, 3> workgroup{1, 1, 1};
  std::vector<BufferParameter> buffers;  // parameters: first these,
  std::vector<ValueParameter> values;    // then these
  // Arrays that stand outside the function, see local_array_is_outside, and behind them the
  // functions that were made for buffers, see functions_per_buffer.
  std::string outside;
  std::string body;  // lines, indented by one level
  bool has_barrier = false;
};

struct Dialect {
  std::string_view a_kernel;  // in messages: "an OpenCL kernel"
  std::string_view head;      // begins every translation unit
  ReservedWords reserved;
  LiteralSpelling literals{};

  // Types, by ir::Scalar.
  std::array<std::string_view, 6> types;
  std::array<std::string_view, 6> vector_types;  // "uint$W"; empty where no program has vectors
  std::string_view
      index_type;  // 64 bits, for sums and products inside an index; empty: not widened

  // Expressions. Operands: $0, or all elements of a vector as a list.
  std::string_view cast = "($C)$0";
  // A bitcast keeps a value of the same family or casts it; `operations` has the others.
  bool bitcasts_by_family = false;
  // The compiler computes with float constants without rounding each result; so results of
  // operations on constants are written as constants.
  bool fold_reals = false;
  std::string_view vector;
  std::span<const OpSpelling> operations;  // Op::bitcast, by the family of its result, too
  // `operations` or the prelude say how signed integers are divided for a remainder, also where
  // C's operator would give the value.
  bool mod_of_signed_is_own = false;
  // By ir::IdKind, with $A the axis as a digit, $X as a letter, and $S the size of a workgroup
  // along it. That size is a constant in every kernel, and its own row is not used.
  std::array<std::string_view, ir::kIdKinds> ids;
  bool ids_are_wide = false;  // wider than u32, so that they need a cast

  // Memory. Spaces are global, local and private.
  std::array<std::string_view, 3> spaces;
  // The language has no pointers: functions of the prelude on a buffer are made for each buffer,
  // with its name for $D, and their indices are u32.
  bool functions_per_buffer = false;
  std::string_view load_vector{};           // $0 index, $1 buffer; not with functions_per_buffer
  std::string_view store_vector{};          // $0 index, $1 buffer, $2 value; the same
  std::string_view element_to_update;       // $0 buffer, $1 index: what a built-in atomic takes
  std::array<std::string_view, 5> atomics;  // built-in functions by ir::AtomicOp
  // Keys: $C the element type, $N the name, $L the length.
  std::string_view local_array;
  bool local_array_is_outside = false;    // declared before the function, not inside it
  std::string_view private_array;         // starts with zeros
  bool private_array_is_outside = false;  // as local_array_is_outside

  // Statements.
  bool wide_count_by_sum = false;        // ++ and -- are wrong on 64 bits
  std::string_view constant = "const ";  // before the type of a variable that is never assigned
  std::string_view barrier;              // orders local and global memory
  std::string_view local_barrier;        // orders local memory
  // Ends a branch that has a barrier inside; empty where no compiler needs that.
  std::string_view branch_end_barrier{};
  std::string_view unroll;  // $0: how often; a line of its own before the loop
  // The same for a loop that turns no more often than that; empty: as `unroll`.
  std::string_view unroll_whole{};

  std::string (*kernel)(const KernelParts& parts);
  PreludePatterns prelude;
};

std::string type_name(const Dialect& dialect, ir::Type type);
std::string unsigned_name(const Dialect& dialect, ir::Scalar type);  // the type of the same size
TypeNames type_names(const Dialect& dialect, ir::Type type);

Text cast_to(const Dialect& dialect, std::string_view type, const Text& piece);

// An id of the invocation as the language gives it, maybe wider than u32. `index`: Expr::index.
std::string raw_id(const Dialect& dialect, std::uint32_t index,
                   const std::array<std::uint32_t, 3>& workgroup);
// The same as a u32.
Text id_text(const Dialect& dialect, std::uint32_t index,
             const std::array<std::uint32_t, 3>& workgroup);

// How the operation is written on operands of this type. `plain`: C's operator gives the value, see
// bounds::Proofs.
std::string_view op_pattern(const Dialect& dialect, ir::Op op, ir::Type type, bool plain);

}  // namespace vyre::emit
