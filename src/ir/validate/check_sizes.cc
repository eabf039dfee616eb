#include "ir/validate/check_sizes.h"

#include "base/text.h"
#include "ir/ops.h"
#include "ir/rewrite/fold.h"

namespace vyre::ir {
namespace {

constexpr std::uint64_t kMaxArrayElements = std::uint64_t{1} << 24;

bool allows(SizeUse use, const Expr& e) {
  switch (e.op) {
    case Op::variable:
    case Op::id:
    case Op::load:
    case Op::vector:
    case Op::extract:
      return false;
    case Op::length:
      return use == SizeUse::grid;
    default:
      return true;
  }
}

void check_u32(Inspection& inspection, const Root& root, SizeUse use) {
  check_size(inspection, root, use);
  const Type type = inspection.program.exprs[root.expr].type;
  if (!inspection.wrong[root.expr] && type != kU32) {
    inspection.report(root.place, "V062", "the size {} is {}; it must be u32",
                      inspection.show(root.expr), to_string(type));
  }
}

SizeUse use_of(const Inspection& inspection, const Root& root) {
  switch (root.place.part) {
    case Part::workgroup:
      return SizeUse::fixed;
    case Part::grid:
      return SizeUse::grid;
    case Part::buffer: {
      const Access access = inspection.program.buffers[root.place.index].access;
      const bool is_fixed = inspection.kind == "program" && !is_bound(access);
      return is_fixed ? SizeUse::fixed : SizeUse::length;
    }
    default:
      return SizeUse::length;
  }
}

bool is_size(const Inspection& inspection, const Root& root) {
  if (root.place.part == Part::body)
    return inspection.program.stmts[root.place.index].unroll == root.expr;
  return root.place.part != Part::step;
}

void check_axes(Inspection& inspection, Part part, const std::array<ExprId, 3>& axes,
                SymbolBits symbols) {
  std::uint64_t product = 1;
  for (std::uint32_t i = 0; i < 3; ++i) {
    const auto size = axes[i] == kNone ? 1 : fold(inspection.program, axes[i], symbols);
    if (!size) continue;  // a grid that depends on the dispatch
    if (*size == 0) {
      return inspection.report({part, i}, "V063", "the size {} is 0; make it at least 1",
                               inspection.show(axes[i]));
    }
    product *= *size;
    if (part == Part::workgroup && product > 0xffffffffU) {
      return inspection.report(
          {part, i}, "V064", "the workgroup has {} invocations or more; make it smaller", product);
    }
  }
}

void check_arrays(Inspection& inspection, SymbolBits symbols) {
  std::uint64_t total = 0;
  for (std::uint32_t i = 0; i < inspection.program.buffers.size(); ++i) {
    const Buffer& buffer = inspection.program.buffers[i];
    if (is_bound(buffer.access)) continue;
    const auto length = fold(inspection.program, buffer.length, symbols).value_or(0);
    total += length;
    if (length == 0) {
      inspection.report({Part::buffer, i}, "V065", "the length {} is 0; make it at least 1",
                        inspection.show(buffer.length));
    } else if (total > kMaxArrayElements) {
      return inspection.report(
          {Part::buffer, i}, "V066",
          "local and private arrays up to here have {} elements; the limit is {}, so shrink them",
          total, kMaxArrayElements);
    }
  }
}

}  // namespace

void check_size(Inspection& inspection, const Root& root, SizeUse use) {
  std::uint32_t nodes = 0;
  for_each_node(inspection.program.exprs, root.expr, [&](ExprId id, const Expr& e) {
    ++nodes;
    if (!allows(use, e)) {
      inspection.report(root.place, "V060",
                        "{} cannot be part of a size; use constants, symbols{} and "
                        "operations on them",
                        inspection.show(id), use == SizeUse::grid ? ", lengths" : "");
    } else if (use == SizeUse::fixed && e.op == Op::symbol &&
               inspection.program.symbols[e.index].kind != SymbolKind::tunable) {
      inspection.report(root.place, "V061",
                        "{} is known only at dispatch; use constants and tunables here",
                        inspection.show(id));
    }
  });
  if (nodes > Limits::kSizeNodes) {
    inspection.report(root.place, "V007", "the size has {} nodes; simplify it to {}", nodes,
                      Limits::kSizeNodes);
  }
}

void check_sizes(Inspection& inspection) {
  for (const Root& root : inspection.roots) {
    if (inspection.full()) return;
    if (is_size(inspection, root)) check_u32(inspection, root, use_of(inspection, root));
  }
}

void check_extents(Inspection& inspection) {
  const auto symbols = default_bits(inspection.program.symbols);
  check_arrays(inspection, symbols);
  check_axes(inspection, Part::workgroup, inspection.program.workgroup, symbols);
  check_axes(inspection, Part::grid, inspection.program.grid, symbols);
}

}  // namespace vyre::ir
