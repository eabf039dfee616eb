#include "fuse/load_site.h"

#include <algorithm>

#include "bounds/exclusive.h"
#include "ir/ops.h"
#include "ir/rewrite/fold.h"
#include "ir/structure.h"

namespace vyre::fuse {
namespace {

using bounds::Accesses;
using bounds::MemoryAccess;
using ir::ExprId;
using ir::kNone;
using ir::Op;

// By expression: whether it lies in a value that a `select` may not choose. Children have lower
// ids, so a pass from the top sees parents first.
std::vector<bool> in_arms(const ir::Program& program) {
  std::vector<bool> out(program.exprs.size(), false);
  for (std::size_t k = out.size(); k-- > 0;) {
    const ir::Expr& e = program.exprs[k];
    const auto operands = ir::operands(e);
    for (std::size_t i = 0; i < operands.size(); ++i) {
      out[operands[i]] = out[k] || (e.op == Op::select && i > 0);
    }
  }
  return out;
}

// The turns of a `for` with the tunables at their defaults.
std::optional<std::uint64_t> turns_of(const ir::Program& program, const ir::Stmt& loop) {
  const auto known = ir::default_bits(program.symbols);
  const auto begin = ir::fold(program, loop.args[0], known);
  const auto end = ir::fold(program, loop.args[1], known);
  const auto step = ir::fold(program, loop.args[2], known);
  if (!begin || !end || !step || *step == 0) return std::nullopt;
  if (*end <= *begin) return 0;
  return (*end - *begin - 1) / *step + 1;
}

// A store that is made at most once for each element of a buffer that is not longer than `buffer`.
const MemoryAccess* find_bounding_store(const ir::Program& program, std::uint32_t buffer,
                                        Accesses& accesses) {
  const auto it = std::ranges::find_if(accesses.all(), [&](const MemoryAccess& store) {
    return store.kind == bounds::AccessKind::store &&
           ir::is_bound(program.buffers[store.buffer].access) &&
           accesses.holds(store.place, accesses.length(buffer) - accesses.length(store.buffer)) &&
           accesses.is_injective(store);
  });
  return it == accesses.all().end() ? nullptr : &*it;
}

// Adds up the loads of all sites, statement by statement.
class LoadCount {
 public:
  LoadCount(const ir::Program& program, std::uint32_t buffer, const std::vector<LoadSite>& sites,
            Accesses& accesses)
      : program_(program), buffer_(buffer), sites_(sites), accesses_(accesses) {}

  std::uint64_t of(const ir::Block& block) {
    std::uint64_t sum = 0;
    for (const ir::StmtId id : block) {
      const ir::Stmt& s = program_.stmts[id];
      for (const LoadSite& site : sites_) {
        if (site.access != nullptr && site.access->stmt == id) sum += at(*site.access);
      }
      sum += std::max(of(s.body), of(s.otherwise));
    }
    return sum;
  }

  bool is_known = true;

 private:
  std::uint64_t at(const MemoryAccess& load) {
    if (!is_known) return 0;
    const auto loads = by_store(load);
    if (loads && *loads <= 1) return *loads;
    if (accesses_.is_injective(load)) return 1;
    if (accesses_.is_injective(bounds::without_min(accesses_, load))) return 1;
    is_known = loads.has_value();
    return loads.value_or(0);
  }

  // The load is made for each element that the store writes, times the turns of loops that only the
  // load is in.
  std::optional<std::uint64_t> by_store(const MemoryAccess& load) {
    if (!store_) store_ = find_bounding_store(program_, buffer_, accesses_);
    if (*store_ == nullptr) return std::nullopt;
    const auto around_store = accesses_.loops((*store_)->place);
    std::uint64_t product = 1;
    for (const ir::StmtId loop : accesses_.loops(load.place)) {
      if (std::ranges::find(around_store, loop) != around_store.end()) continue;
      const auto turns = turns_of(program_, program_.stmts[loop]);
      if (!turns || *turns > 1'000'000) return std::nullopt;
      product = std::min<std::uint64_t>(product * *turns, 1'000'000);
    }
    return product;
  }

  const ir::Program& program_;
  std::uint32_t buffer_;
  const std::vector<LoadSite>& sites_;
  Accesses& accesses_;
  std::optional<const MemoryAccess*> store_;  // none: it was not looked for yet
};

bool visits_each_once(Accesses& accesses, const MemoryAccess& access) {
  return accesses.covers(access) && accesses.is_injective(access);
}

// Whether proofs about the access are proofs about its loads.
bool is_counted(const LoadSite& site) { return site.access != nullptr && !site.is_in_arm; }

}  // namespace

std::vector<LoadSite> find_sites(const ir::Program& consumer, std::uint32_t buffer,
                                 Accesses& accesses) {
  std::vector<LoadSite> out;
  const std::vector<bool> arms = in_arms(consumer);
  for (ExprId id = 0; id < consumer.exprs.size(); ++id) {
    const ir::Expr& e = consumer.exprs[id];
    if (e.op != Op::load || e.index != buffer) continue;
    LoadSite site{.load = id, .access = accesses.find_load(id), .is_in_arm = arms[id]};
    site.is_inside = site.access != nullptr && accesses.is_inside(*site.access);
    out.push_back(site);
  }
  for (LoadSite& site : out) {
    if (site.access == nullptr || !site.access->index.is_known()) continue;
    site.is_shared = std::ranges::any_of(out, [&](const LoadSite& other) {
      return other.load != site.load && other.access != nullptr &&
             other.access->width == site.access->width && other.access->index.is_known() &&
             other.access->index == site.access->index;
    });
  }
  return out;
}

std::optional<std::uint64_t> loads_per_element(const ir::Program& consumer, std::uint32_t buffer,
                                               const std::vector<LoadSite>& sites,
                                               Accesses& accesses) {
  LoadCount count(consumer, buffer, sites, accesses);
  const std::uint64_t sum = count.of(consumer.body);
  return count.is_known ? std::optional(sum) : std::nullopt;
}

std::vector<ExprId> visiting_loads(const ir::Program& consumer, const std::vector<LoadSite>& sites,
                                   Accesses& accesses) {
  for (const LoadSite& site : sites) {
    if (!is_counted(site)) continue;
    if (visits_each_once(accesses, *site.access)) return {site.load};
    if (visits_each_once(accesses, without_min(accesses, *site.access))) return {site.load};
  }
  for (std::size_t i = 0; i < sites.size(); ++i) {
    for (std::size_t k = i + 1; k < sites.size(); ++k) {
      if (!is_counted(sites[i]) || !is_counted(sites[k])) continue;
      const auto both = united(consumer, accesses, *sites[i].access, *sites[k].access);
      if (!both || !visits_each_once(accesses, without_min(accesses, *both))) continue;
      return {sites[i].load, sites[k].load};
    }
  }
  return {};
}

}  // namespace vyre::fuse
