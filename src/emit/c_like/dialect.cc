#include "emit/c_like/dialect.h"

#include <algorithm>

#include "base/check.h"

namespace vyre::emit {
namespace {

using ir::Op;

// Spellings that all languages of the family share. A dialect's own spellings come before these.
constexpr OpSpelling kCommonOps[] = {
    {Op::div, TypeFamily::real, "($0 / $1)"},
    {Op::not_, TypeFamily::boolean, "(!$0)"},
    {Op::not_, TypeFamily::integer, "(~$0)"},
};

TypeFamily family_of(ir::Type type) {
  if (ir::is_float(type)) return TypeFamily::real;
  return ir::is_integer(type) ? TypeFamily::integer : TypeFamily::boolean;
}

}  // namespace

std::string type_name(const Dialect& dialect, ir::Type type) {
  const auto scalar = static_cast<std::size_t>(type.scalar);
  if (!ir::is_vector(type)) return std::string(dialect.types[scalar]);
  const std::string width = std::to_string(type.width);
  const Substitution values[] = {{'W', width}};
  return substitute(dialect.vector_types[scalar], values);
}

std::string unsigned_name(const Dialect& dialect, ir::Scalar type) {
  return type_name(dialect, {ir::byte_size(type) == 8 ? ir::Scalar::u64 : ir::Scalar::u32, 1});
}

TypeNames type_names(const Dialect& dialect, ir::Type type) {
  return {to_string(type), type_name(dialect, type), std::to_string(type.width)};
}

Text cast_to(const Dialect& dialect, std::string_view type, const Text& piece) {
  return spell(dialect.cast, {&piece, 1}, {.name = std::string(type)});
}

std::string raw_id(const Dialect& dialect, std::uint32_t index,
                   const std::array<std::uint32_t, 3>& workgroup) {
  const std::size_t axis = ir::id_axis(index);
  const std::string size = literal(dialect.literals, ir::Scalar::u32, workgroup[axis]).text;
  const Substitution values[] = {{'A', std::string_view("012").substr(axis, 1)},
                                 {'X', std::string_view("xyz").substr(axis, 1)},
                                 {'S', size}};
  return substitute(dialect.ids[static_cast<std::size_t>(ir::id_kind(index))], values);
}

Text id_text(const Dialect& dialect, std::uint32_t index,
             const std::array<std::uint32_t, 3>& workgroup) {
  const Text id{raw_id(dialect, index, workgroup)};
  return dialect.ids_are_wide ? cast_to(dialect, type_name(dialect, ir::kU32), id) : id;
}

std::string_view op_pattern(const Dialect& dialect, Op op, ir::Type type, bool plain) {
  if (op == Op::div && plain) return "($0 / $1)";
  const bool own_mod = dialect.mod_of_signed_is_own && ir::is_signed(type.scalar);
  if (op == Op::mod && plain && !own_mod) return "($0 % $1)";
  const auto fits = [&](const OpSpelling& s) { return s.op == op && s.family == family_of(type); };
  if (const auto own = std::ranges::find_if(dialect.operations, fits);
      own != dialect.operations.end()) {
    return own->pattern;
  }
  VYRE_CHECK(ir::in_table(op));
  const auto* common = std::ranges::find_if(kCommonOps, fits);
  return common != std::end(kCommonOps) ? common->pattern : ir::info(op).c_spelling;
}

}  // namespace vyre::emit
