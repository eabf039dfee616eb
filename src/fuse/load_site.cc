#include "fuse/load_site.h"

#include <algorithm>

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

// A load that is made at most once for each element of a buffer that is not longer, times the turns
// of loops that only the load is in.
std::optional<std::uint64_t> loads_at(const ir::Program& program, std::uint32_t buffer,
                                      const MemoryAccess& load, Accesses& accesses) {
  if (accesses.is_injective(load)) return 1;
  for (const MemoryAccess& store : accesses.all()) {
    if (store.kind != bounds::AccessKind::store ||
        !ir::is_bound(program.buffers[store.buffer].access)) {
      continue;
    }
    const bool is_shorter =
        accesses.holds(store.place, accesses.length(buffer) - accesses.length(store.buffer));
    if (!is_shorter || !accesses.is_injective(store)) continue;
    const auto around_store = accesses.loops(store.place);
    std::uint64_t product = 1;
    for (const ir::StmtId loop : accesses.loops(load.place)) {
      if (std::ranges::find(around_store, loop) != around_store.end()) continue;
      const auto turns = turns_of(program, program.stmts[loop]);
      if (!turns || *turns > 1'000'000) return std::nullopt;
      product = std::min<std::uint64_t>(product * *turns, 1'000'000);
    }
    return product;
  }
  return std::nullopt;
}

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
  std::uint64_t sum = 0;
  for (const LoadSite& site : sites) {
    if (site.access == nullptr) continue;
    const auto loads = loads_at(consumer, buffer, *site.access, accesses);
    if (!loads) return std::nullopt;
    sum += *loads;
  }
  return sum;
}

bool visits_each_once(const LoadSite& site, Accesses& accesses) {
  return site.access != nullptr && !site.is_in_arm && accesses.covers(*site.access) &&
         accesses.is_injective(*site.access);
}

}  // namespace vyre::fuse
