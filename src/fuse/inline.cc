#include "fuse/inline.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/text.h"
#include "fuse/inline_writer.h"
#include "fuse/lazy_accesses.h"
#include "fuse/load_site.h"
#include "fuse/producer.h"
#include "fuse/same_expr.h"
#include "ir/ops.h"

namespace vyre::fuse {
namespace {

using ir::Expr;
using ir::ExprId;
using ir::kNone;
using ir::Op;
using ir::Program;

class InlineJoin {
 public:
  InlineJoin(const Stage& producer, const Stage& consumer, const JoinContext& context)
      : producer_(producer),
        consumer_(consumer),
        context_(context),
        from_(producer.program),
        into_(consumer.program),
        accesses_from_(producer.accesses()),
        accesses_into_(consumer.accesses()) {}

  std::expected<Stage, Refusal> run() {
    VYRE_TRY_VOID(check_buffers());
    VYRE_TRY_VOID(find_products());
    for (Product& product : products_) VYRE_TRY_VOID(check_sites(product));
    for (Product& product : products_) VYRE_TRY_VOID(place_store(product));
    return write();
  }

 private:
  using Checked = std::expected<void, Refusal>;

  static bool loads(const Program& program, std::uint32_t buffer) {
    return std::ranges::any_of(
        program.exprs, [&](const Expr& e) { return e.op == Op::load && e.index == buffer; });
  }

  // The producer's values must be what they were when the producer ran: nobody may have written
  // what it reads. And its products must be what it stored, not what the consumer stored later.
  Checked check_buffers() const {
    bool is_read = false;
    for (std::uint32_t k = 0; k < from_.buffers.size(); ++k) {
      const ir::Buffer& b = from_.buffers[k];
      if (!ir::is_bound(b.access)) continue;
      const bool is_product = b.access != ir::Access::read;
      if (is_product && loads(from_, k)) {
        return refuse("inline.own", sentence("{} loads {}, which it writes", from_, b));
      }
      const std::uint32_t there = find_in(consumer_, sequence_buffer(producer_, k));
      if (there == kNone) continue;
      if (into_.buffers[there].access == ir::Access::read) {
        is_read = is_read || (is_product && loads(into_, there));
        continue;
      }
      if (is_product) {
        return refuse("inline.overwritten",
                      sentence("{} writes {}, which the step before computes", into_, b));
      }
      return refuse("inline.input",
                    sentence("{} writes {}, which the step before reads", into_, b));
    }
    if (is_read) return {};
    return refuse("inline.unread", fmt::format("{} loads nothing that {} stores", quote(into_.name),
                                               quote(from_.name)));
  }

  static std::string sentence(fmt::format_string<std::string, std::string> text,
                              const Program& program, const ir::Buffer& buffer) {
    return fmt::format(text, quote(program.name), quote(buffer.name));
  }

  // A buffer that nobody loads and nobody needs is not computed at all.
  Checked find_products() {
    for (std::uint32_t k = 0; k < from_.buffers.size(); ++k) {
      if (!ir::gives_output(from_.buffers[k].access)) continue;
      const std::uint32_t in_sequence = sequence_buffer(producer_, k);
      Product product;
      product.in_consumer = find_in(consumer_, in_sequence);
      product.is_needed = context_.is_needed[in_sequence];
      const bool is_loaded = product.in_consumer != kNone && loads(into_, product.in_consumer);
      if (product.is_needed || is_loaded) {
        VYRE_TRY(product.recipe, find_recipe(from_, k, accesses_from_, "inline"));
      }
      if (is_loaded) {
        product.sites = find_sites(into_, product.in_consumer, accesses_into_.get());
      }
      products_.push_back(std::move(product));
    }
    return {};
  }

  Checked check_sites(const Product& product) {
    const ir::Buffer& buffer = from_.buffers[product.recipe.buffer];
    for (const LoadSite& site : product.sites) {
      if (into_.exprs[site.load].type.width == product.recipe.width) continue;
      return refuse("inline.width",
                    fmt::format("{} loads {} elements of {} at once, {} stores {}",
                                quote(into_.name), into_.exprs[site.load].type.width,
                                quote(buffer.name), quote(from_.name), product.recipe.width));
    }
    if (product.sites.empty()) return {};
    const auto times =
        loads_per_element(into_, product.in_consumer, product.sites, accesses_into_.get());
    if (times && *times <= kMostEvaluations) return {};
    const std::string count =
        times ? fmt::format("{} times", *times) : "an unknown number of times";
    return refuse("inline.recompute",
                  fmt::format("{} would compute an element of {} {}, at most {} are allowed",
                              quote(into_.name), quote(buffer.name), count, kMostEvaluations));
  }

  // A needed buffer is stored where the consumer loads each element of it exactly once, or of
  // another product that has the same length and is stored at the same index. That may be at two
  // loads, one of which is made for each element.
  Checked place_store(Product& product) {
    if (!product.is_needed) return {};
    for (const Product& other : products_) {
      if (other.sites.empty() || !has_same_index(product, other)) continue;
      product.store_at = visiting_loads(into_, other.sites, accesses_into_.get());
      if (!product.store_at.empty()) return {};
    }
    return refuse_visit(product);
  }

  std::unexpected<Refusal> refuse_visit(const Product& product) const {
    return refuse("inline.visit",
                  sentence("the content of {1} is needed, but it is not proved that "
                           "{0} visits each element once",
                           into_, from_.buffers[product.recipe.buffer]));
  }

  bool has_same_index(const Product& a, const Product& b) {
    if (&a == &b) return true;
    const auto* x = accesses_from_.get().find_stmt(a.recipe.path.store);
    const auto* y = accesses_from_.get().find_stmt(b.recipe.path.store);
    return x->index.is_known() && x->index == y->index && a.recipe.width == b.recipe.width &&
           same_expr(from_, from_.buffers[a.recipe.buffer].length, from_,
                     from_.buffers[b.recipe.buffer].length);
  }

  std::expected<Stage, Refusal> write() {
    ir::ProgramWriter to = start_program(context_.sequence, from_.name + "_" + into_.name);
    InlineWriter writer(from_, into_, accesses_into_.get(), products_, to);
    writer.run();
    if (writer.has_load_in_condition()) {
      return refuse("inline.condition",
                    fmt::format("{} loads what {} stores in the condition of a while",
                                quote(into_.name), quote(from_.name)));
    }
    for (const Product& product : products_) {
      if (product.is_needed && !writer.has_stored(product)) return refuse_visit(product);
    }
    Program joined = std::move(to).finish();
    const std::size_t before = into_.exprs.size() + into_.stmts.size();
    const std::size_t after = joined.exprs.size() + joined.stmts.size();
    if (after > before + kMostInlinedNodes) {
      return refuse(
          "inline.nodes",
          fmt::format("{} would grow from {} to {} expressions and statements, by more than {}",
                      quote(into_.name), before, after, kMostInlinedNodes));
    }
    return make_stage(context_.sequence, std::move(joined));
  }

  const Stage& producer_;
  const Stage& consumer_;
  const JoinContext& context_;
  const Program& from_;
  const Program& into_;
  LazyAccesses& accesses_from_;
  LazyAccesses& accesses_into_;
  std::vector<Product> products_;
};

}  // namespace

std::expected<Stage, Refusal> join_inline(const Stage& producer, const Stage& consumer,
                                          const JoinContext& context) {
  return InlineJoin(producer, consumer, context).run();
}

}  // namespace vyre::fuse
