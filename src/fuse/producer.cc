#include "fuse/producer.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <span>
#include <utility>

#include "base/text.h"
#include "fuse/number_parts.h"
#include "ir/ops.h"
#include "ir/structure.h"

namespace vyre::fuse {
namespace {

using bounds::Accesses;
using bounds::AtomKind;
using bounds::Poly;
using ir::Expr;
using ir::ExprId;
using ir::kNone;
using ir::Op;
using ir::Program;
using ir::Stmt;
using ir::StmtKind;

std::optional<Size> size_of(const Program& program, const Accesses& accesses, const Poly& p) {
  Size out;
  if (!p.is_known()) return std::nullopt;
  for (const bounds::Term& t : p.terms()) {
    SizeTerm term{static_cast<std::int64_t>(t.coefficient), {}};
    if (bounds::Int{term.factor} != t.coefficient) return std::nullopt;
    for (std::size_t k = 0; k < t.monomial.degree; ++k) {
      const bounds::AtomInfo info = accesses.atom(t.monomial.atoms[k]);
      if (info.kind != AtomKind::symbol) return std::nullopt;
      term.symbols.push_back(program.symbols[info.index].name);
    }
    out.push_back(std::move(term));
  }
  return out;
}

class RecipeFinder {
 public:
  RecipeFinder(const Program& program, Recipe& recipe) : program_(program), recipe_(recipe) {}

  // What the stored value needs, if it follows from the number and these parts of it, or from the
  // number alone (none). `why` says what is missing.
  bool try_with(Accesses& accesses, std::span<const NumberPart> parts) {
    const bounds::MemoryAccess* access = accesses.find_stmt(recipe_.path.store);
    if (access == nullptr || !access->index.is_known()) return false;
    recipe_.digits.clear();
    std::vector<Poly> values;
    if (!parts.empty() && !find_digits(accesses, *access, parts, values)) return false;
    mark_given(accesses, access->index, values);
    return find_slice();
  }

  std::string why;
  bool is_carried = false;

 private:
  bool find_digits(Accesses& accesses, const bounds::MemoryAccess& access,
                   std::span<const NumberPart> parts, std::vector<Poly>& values) {
    const auto digits = digits_of(accesses, access, parts);
    if (!digits) return false;
    for (const PartDigit& d : *digits) {
      auto stride = size_of(program_, accesses, d.stride);
      if (!stride) return false;
      recipe_.digits.push_back({d.part.kind, d.part.index, *std::move(stride)});
      values.push_back(d.part.value);
    }
    return true;
  }

  // The variable of a loop that starts at 0 and counts by 1 is its turn; any other one is computed
  // from the turn, so it is not given.
  void mark_given(const Accesses& accesses, const Poly& index, const std::vector<Poly>& values) {
    recipe_.given.assign(program_.exprs.size(), kNone);
    const bool varies = !accesses.is_uniform(index);
    for (ExprId id = 0; id < program_.exprs.size(); ++id) {
      const Expr& e = program_.exprs[id];
      if (!ir::is_integer(e.type) || ir::is_vector(e.type)) continue;
      const Poly& value = accesses.value(id);
      if (!value.is_known()) continue;
      if (varies && value == index) recipe_.given[id] = 0;
      for (std::uint32_t k = 0; k < values.size() && recipe_.given[id] == kNone; ++k) {
        if (value == values[k]) recipe_.given[id] = k + 1;
      }
    }
  }

  bool find_slice() {
    recipe_.uses_number = false;
    for (NumberDigit& d : recipe_.digits) d.is_used = false;
    bool complete = true;
    const auto is_given = [&](ExprId id) {
      const std::uint32_t given = recipe_.given[id];
      if (given == 0) recipe_.uses_number = true;
      if (given != kNone && given > 0) recipe_.digits[given - 1].is_used = true;
      if (given == kNone && !can_compute(program_.exprs[id])) complete = false;
      return given != kNone;
    };
    auto slice = slice_before(program_, recipe_.path, {recipe_.value}, is_given);
    is_carried = !slice.has_value();
    if (!slice || !complete) return false;
    recipe_.slice = *std::move(slice);
    recipe_.has_loop =
        std::ranges::any_of(recipe_.slice, [&](ir::StmtId id) { return has_loop(program_, id); });
    return true;
  }

