#include "fuse/epilogue.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/text.h"
#include "bounds/accesses.h"
#include "fuse/lazy_accesses.h"
#include "fuse/producer.h"
#include "fuse/recipe_copy.h"
#include "fuse/recipe_writer.h"
#include "fuse/same_expr.h"
#include "ir/ops.h"
#include "ir/rewrite/rewriter.h"

namespace vyre::fuse {
namespace {

// A buffer of the producer that the consumer reads, and the one store into it.
struct Handover {
  std::uint32_t buffer = ir::kNone;       // of the producer
  std::uint32_t in_consumer = ir::kNone;  // of the consumer
  StorePath path{};
  const bounds::MemoryAccess* access = nullptr;
  bool is_needed = false;
};

// The producer with the consumer's stores behind the last of its own.
class EpilogueWriter : public ir::Rewriter {
 public:
  EpilogueWriter(const ir::Program& producer, const ir::Program& consumer,
                 bounds::Accesses& accesses, const std::vector<Handover>& handovers,
                 const std::vector<Recipe>& recipes, ir::ProgramWriter& to)
      : Rewriter(producer, to),
        consumer_(consumer),
        accesses_(accesses),
        handovers_(handovers),
        recipes_(recipes),
        writer_(consumer, producer, accesses, *this, to) {}

  void run() {
    for (std::uint32_t k = 0; k < from().buffers.size(); ++k) {
      const auto it = std::ranges::find(handovers_, k, &Handover::buffer);
      if (it == handovers_.end() || it->is_needed) declare_buffer(k);
    }
    declare_launch();
    rewrite(from().body);
  }

  bool has_other_load() const { return writer_.has_other_load; }

 protected:
  ir::ExprId replace_expr(ir::ExprId id) override {
    const ir::Expr& e = from().exprs[id];
    const bool is_length =
        e.op == ir::Op::length &&
        std::ranges::find(handovers_, e.index, &Handover::buffer) != handovers_.end();
    return is_length ? rewrite(from().buffers[e.index].length) : ir::kNone;
  }

  // A store outside the buffer does nothing, and the consumer's buffers have the same length. So
  // their stores need no condition, and values matter only inside.
  bool replace_stmt(ir::StmtId id) override {
    const auto it =
        std::ranges::find(handovers_, id, [](const Handover& h) { return h.path.store; });
    if (it == handovers_.end()) return false;
    const ir::Stmt& s = from().stmts[id];
    const std::string& name = from().buffers[it->buffer].name;
    const ir::ExprId number = writer_.bind(rewrite(s.args[0]), name + "_index");
    const ir::ExprId value = writer_.bind(rewrite(s.args[1]), name + "_value");
    if (it->is_needed) to().store(buffers[it->buffer], to().copy(number), to().copy(value));
    known_.push_back({it->in_consumer, value});
    if (known_.size() == handovers_.size()) write_consumer(*it, number);
    return true;
  }

 private:
  void write_consumer(const Handover& last, ir::ExprId number) {
    const bool loops_are_safe = accesses_.is_inside(*last.access);
    for (const Recipe& recipe : recipes_) {
      const ElementPlace place{last.access, true, !loops_are_safe, number};
      const ir::ExprId element = writer_.evaluate(recipe, place, known_);
      RecipeCopy declaration(consumer_, recipe, {}, to());
      const std::uint32_t buffer = declaration.declare_buffer(recipe.buffer);
      to().store(buffer, to().copy(number), element);
    }
  }

  const ir::Program& consumer_;
  bounds::Accesses& accesses_;
  const std::vector<Handover>& handovers_;
  const std::vector<Recipe>& recipes_;
  RecipeWriter writer_;
  std::vector<KnownElement> known_;
};

class EpilogueJoin {
 public:
  EpilogueJoin(const Stage& producer, const Stage& consumer, const JoinContext& context)
      : producer_(producer),
        consumer_(consumer),
        context_(context),
        from_(producer.program),
        then_(consumer.program),
        accesses_from_(producer.accesses()),
        accesses_then_(consumer.accesses()) {}

