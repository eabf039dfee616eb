// InlineWriter: a consumer with values instead of loads of what the producer would have stored.

#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "bounds/accesses.h"
#include "fuse/load_site.h"
#include "fuse/producer.h"
#include "fuse/recipe_writer.h"
#include "ir/rewrite/rewriter.h"

namespace vyre::fuse {

// A buffer that the producer writes.
struct Product {
  Recipe recipe{};
  std::uint32_t in_consumer = ir::kNone;  // the consumer's buffer
  std::vector<LoadSite> sites{};          // where the consumer loads it
  bool is_needed = false;
  std::vector<ir::ExprId> store_at{};  // needed: the loads of some product where this one is stored

  bool is_stored_at(ir::ExprId load) const {
    return std::ranges::find(store_at, load) != store_at.end();
  }
};

class InlineWriter : public ir::Rewriter {
 public:
  // Keeps references to all.
  InlineWriter(const ir::Program& producer, const ir::Program& consumer, bounds::Accesses& accesses,
               const std::vector<Product>& products, ir::ProgramWriter& to);

  void run();

  // Whether a product is loaded in the condition of a `while`: what was written is then wrong.
  bool has_load_in_condition() const { return has_load_in_condition_; }
  // Whether the product was stored wherever it must be.
  bool has_stored(const Product& product) const;

 protected:
  ir::ExprId replace_expr(ir::ExprId id) override;

 private:
  // A value that was computed before, in a block that may still be open.
  struct Known {
    const Product* product = nullptr;
    bounds::Poly index{};
    std::uint32_t block = 0;
    std::uint32_t variable = 0;
  };

  const Product* find_product(std::uint32_t buffer) const;
  std::uint32_t find_known(const Product& product, const LoadSite& site);
  ir::ExprId value_at(const Product& product, const LoadSite& site);
  void store_others(const Product& product, const LoadSite& site, const ElementPlace& place);
  std::uint32_t variable_for(const Product& product, const ElementPlace& place);
  void store(const Product& product, const ElementPlace& place, std::uint32_t variable);
  const std::string& name_of(const Product& product) const;

  const ir::Program& producer_;
  const std::vector<Product>& products_;
  RecipeWriter recipes_;
  std::vector<Known> known_;
  std::vector<const Product*> stored_;
  bool has_load_in_condition_ = false;
};

}  // namespace vyre::fuse
