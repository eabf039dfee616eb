#include "fuse/epilogue.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/text.h"
#include "bounds/accesses.h"
#include "fuse/producer.h"
#include "fuse/recipe_copy.h"
#include "fuse/recipe_writer.h"
#include "fuse/same_expr.h"
#include "ir/ops.h"
#include "ir/rewrite/rewriter.h"

namespace vyre::fuse {
namespace {

// The producer's buffer that the consumer reads, and the one store into it.
struct Handover {
  std::uint32_t buffer = ir::kNone;       // of the producer
  std::uint32_t in_consumer = ir::kNone;  // of the consumer
  ir::StmtId store = ir::kNone;
  const bounds::MemoryAccess* access = nullptr;
  bool is_needed = false;
};

// The producer with the consumer's stores behind its own.
class EpilogueWriter : public ir::Rewriter {
 public:
  EpilogueWriter(const ir::Program& producer, const ir::Program& consumer,
                 bounds::Accesses& accesses, const Handover& handover,
                 const std::vector<Recipe>& recipes, ir::ProgramWriter& to)
      : Rewriter(producer, to),
        consumer_(consumer),
        accesses_(accesses),
        handover_(handover),
        recipes_(recipes),
        writer_(consumer, producer, accesses, *this, to) {}

  void run() {
    for (std::uint32_t k = 0; k < from().buffers.size(); ++k) {
      if (k != handover_.buffer || handover_.is_needed) declare_buffer(k);
    }
    declare_launch();
    rewrite(from().body);
  }

  bool has_other_load() const { return writer_.has_other_load; }

 protected:
  ir::ExprId replace_expr(ir::ExprId id) override {
    const ir::Expr& e = from().exprs[id];
    if (e.op != ir::Op::length || e.index != handover_.buffer) return ir::kNone;
    return rewrite(from().buffers[e.index].length);
  }

  // A store outside the buffer does nothing, and the consumer's buffers have the same length. So
  // their stores need no condition, and values matter only inside.
  bool replace_stmt(ir::StmtId id) override {
    if (id != handover_.store) return false;
    const ir::Stmt& s = from().stmts[id];
    const std::string& name = from().buffers[handover_.buffer].name;
    const ir::ExprId number = writer_.bind(rewrite(s.args[0]), name + "_index");
    const ir::ExprId value = writer_.bind(rewrite(s.args[1]), name + "_value");
    if (handover_.is_needed) {
      to().store(buffers[handover_.buffer], to().copy(number), to().copy(value));
    }
    GivenValues known;
    known.known_buffer = handover_.in_consumer;
    known.known_value = value;
    const bool loops_are_safe = accesses_.is_inside(*handover_.access);
    for (const Recipe& recipe : recipes_) {
      const ElementPlace place{handover_.access, true, !loops_are_safe, number};
      const ir::ExprId element = writer_.evaluate(recipe, place, known);
      RecipeCopy declaration(consumer_, recipe, {}, to());
      const std::uint32_t buffer = declaration.declare_buffer(recipe.buffer);
      to().store(buffer, to().copy(number), element);
    }
    return true;
  }

 private:
  const ir::Program& consumer_;
  bounds::Accesses& accesses_;
  const Handover& handover_;
  const std::vector<Recipe>& recipes_;
  RecipeWriter writer_;
};

class EpilogueJoin {
 public:
  EpilogueJoin(const Stage& producer, const Stage& consumer, const JoinContext& context)
      : producer_(producer),
        consumer_(consumer),
        context_(context),
        from_(producer.program),
        then_(consumer.program),
        accesses_from_(from_),
        accesses_then_(then_) {}

  std::expected<Stage, Refusal> run() {
    VYRE_TRY_VOID(find_handover());
    VYRE_TRY_VOID(check_store());
    VYRE_TRY_VOID(find_recipes());
    ir::ProgramWriter to = start_program(context_.sequence, from_.name + "_" + then_.name);
    EpilogueWriter writer(from_, then_, accesses_from_, handover_, recipes_, to);
    writer.run();
    if (writer.has_other_load()) {
      return refuse("epilogue.pointwise",
                    fmt::format("{} loads other elements of {} than the one that it computes",
                                quote(then_.name), name()));
    }
    return make_stage(context_.sequence, std::move(to).finish());
  }

 private:
  using Checked = std::expected<void, Refusal>;

  std::string name() const { return quote(from_.buffers[handover_.buffer].name); }

  static bool loads(const ir::Program& program, std::uint32_t buffer) {
    return std::ranges::any_of(program.exprs, [&](const ir::Expr& e) {
      return e.op == ir::Op::load && e.index == buffer;
    });
  }

