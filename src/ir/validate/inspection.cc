#include "ir/validate/inspection.h"

#include <algorithm>

#include "base/text.h"
#include "ir/ops.h"

namespace vyre::ir {

Inspection::Inspection(const Program& of, std::string_view kind_of, std::span<const Root> extra)
    : program(of), kind(kind_of), wrong(of.exprs.size(), false) {
  order_stmts();
  find_roots(extra);
  find_owners();
}

void Inspection::order_stmts() {
  parents.assign(program.stmts.size(), kNone);
  positions_.assign(program.stmts.size(), 0);
  std::vector<StmtId> open(program.body.rbegin(), program.body.rend());
  while (!open.empty()) {
    const StmtId id = open.back();
    open.pop_back();
    positions_[id] = static_cast<std::uint32_t>(stmts.size());
    stmts.push_back(id);
    const Stmt& stmt = program.stmts[id];
    for (const Block* block : {&stmt.otherwise, &stmt.body}) {
      for (const StmtId child : *block) parents[child] = id;
      open.insert(open.end(), block->rbegin(), block->rend());
    }
  }
}

void Inspection::find_roots(std::span<const Root> extra) {
  const auto add = [&](ExprId expr, Part part, std::size_t index) {
    if (expr != kNone) roots.push_back({expr, {part, static_cast<std::uint32_t>(index)}});
  };
  for (std::size_t i = 0; i < program.buffers.size(); ++i) {
    add(program.buffers[i].length, Part::buffer, i);
  }
  for (std::size_t i = 0; i < 3; ++i) add(program.workgroup[i], Part::workgroup, i);
  for (std::size_t i = 0; i < 3; ++i) add(program.grid[i], Part::grid, i);
  for (const StmtId id : stmts) {
    for (const ExprId arg : program.stmts[id].args) add(arg, Part::body, id);
    add(program.stmts[id].unroll, Part::body, id);
  }
  roots.insert(roots.end(), extra.begin(), extra.end());
}

void Inspection::find_owners() {
  owners.resize(program.exprs.size());
  for (const Root& root : roots) owners[root.expr] = root.place;
  for (std::size_t i = program.exprs.size(); i-- > 0;) {
    for (const ExprId arg : program.exprs[i].args) {
      if (arg != kNone) owners[arg] = owners[i];
    }
  }
  exprs.resize(program.exprs.size());
  for (std::size_t i = 0; i < exprs.size(); ++i) exprs[i] = static_cast<ExprId>(i);
  std::ranges::sort(exprs, {}, [&](ExprId id) { return std::pair(order(owners[id]), id); });
}

std::uint64_t Inspection::order(Place place) const {
  const std::uint32_t index = place.part == Part::body ? positions_[place.index] : place.index;
  return (static_cast<std::uint64_t>(place.part) << 32) | index;
}

std::string Inspection::show(ExprId expr) const { return quote(print_expr(program, expr)); }

std::string Inspection::name(Place place) const {
  switch (place.part) {
    case Part::symbol: {
      const Symbol& symbol = program.symbols[place.index];
      return fmt::format(", {} {}", name_of(symbol.kind), quote(symbol.name));
    }
    case Part::buffer:
      return fmt::format(", buffer {}", quote(program.buffers[place.index].name));
    case Part::workgroup:
      return fmt::format(", workgroup axis {}", place.index);
    case Part::grid:
      return fmt::format(", grid axis {}", place.index);
    case Part::body:
      return fmt::format(", statement {}", quote(print_stmt(program, place.index)));
    case Part::step:
      return fmt::format(", step {}", place.index);
    case Part::repeat:
      return ", repeat";
    case Part::whole:
      break;
  }
  return "";
}

void Inspection::put(Place place, std::string_view code, std::string text) {
  ++in_pass_;
  auto message = fmt::format("{} {}{}: {}", kind, quote(program.name), name(place), text);
  found_.push_back(
      {order(place), Error{ErrorKind::rejected, std::string(code), std::move(message)}});
}

std::string spelled(Type type) {
  if (type.width == 1) return std::string(name_of(type.scalar));
  return fmt::format("{}x{}", name_of(type.scalar), type.width);
}

std::vector<Error> Inspection::take() {
  std::vector<std::size_t> by_place(found_.size());
  for (std::size_t i = 0; i < by_place.size(); ++i) by_place[i] = i;
  std::ranges::sort(by_place, {}, [&](std::size_t i) { return std::pair(found_[i].order, i); });
  std::vector<Error> out;
  for (std::size_t i = 0; i < std::min(by_place.size(), kMaxFindings); ++i) {
    out.push_back(std::move(found_[by_place[i]].error));
  }
  found_.clear();
  return out;
}

}  // namespace vyre::ir
