#include "emit/c_like/prelude.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/check.h"
#include "ir/ops.h"

namespace vyre::emit {
namespace {

using ir::AtomicOp;
using ir::Scalar;
using ir::Type;

struct Space {
  std::string_view name;
  std::size_t index;  // into Dialect::spaces
};

Space space_of(ir::Access access) {
  if (access == ir::Access::local) return {"local", 1};
  return access == ir::Access::private_ ? Space{"private", 2} : Space{"global", 0};
}

std::string_view definition_for(const PreludeOp& row, Scalar type) {
  const bool is_signed = ir::is_signed(type);
  const bool is_wide = type != Scalar::boolean && ir::byte_size(type) == 8;
  if (is_signed && is_wide && !row.for_signed_wide.empty()) return row.for_signed_wide;
  if (is_wide && !row.for_wide.empty()) return row.for_wide;
  return is_signed && !row.for_signed.empty() ? row.for_signed : row.definition;
}

}  // namespace

std::string Prelude::defined(std::string_view name, std::string_view pattern, Type type,
                             std::string_view space, std::string_view builtin,
                             std::string_view buffer) const {
  const TypeNames names = type_names(dialect_, type);
  const std::string unsigned_type = unsigned_name(dialect_, type.scalar);
  const std::string element = type_name(dialect_, {type.scalar, 1});
  const Substitution values[] = {
      {'N', name},    {'C', names.name}, {'U', unsigned_type}, {'W', names.width},
      {'E', element}, {'S', space},      {'B', builtin},       {'D', buffer},
  };
  return substitute(pattern, values);
}

std::string Prelude::add(std::string name, std::string_view pattern, Type type,
                         std::string_view space, std::string_view builtin) {
  functions_.try_emplace(name, defined(name, pattern, type, space, builtin));
  return name;
}

void Prelude::vector(Type type) {
  const std::string_view pattern = dialect_.prelude.vectors[type.width == 2 ? 0 : 1];
  if (pattern.empty()) return;
  const std::string name = type_name(dialect_, type);
  types_.try_emplace(name, defined(name, pattern, type));
}

std::string Prelude::add_access(std::string_view verb, std::string_view pattern,
                                const Target& buffer, Type type, std::string_view builtin) {
  const auto [space, index] = space_of(buffer.access);
  const bool by_name = dialect_.functions_per_buffer;
  std::string name =
      fmt::format("vyre_{}_{}_{}", verb, by_name ? buffer.name : space, to_string(type));
  auto& functions = by_name ? buffer_functions_ : functions_;
  functions.try_emplace(name,
                        defined(name, pattern, type, dialect_.spaces[index], builtin, buffer.name));
  return name;
}

std::string Prelude::load(const Target& buffer, Type type) {
  const PreludePatterns& patterns = dialect_.prelude;
  return add_access("load", type.width == 1 ? patterns.load : patterns.load_vector, buffer, type);
}

std::string Prelude::store(const Target& buffer, Type type) {
  const PreludePatterns& patterns = dialect_.prelude;
  return add_access("store", type.width == 1 ? patterns.store : patterns.store_vector, buffer,
                    type);
}

std::string Prelude::load_inside(const Target& buffer, Type type) {
  return add_access("get", dialect_.prelude.load_vector_inside[type.width == 2 ? 0 : 1], buffer,
                    type);
}

std::string Prelude::store_inside(const Target& buffer, Type type) {
  return add_access("set", dialect_.prelude.store_vector_inside[type.width == 2 ? 0 : 1], buffer,
                    type);
}

std::string Prelude::atomic(const Target& buffer, AtomicOp op, Scalar element) {
  const PreludePatterns& patterns = dialect_.prelude;
  const std::string_view builtin = dialect_.atomics[static_cast<std::size_t>(op)];
  const bool compares = op == AtomicOp::compare_exchange;
  return add_access(builtin, compares ? patterns.atomic_compare_exchange : patterns.atomic, buffer,
                    {element, 1}, builtin);
}

std::string Prelude::narrow_index() {
  return add("vyre_index", dialect_.prelude.narrow_index, {Scalar::u64, 1});
}

std::string Prelude::trip_count(Scalar type) {
  return add(fmt::format("vyre_trip_count_{}", ir::name_of(type)), dialect_.prelude.trip_count,
             {type, 1});
}

std::string Prelude::float_to(Scalar type) {
  const PreludePatterns& patterns = dialect_.prelude;
  const auto row = static_cast<std::size_t>(type) - static_cast<std::size_t>(Scalar::u32);
  return add(fmt::format("vyre_f32_to_{}", ir::name_of(type)),
             ir::is_signed(type) ? patterns.float_to_signed : patterns.float_to_unsigned, {type, 1},
             {}, patterns.first_too_large[row]);
}

std::string Prelude::widen_signed() {
  const std::string_view definition = dialect_.prelude.widen_signed;
  return definition.empty() ? "" : add("vyre_i32_to_i64", definition, {Scalar::i64, 1});
}

// The operator of "($0 + $1)" is what its keys and parentheses leave.
void Prelude::vector_operator(std::string_view pattern, Type type, std::uint32_t arity) {
  if (!ir::is_vector(type) || arity > 2) return;
  const std::string_view definition = dialect_.prelude.vector_operators[arity - 1];
  if (definition.empty()) return;
  std::string sign;
  for (const char c : pattern) {
    if (!std::string_view("($01 )").contains(c)) sign += c;
  }
  add(fmt::format("operator{} {} {}", sign, arity, to_string(type)), definition, type, {}, sign);
}

bool Prelude::vector_function(std::string_view pattern, std::string_view name, Type type,
                              std::uint32_t arity) {
  if (!ir::is_vector(type)) return false;
  std::string_view definition = dialect_.prelude.vector_functions[arity - 1];
  if (const auto of4 = dialect_.prelude.vector4_functions[arity - 1];
      type.width == 4 && !of4.empty()) {
    definition = of4;
  }
  if (definition.empty()) return false;
  const Type element{type.scalar, 1};
  operation(pattern, element, arity);
  add(fmt::format("vyre_{}_{}", name, to_string(type)), definition, type, {},
      fmt::format("vyre_{}_{}", name, to_string(element)));
  return true;
}

void Prelude::add_helpers(std::string_view names) {
  while (!names.empty()) {
    const std::string_view name = names.substr(0, names.find(' '));
    names.remove_prefix(std::min(names.size(), name.size() + 1));
    const auto row = std::ranges::find(dialect_.prelude.helpers, name, &PreludeOp::name);
    VYRE_CHECK(row != dialect_.prelude.helpers.end());
    if (std::ranges::count(helpers_, row->definition) == 0) helpers_.push_back(row->definition);
  }
}

void Prelude::operation(std::string_view pattern, Type type, std::uint32_t arity) {
  constexpr std::string_view kPrefix = "vyre_";
  if (!pattern.starts_with(kPrefix)) return vector_operator(pattern, type, arity);
  const std::string_view name =
      pattern.substr(kPrefix.size(), pattern.find("_$T") - kPrefix.size());
  if (vector_function(pattern, name, type, arity)) return;
  const auto row = std::ranges::find(dialect_.prelude.operations, name, &PreludeOp::name);
  VYRE_CHECK(row != dialect_.prelude.operations.end());
  add_helpers(row->needs);
  add(fmt::format("vyre_{}_{}", name, to_string(type)), definition_for(*row, type.scalar), type, {},
      name);
}

std::string Prelude::text_of_buffers() const {
  std::string out;
  for (const auto& [name, definition] : buffer_functions_) out += "\n" + definition;
  return out;
}

std::string Prelude::text() const {
  std::string out;
  for (const auto& [name, definition] : types_) out += "\n" + definition;
  for (const std::string_view definition : helpers_) out += "\n" + std::string(definition);
  for (const auto& [name, definition] : functions_) out += "\n" + definition;
  return out;
}

}  // namespace vyre::emit