  // One buffer may go from the producer to the consumer. All others that both use are only read:
  // the consumer's work on one element begins before the producer's on others has ended.
  Checked find_handover() {
    for (std::uint32_t k = 0; k < then_.buffers.size(); ++k) {
      const ir::Buffer& b = then_.buffers[k];
      if (!ir::is_bound(b.access)) continue;
      const std::uint32_t there = find_in(producer_, sequence_buffer(consumer_, k));
      if (there == ir::kNone) continue;
      if (b.access != ir::Access::read) {
        return refuse("epilogue.output",
                      fmt::format("{} writes {}, which {} uses", quote(then_.name), quote(b.name),
                                  quote(from_.name)));
      }
      if (from_.buffers[there].access == ir::Access::read) continue;
      if (handover_.buffer != ir::kNone) {
        return refuse("epilogue.input",
                      fmt::format("{} reads both {} and {}, which {} writes", quote(then_.name),
                                  name(), quote(b.name), quote(from_.name)));
      }
      handover_.buffer = there;
      handover_.in_consumer = k;
      handover_.is_needed = context_.is_needed[sequence_buffer(consumer_, k)];
    }
    if (handover_.buffer != ir::kNone && loads(then_, handover_.in_consumer)) return {};
    return refuse("epilogue.unread", fmt::format("{} loads nothing that {} stores",
                                                 quote(then_.name), quote(from_.name)));
  }

  Checked check_store() {
    const std::string producer = quote(from_.name);
    if (loads(from_, handover_.buffer)) {
      return refuse("epilogue.loads",
                    fmt::format("{} loads {}, which it writes", producer, name()));
    }
    const auto writes = std::ranges::count_if(
        from_.stmts, [&](const ir::Stmt& s) { return s.buffer == handover_.buffer; });
    const std::vector<StorePath> stores = find_stores(from_, handover_.buffer);
    if (writes != 1 || stores.size() != 1) {
      return refuse("epilogue.stores", fmt::format("{} writes {} at {} places, not in one store",
                                                   producer, name(), writes));
    }
    handover_.store = stores[0].store;
    handover_.access = accesses_from_.find_stmt(handover_.store);
    if (handover_.access == nullptr || !accesses_from_.covers(*handover_.access)) {
      return refuse(
          "epilogue.complete",
          fmt::format("it is not proved that {} stores every element of {}", producer, name()));
    }
    if (accesses_from_.is_injective(*handover_.access)) return {};
    return refuse("epilogue.injective",
                  fmt::format("it is not proved that {} stores each element of {} only once",
                              producer, name()));
  }

  // An element of an output may be updated in place: it is loaded and stored once. Other outputs
  // are stored at other times than in the consumer, so no recipe may load them.
  Checked find_recipes() {
    const ir::ExprId length = from_.buffers[handover_.buffer].length;
    for (std::uint32_t k = 0; k < then_.buffers.size(); ++k) {
      const ir::Buffer& b = then_.buffers[k];
      if (!ir::gives_output(b.access)) continue;
      if (!same_expr(then_, b.length, from_, length)) {
        return refuse("epilogue.length",
                      fmt::format("{} and {} have different lengths", quote(b.name), name()));
      }
      VYRE_TRY(Recipe recipe, find_recipe(then_, k, accesses_then_, "epilogue"));
      if (loads(then_, k) && !is_updated_in_place(recipe)) {
        return refuse("epilogue.own", fmt::format("{} loads {}, which it writes", quote(then_.name),
                                                  quote(b.name)));
      }
      if (recipe.width != handover_.access->width) {
        return refuse("epilogue.width",
                      fmt::format("{} stores {} elements at once, {} stores {}", quote(from_.name),
                                  handover_.access->width, quote(then_.name), recipe.width));
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
    const bounds::MemoryAccess* store = accesses_then_.find_stmt(recipe.path.store);
    return is_alone && is_own && accesses_then_.is_injective(*store);
  }

  const Stage& producer_;
  const Stage& consumer_;
  const JoinContext& context_;
  const ir::Program& from_;
  const ir::Program& then_;
  bounds::Accesses accesses_from_;
  bounds::Accesses accesses_then_;
  Handover handover_;
  std::vector<Recipe> recipes_;
};

}  // namespace

std::expected<Stage, Refusal> join_epilogue(const Stage& producer, const Stage& consumer,
                                            const JoinContext& context) {
  return EpilogueJoin(producer, consumer, context).run();
}

}  // namespace vyre::fuse