  std::expected<Stage, Refusal> run() {
    VYRE_TRY_VOID(find_handovers());
    VYRE_TRY_VOID(check_lengths());
    for (Handover& handover : handovers_) VYRE_TRY_VOID(check_stores(handover));
    for (Handover& handover : handovers_) VYRE_TRY_VOID(check_once(handover));
    VYRE_TRY_VOID(find_recipes());
    ir::ProgramWriter to = start_program(context_.sequence, from_.name + "_" + then_.name);
    EpilogueWriter writer(from_, then_, accesses_from_.get(), handovers_, recipes_, to);
    writer.run();
    if (writer.has_other_load()) {
      return refuse("epilogue.pointwise",
                    fmt::format("{} loads other elements of what {} stores than the one that it "
                                "computes",
                                quote(then_.name), quote(from_.name)));
    }
    return make_stage(context_.sequence, std::move(to).finish());
  }

 private:
  using Checked = std::expected<void, Refusal>;

  std::string name_of(const Handover& handover) const {
    return quote(from_.buffers[handover.buffer].name);
  }

  static bool loads(const ir::Program& program, std::uint32_t buffer) {
    return std::ranges::any_of(program.exprs, [&](const ir::Expr& e) {
      return e.op == ir::Op::load && e.index == buffer;
    });
  }

  // Buffers that go from the producer to the consumer are handed over. All others that both use
  // are only read: the consumer's work on one element begins before the producer's on others has
  // ended.
  Checked find_handovers() {
    for (std::uint32_t k = 0; k < then_.buffers.size(); ++k) {
      const ir::Buffer& b = then_.buffers[k];
      if (!ir::is_bound(b.access)) continue;
      const std::uint32_t in_sequence = sequence_buffer(consumer_, k);
      const std::uint32_t there = find_in(producer_, in_sequence);
      if (there == ir::kNone) continue;
      if (b.access != ir::Access::read) {
        return refuse("epilogue.output",
                      fmt::format("{} writes {}, which {} uses", quote(then_.name), quote(b.name),
                                  quote(from_.name)));
      }
      if (from_.buffers[there].access == ir::Access::read || !loads(then_, k)) continue;
      handovers_.push_back({there, k, {}, nullptr, context_.is_needed[in_sequence]});
    }
    if (!handovers_.empty()) return {};
    return refuse("epilogue.unread", fmt::format("{} loads nothing that {} stores",
                                                 quote(then_.name), quote(from_.name)));
  }

  Checked check_lengths() const {
    const Handover& first = handovers_[0];
    const auto check = [&](const ir::Program& program, const ir::Buffer& b) -> Checked {
      if (same_expr(program, b.length, from_, from_.buffers[first.buffer].length)) return {};
      return refuse("epilogue.length",
                    fmt::format("{} and {} have different lengths", quote(b.name), name_of(first)));
    };
    for (const Handover& h : handovers_) VYRE_TRY_VOID(check(from_, from_.buffers[h.buffer]));
    for (const ir::Buffer& b : then_.buffers) {
      if (ir::gives_output(b.access)) VYRE_TRY_VOID(check(then_, b));
    }
    return {};
  }

  // One store into each buffer, all in one block, so that behind the last of them all values are
  // known.
  Checked check_stores(Handover& handover) {
    if (loads(from_, handover.buffer)) {
      return refuse("epilogue.loads", fmt::format("{} loads {}, which it writes", quote(from_.name),
                                                  name_of(handover)));
    }
    const auto writes = std::ranges::count_if(
        from_.stmts, [&](const ir::Stmt& s) { return s.buffer == handover.buffer; });
    std::vector<StorePath> stores = find_stores(from_, handover.buffer);
    if (writes != 1 || stores.size() != 1) {
      return refuse("epilogue.stores", fmt::format("{} writes {} at {} places, not in one store",
                                                   quote(from_.name), name_of(handover), writes));
    }
    handover.path = std::move(stores[0]);
    return {};
  }

