#include "fuse/inline_writer.h"

#include <algorithm>

#include "fuse/recipe_copy.h"
#include "ir/ops.h"

namespace vyre::fuse {

InlineWriter::InlineWriter(const ir::Program& producer, const ir::Program& consumer,
                           bounds::Accesses& accesses, const std::vector<Product>& products,
                           ir::ProgramWriter& to)
    : Rewriter(consumer, to),
      producer_(producer),
      products_(products),
      recipes_(producer, consumer, accesses, *this, to) {}

void InlineWriter::run() {
  for (std::uint32_t k = 0; k < from().buffers.size(); ++k) {
    if (find_product(k) == nullptr) declare_buffer(k);
  }
  declare_launch();
  rewrite(from().body);
}

bool InlineWriter::has_stored(const Product& product) const {
  const auto stores = std::ranges::count(stored_, &product);
  return static_cast<std::size_t>(stores) == product.store_at.size() && stores > 0;
}

ir::ExprId InlineWriter::replace_expr(ir::ExprId id) {
  const ir::Expr& e = from().exprs[id];
  if (e.op != ir::Op::load && e.op != ir::Op::length) return ir::kNone;
  const Product* product = find_product(e.index);
  if (product == nullptr) return ir::kNone;
  if (e.op == ir::Op::length) return rewrite(from().buffers[e.index].length);
  return value_at(*product, *std::ranges::find(product->sites, id, &LoadSite::load));
}

const Product* InlineWriter::find_product(std::uint32_t buffer) const {
  const auto it = std::ranges::find(products_, buffer, &Product::in_consumer);
  return it == products_.end() ? nullptr : &*it;
}

// Two loads have the same value if their indices are the same polynomial: the consumer writes
// nothing that the value is made of.
std::uint32_t InlineWriter::find_known(const Product& product, const LoadSite& site) {
  const auto it = std::ranges::find_if(known_, [&](const Known& k) {
    return k.product == &product && k.index == site.access->index && to().is_open(k.block);
  });
  return it == known_.end() ? ir::kNone : it->variable;
}

ir::ExprId InlineWriter::value_at(const Product& product, const LoadSite& site) {
  has_load_in_condition_ = has_load_in_condition_ || is_in_condition();
  if (is_in_condition() || site.access == nullptr) return to().zero(from().exprs[site.load].type);
  ElementPlace place{site.access, site.is_inside, site.is_in_arm || !site.is_inside};
  place.is_lasting = !site.is_in_arm;
  const bool stores =
      std::ranges::any_of(products_, [&](const Product& p) { return p.is_stored_at(site.load); });
  if (!stores && !site.is_shared) return recipes_.evaluate(product.recipe, place);
  if (!stores) {
    const std::uint32_t known = find_known(product, site);
    if (known != ir::kNone) return to().variable_value(known);
  } else {
    const ir::ExprId index = rewrite(site.access->index_expr);
    place.number = recipes_.bind(index, name_of(product) + "_index");
    store_others(product, site, place);
  }
  const std::uint32_t variable = variable_for(product, place);
  if (product.is_stored_at(site.load)) store(product, place, variable);
  if (site.is_shared && place.is_lasting) {
    known_.push_back({&product, site.access->index, to().open_block(), variable});
  }
  return to().variable_value(variable);
}

void InlineWriter::store_others(const Product& product, const LoadSite& site,
                                const ElementPlace& place) {
  for (const Product& other : products_) {
    if (!other.is_stored_at(site.load) || &other == &product) continue;
    store(other, place, variable_for(other, place));
  }
}

std::uint32_t InlineWriter::variable_for(const Product& product, const ElementPlace& place) {
  const ir::ExprId value = recipes_.evaluate(product.recipe, place);
  return to().let(name_of(product) + "_value", value);
}

void InlineWriter::store(const Product& product, const ElementPlace& place,
                         std::uint32_t variable) {
  RecipeCopy declaration(producer_, product.recipe, {}, to());
  const std::uint32_t buffer = declaration.declare_buffer(product.recipe.buffer);
  const ir::ExprId index = to().copy(place.number);
  to().store(buffer, index, to().variable_value(variable));
  stored_.push_back(&product);
}

const std::string& InlineWriter::name_of(const Product& product) const {
  return producer_.buffers[product.recipe.buffer].name;
}

}  // namespace vyre::fuse
