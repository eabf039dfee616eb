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

}  // namespace

std::string Prelude::defined(std::string_view name, std::string_view pattern, Type type,
                             std::string_view space, std::string_view builtin) const {
  const TypeNames names = type_names(dialect_, type);
  const std::string unsigned_type = unsigned_name(dialect_, type.scalar);
  const std::string element = type_name(dialect_, {type.scalar, 1});
  const Substitution values[] = {
      {'N', name},    {'C', names.name}, {'U', unsigned_type}, {'W', names.width},
      {'E', element}, {'S', space},      {'B', builtin},
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

std::string Prelude::load(ir::Access access, Type type) {
  const auto [space, index] = space_of(access);
  const PreludePatterns& patterns = dialect_.prelude;
  return add(fmt::format("vyre_load_{}_{}", space, to_string(type)),
             type.width == 1 ? patterns.load : patterns.load_vector, type, dialect_.spaces[index]);
}

std::string Prelude::store(ir::Access access, Type type) {
  const auto [space, index] = space_of(access);
  const PreludePatterns& patterns = dialect_.prelude;
  return add(fmt::format("vyre_store_{}_{}", space, to_string(type)),
             type.width == 1 ? patterns.store : patterns.store_vector, type,
             dialect_.spaces[index]);
}

std::string Prelude::atomic(ir::Access access, AtomicOp op, Scalar element) {
  const auto [space, index] = space_of(access);
  const PreludePatterns& patterns = dialect_.prelude;
  const std::string_view builtin = dialect_.atomics[static_cast<std::size_t>(op)];
  const bool compares = op == AtomicOp::compare_exchange;
  return add(fmt::format("vyre_{}_{}_{}", builtin, space, ir::name_of(element)),
             compares ? patterns.atomic_compare_exchange : patterns.atomic, {element, 1},
             dialect_.spaces[index], builtin);
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
  const std::string_view definition = dialect_.prelude.vector_functions[arity - 1];
  if (!ir::is_vector(type) || definition.empty()) return false;
  const Type element{type.scalar, 1};
  operation(pattern, element, arity);
  add(fmt::format("vyre_{}_{}", name, to_string(type)), definition, type, {},
      fmt::format("vyre_{}_{}", name, to_string(element)));
  return true;
}

void Prelude::operation(std::string_view pattern, Type type, std::uint32_t arity) {
  constexpr std::string_view kPrefix = "vyre_";
  if (!pattern.starts_with(kPrefix)) return vector_operator(pattern, type, arity);
  const std::string_view name =
      pattern.substr(kPrefix.size(), pattern.find("_$T") - kPrefix.size());
  if (vector_function(pattern, name, type, arity)) return;
  const auto row = std::ranges::find(dialect_.prelude.operations, name, &PreludeOp::name);
  VYRE_CHECK(row != dialect_.prelude.operations.end());
  const bool is_other = ir::is_signed(type.scalar) && !row->for_signed.empty();
  add(fmt::format("vyre_{}_{}", name, to_string(type)),
      is_other ? row->for_signed : row->definition, type, {}, name);
}

std::string Prelude::text() const {
  std::string out;
  for (const auto& [name, definition] : types_) out += "\n" + definition;
  for (const auto& [name, definition] : functions_) out += "\n" + definition;
  return out;
}

}  // namespace vyre::emit
