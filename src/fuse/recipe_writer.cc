#include "fuse/recipe_writer.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "fuse/load_index.h"
#include "ir/ops.h"

namespace vyre::fuse {

namespace {

// Nodes of an expression of u32 made of sums, products and leaves that never change; too many if it
// has anything else in it.
constexpr std::uint32_t kMostCopied = 7;
std::uint32_t copied_nodes(const ir::Program& program, ir::ExprId id) {
  const ir::Expr& e = program.exprs[id];
  const bool is_leaf = e.op == ir::Op::constant || e.op == ir::Op::symbol || e.op == ir::Op::id ||
                       (e.op == ir::Op::variable && !program.variables[e.index].is_mutable);
  if (is_leaf) return 1;
  const bool is_sum = e.op == ir::Op::add || e.op == ir::Op::sub || e.op == ir::Op::mul;
  if (!is_sum || e.type != ir::kU32) return kMostCopied + 1;
  return 1 + copied_nodes(program, e.args[0]) + copied_nodes(program, e.args[1]);
}

}  // namespace

// An index that stands in brackets is computed with the width of an address, so a compiler sees
// which elements are neighbours. It does not see that of a variable of 32 bits, which may wrap.
ir::ExprId RecipeWriter::bind(ir::ExprId value, const std::string& wish) {
  const bool is_copied = copied_nodes(to_.program(), value) <= kMostCopied;
  return is_copied ? value : to_.variable_value(to_.let(wish, value));
}

namespace {

// Whether two recipes of one program compute the same element from the same numbers.
bool have_same_digits(const Recipe& a, const Recipe& b) {
  const auto is_same = [](const NumberDigit& x, const NumberDigit& y) {
    return x.kind == y.kind && x.index == y.index && x.stride == y.stride;
  };
  return a.number == b.number && a.width == b.width &&
         std::ranges::equal(a.digits, b.digits, is_same);
}

}  // namespace

// What was written in a block around this one may be used here. What is written now may not be used
// there, so the block has an entry of its own.
RecipeWriter::Written* RecipeWriter::find_written(const Recipe& recipe, const ElementPlace& place) {
  if (!place.is_lasting || recipe.has_loop || !place.access->index.is_known()) return nullptr;
  Written found{&recipe, place.access->index, to_.open_block(), {}, {}};
  for (auto it = written_.rbegin(); it != written_.rend(); ++it) {
    if (it->index != place.access->index || !to_.is_open(it->block)) continue;
    if (!have_same_digits(*it->recipe, recipe)) continue;
    if (it->block == to_.open_block()) return &*it;
    found.values = it->values;
    found.lasting = it->lasting;
    break;
  }
  return &written_.emplace_back(std::move(found));
}

// Adds what the recipe needs and what is not there yet.
void RecipeWriter::find_values(const Recipe& recipe, ElementPlace& place, bool needs_number,
                               GivenValues& out) {
  out.digits.resize(recipe.digits.size(), ir::kNone);
  std::vector<std::size_t> missing;
  for (std::size_t k = 0; k < recipe.digits.size(); ++k) {
    if (recipe.digits[k].is_used && out.digits[k] == ir::kNone) missing.push_back(k);
  }
  PolyWriter polys(host_, accesses_, *place.access, rewriter_, to_);
  std::optional<std::vector<bounds::Poly>> parts;
  if (!missing.empty()) parts = split_index(accesses_, *place.access, recipe.digits);
  const auto can_write = [&](const bounds::Poly& p) { return polys.can_write(p); };
  if (parts && !std::ranges::all_of(*parts, can_write)) parts.reset();
  needs_number = needs_number || recipe.uses_number || (!missing.empty() && !parts);
  if (place.number == ir::kNone) place.number = out.number;
  if (needs_number && place.number == ir::kNone) {
    place.number = bind(rewriter_.rewrite(place.access->index_expr), name_of(recipe) + "_index");
  }
  out.number = place.number;
  for (const std::size_t k : missing) {
    const ir::ExprId value = parts ? polys.write((*parts)[k]) : divided(recipe, k, place.number);
    out.digits[k] = bind(value, name_of(recipe, recipe.digits[k]));
  }
}

std::string RecipeWriter::name_of(const Recipe& recipe, const NumberDigit& digit) const {
  const bool is_variable = digit.kind == NumberDigit::Kind::variable;
  return is_variable ? program_.variables[digit.index].name : name_of(recipe) + "_digit";
}

ir::ExprId RecipeWriter::evaluate(const Recipe& recipe, ElementPlace place,
                                  const std::vector<KnownElement>& known) {
  const bool is_guarded = !place.is_inside || (recipe.has_loop && place.guards_loops);
  Written* written = find_written(recipe, place);
  GivenValues values = written == nullptr ? GivenValues{} : written->values;
  find_values(recipe, place, is_guarded, values);
  if (written != nullptr) written->values = values;
  values.known = known;
  RecipeCopy copy(program_, recipe, values, to_);
  if (written != nullptr && !written->lasting.empty()) copy.reuse(written->lasting);
  const ir::ExprId out = write_value(copy, recipe, place, is_guarded);
  if (written != nullptr) written->lasting = copy.lasting();
  has_other_load = has_other_load || copy.has_other_load();
  return out;
}

ir::ExprId RecipeWriter::write_value(RecipeCopy& copy, const Recipe& recipe,
                                     const ElementPlace& place, bool is_guarded) {
  if (!is_guarded) return copy.write();
  const ir::Type type = program_.exprs[recipe.value].type;
  if (!recipe.has_loop) {
    const ir::ExprId value = copy.write();
    const ir::ExprId condition = exists(copy, recipe, place.number);
    return to_.op(ir::Op::select, {condition, value, to_.zero(type)});
  }
  const std::uint32_t result = to_.var(name_of(recipe) + "_value", to_.zero(type));
  const ir::ExprId condition = exists(copy, recipe, place.number);
  to_.open();
  const ir::ExprId value = copy.write();
  to_.assign(result, value);
  to_.close_if(condition);
  return to_.variable_value(result);
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