  Checked check_once(Handover& handover) {
    bounds::Accesses& accesses = accesses_from_.get();
    handover.access = accesses.find_stmt(handover.path.store);
    if (handover.access == nullptr || !accesses.covers(*handover.access)) {
      return refuse("epilogue.complete",
                    fmt::format("it is not proved that {} stores every element of {}",
                                quote(from_.name), name_of(handover)));
    }
    if (!accesses.is_injective(*handover.access)) {
      return refuse("epilogue.injective",
                    fmt::format("it is not proved that {} stores each element of {} only once",
                                quote(from_.name), name_of(handover)));
    }
    const Handover& first = handovers_[0];
    const bool is_beside = in_same_block(handover.path, first.path) &&
                           handover.access->index == first.access->index &&
                           handover.access->width == first.access->width;
    if (is_beside) return {};
    return refuse("epilogue.beside",
                  fmt::format("{} does not store {} and {} side by side at one index",
                              quote(from_.name), name_of(first), name_of(handover)));
  }

  // Stores in one block have the same statements around them, and one stands before the other in
  // that block, not in another branch of an `if`.
  bool in_same_block(const StorePath& a, const StorePath& b) const {
    if (a.store == b.store) return true;
    const auto has = [](const StorePath& path, ir::StmtId id) {
      return std::ranges::find(path.before, id) != path.before.end();
    };
    return a.around == b.around && (has(a, b.store) || has(b, a.store));
  }

  // An element of an output may be updated in place: it is loaded and stored once. Other outputs
  // are stored at other times than in the consumer, so no recipe may load them.
  Checked find_recipes() {
    for (std::uint32_t k = 0; k < then_.buffers.size(); ++k) {
      const ir::Buffer& b = then_.buffers[k];
      if (!ir::gives_output(b.access)) continue;
      VYRE_TRY(Recipe recipe, find_recipe(then_, k, accesses_then_, "epilogue"));
      if (loads(then_, k) && !is_updated_in_place(recipe)) {
        return refuse("epilogue.own", fmt::format("{} loads {}, which it writes", quote(then_.name),
                                                  quote(b.name)));
      }
      if (recipe.width != handovers_[0].access->width) {
        return refuse("epilogue.width",
                      fmt::format("{} stores {} elements at once, {} stores {}", quote(from_.name),
                                  handovers_[0].access->width, quote(then_.name), recipe.width));
      }
      recipes_.push_back(std::move(recipe));
    }
    return {};
  }

  bool is_updated_in_place(const Recipe& recipe) {
    const bool is_alone = std::ranges::count_if(then_.buffers, [](const ir::Buffer& b) {
                            return ir::gives_output(b.access);
                          }) == 1;
    const bool is_own = std::ranges::all_of(then_.exprs, [&](const ir::Expr& e) {
      const bool is_load = e.op == ir::Op::load && e.index == recipe.buffer;
      return !is_load || (recipe.given[e.args[0]] == 0 && e.type.width == recipe.width);
    });
    const bounds::MemoryAccess* store = accesses_then_.get().find_stmt(recipe.path.store);
    return is_alone && is_own && accesses_then_.get().is_injective(*store);
  }

  const Stage& producer_;
  const Stage& consumer_;
  const JoinContext& context_;
  const ir::Program& from_;
  const ir::Program& then_;
  LazyAccesses& accesses_from_;
  LazyAccesses& accesses_then_;
  std::vector<Handover> handovers_;
  std::vector<Recipe> recipes_;
};

}  // namespace

std::expected<Stage, Refusal> join_epilogue(const Stage& producer, const Stage& consumer,
                                            const JoinContext& context) {
  return EpilogueJoin(producer, consumer, context).run();
}

}  // namespace vyre::fuse