  // A leaf that tells invocations or turns apart must be given. Sizes of the launch are known.
  bool can_compute(const Expr& e) {
    if (e.op == Op::variable) {
      const bool turns =
          std::ranges::find(recipe_.path.turning, e.index) != recipe_.path.turning.end();
      if (turns) why = fmt::format("the loop variable {}", quote(program_.variables[e.index].name));
      return !turns;
    }
    if (e.op != Op::id) return true;
    const ir::IdKind kind = ir::id_kind(e.index);
    const bool is_size = kind == ir::IdKind::global_size || kind == ir::IdKind::local_size ||
                         kind == ir::IdKind::groups;
    if (!is_size) why = fmt::format("{}({})", ir::name_of(kind), ir::id_axis(e.index));
    return is_size;
  }

  const Program& program_;
  Recipe& recipe_;
};

// Tries the number alone, then its parts. The first that suffices gives the simplest expressions.
bool find_given(const Program& program, const Recipe& recipe, Accesses& accesses,
                RecipeFinder& finder) {
  if (finder.try_with(accesses, {})) return true;
  const bounds::MemoryAccess* access = accesses.find_stmt(recipe.path.store);
  const auto lists = parts_of(program, accesses, *access);
  return std::ranges::any_of(lists, [&](const std::vector<NumberPart>& parts) {
    return !parts.empty() && finder.try_with(accesses, parts);
  });
}

// Statements that make a value depend on more than the element's number.
std::optional<std::string> not_plain(const Program& program, const StorePath& path) {
  for (const Stmt& s : program.stmts) {
    if (s.kind == StmtKind::atomic) return "uses atomics";
    if (s.kind == StmtKind::barrier) return "has a barrier";
    if (s.kind == StmtKind::return_) return "has a return";
  }
  for (const ir::Buffer& b : program.buffers) {
    if (!ir::is_bound(b.access)) return "has a local or private array";
  }
  const bool in_while = std::ranges::any_of(
      path.around, [&](ir::StmtId id) { return program.stmts[id].kind == StmtKind::while_; });
  if (in_while) return "stores inside a while";
  return std::nullopt;
}

}  // namespace

std::expected<Recipe, Refusal> find_recipe(const Program& program, std::uint32_t buffer,
                                           LazyAccesses& lazy, std::string_view kind) {
  const auto rule = [&](std::string_view name_of_rule) {
    return fmt::format("{}.{}", kind, name_of_rule);
  };
  const std::string name = quote(program.buffers[buffer].name);
  const std::string producer = quote(program.name);
  std::vector<StorePath> paths = find_stores(program, buffer);
  if (paths.size() != 1) {
    return refuse(rule("once"), fmt::format("{} stores {} at {} places, not at one", producer, name,
                                            paths.size()));
  }
  Recipe out;
  out.buffer = buffer;
  out.path = std::move(paths[0]);
  const Stmt& store = program.stmts[out.path.store];
  out.value = store.args[1];
  out.width = program.exprs[out.value].type.width;
  if (const auto reason = not_plain(program, out.path)) {
    return refuse(rule("plain"), fmt::format("{} {}", producer, *reason));
  }
  Accesses& accesses = lazy.get();
  const bounds::MemoryAccess* access = accesses.find_stmt(out.path.store);
  if (access == nullptr || !accesses.covers(*access)) {
    return refuse(rule("covers"), fmt::format("it is not proved that {} stores every element of {}",
                                              producer, name));
  }
  out.number = access->index;
  RecipeFinder finder(program, out);
  if (find_given(program, out, accesses, finder)) return out;
  if (finder.is_carried) {
    return refuse(
        rule("carried"),
        fmt::format("{} computes {} from values of earlier turns of a loop", producer, name));
  }
  return refuse(
      rule("index"),
      fmt::format("an element of {} depends on {} of {}, which does not follow from its index",
                  name, finder.why.empty() ? "something" : finder.why, producer));
}

}  // namespace vyre::fuse
