#include "fuse/recipe_writer.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "fuse/load_index.h"
#include "ir/ops.h"

namespace vyre::fuse {

ir::ExprId RecipeWriter::bind(ir::ExprId value, const std::string& wish) {
  const ir::Expr& e = to_.program().exprs[value];
  const bool is_leaf = e.op == ir::Op::constant || e.op == ir::Op::symbol || e.op == ir::Op::id ||
                       (e.op == ir::Op::variable && !to_.program().variables[e.index].is_mutable);
  return is_leaf ? value : to_.variable_value(to_.let(wish, value));
}

GivenValues RecipeWriter::find_values(const Recipe& recipe, ElementPlace& place,
                                      bool needs_number) {
  const bool uses_digits = std::ranges::any_of(recipe.digits, &NumberDigit::is_used);
  PolyWriter polys(host_, accesses_, *place.access, rewriter_, to_);
  std::optional<std::vector<bounds::Poly>> parts;
  if (uses_digits) parts = split_index(accesses_, *place.access, recipe.digits);
  if (parts && !std::ranges::all_of(*parts, [&](const auto& p) { return polys.can_write(p); })) {
    parts.reset();
  }
  needs_number = needs_number || recipe.uses_number || (uses_digits && !parts);
  if (needs_number && place.number == ir::kNone) {
    place.number = bind(rewriter_.rewrite(place.access->index_expr), name_of(recipe) + "_index");
  }
  GivenValues out;
  out.number = place.number;
  out.digits.resize(recipe.digits.size(), ir::kNone);
  for (std::size_t k = 0; k < recipe.digits.size(); ++k) {
    const NumberDigit& digit = recipe.digits[k];
    if (!digit.is_used) continue;
    const ir::ExprId value = parts ? polys.write((*parts)[k]) : divided(recipe, k, place.number);
    const bool is_variable = digit.kind == NumberDigit::Kind::variable;
    out.digits[k] = bind(
        value, is_variable ? program_.variables[digit.index].name : name_of(recipe) + "_digit");
  }
  return out;
}

ir::ExprId RecipeWriter::evaluate(const Recipe& recipe, ElementPlace place,
                                  const std::vector<KnownElement>& known) {
  const bool is_guarded = !place.is_inside || (recipe.has_loop && place.guards_loops);
  GivenValues values = find_values(recipe, place, is_guarded);
  values.known = known;
  RecipeCopy copy(program_, recipe, values, to_);
  const ir::Type type = program_.exprs[recipe.value].type;
  ir::ExprId out = ir::kNone;
  if (!is_guarded) {
    out = copy.write();
  } else if (!recipe.has_loop) {
    const ir::ExprId value = copy.write();
    const ir::ExprId condition = exists(copy, recipe, place.number);
    out = to_.op(ir::Op::select, {condition, value, to_.zero(type)});
  } else {
    const std::uint32_t result = to_.var(name_of(recipe) + "_value", to_.zero(type));
    const ir::ExprId condition = exists(copy, recipe, place.number);
    to_.open();
    const ir::ExprId value = copy.write();
    to_.assign(result, value);
    to_.close_if(condition);
    out = to_.variable_value(result);
  }
  has_other_load = has_other_load || copy.has_other_load();
  return out;
}

ir::ExprId RecipeWriter::divided(const Recipe& recipe, std::size_t digit, ir::ExprId number) {
  ir::ExprId value = to_.cast(ir::Scalar::u32, to_.copy(number));
  const auto stride = [&](std::size_t k) {
    return write_size(recipe.digits[k].stride, program_, to_);
  };
  if (digit > 0) value = to_.op(ir::Op::mod, {value, stride(digit - 1)});
  const Size one{{1, {}}};
  if (recipe.digits[digit].stride == one) return value;
  return to_.op(ir::Op::div, {value, stride(digit)});
}

// e < length / width. Indices count at their full value, so types other than u32 are compared as
// u64, where negative ones are large.
ir::ExprId RecipeWriter::exists(RecipeCopy& copy, const Recipe& recipe, ir::ExprId number) {
  ir::ExprId length = copy.rewrite(program_.buffers[recipe.buffer].length);
  if (recipe.width > 1) length = to_.op(ir::Op::div, {length, to_.u32(recipe.width)});
  const ir::ExprId index = to_.copy(number);
  if (to_.type_of(index).scalar == ir::Scalar::u32) return to_.op(ir::Op::lt, {index, length});
  const ir::ExprId wide = to_.cast(ir::Scalar::u64, index);
  return to_.op(ir::Op::lt, {wide, to_.cast(ir::Scalar::u64, length)});
}

}  // namespace vyre::fuse
