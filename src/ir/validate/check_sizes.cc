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

void check_u32(Context& context, const Root& root, SizeUse use) {
  check_size(context, root, use);
  const Type type = context.program.exprs[root.expr].type;
  if (!context.wrong[root.expr] && type != kU32) {
    context.report(root.place, "V062", "the size {} is {}; it must be u32", context.show(root.expr),
                   to_string(type));
  }
}

SizeUse use_of(const Context& context, const Root& root) {
  switch (root.place.part) {
    case Part::workgroup:
      return SizeUse::fixed;
    case Part::grid:
      return SizeUse::grid;
    case Part::buffer: {
      const Access access = context.program.buffers[root.place.index].access;
      const bool is_fixed = context.kind == "program" && !is_bound(access);
      return is_fixed ? SizeUse::fixed : SizeUse::length;
    }
    default:
      return SizeUse::length;
  }
}

bool is_size(const Context& context, const Root& root) {
  if (root.place.part == Part::body)
    return context.program.stmts[root.place.index].unroll == root.expr;
  return root.place.part != Part::step;
}

void check_axes(Context& context, Part part, const std::array<ExprId, 3>& axes,
                SymbolBits symbols) {
  std::uint64_t product = 1;
  for (std::uint32_t i = 0; i < 3; ++i) {
    const auto size = axes[i] == kNone ? 1 : fold(context.program, axes[i], symbols);
    if (!size) continue;  // a grid that depends on the dispatch
    if (*size == 0) {
      return context.report({part, i}, "V063", "the size {} is 0; make it at least 1",
                            context.show(axes[i]));
    }
    product *= *size;
    if (part == Part::workgroup && product > 0xffffffffU) {
      return context.report({part, i}, "V064",
                            "the workgroup has {} invocations or more; make it smaller", product);
    }
  }
}

void check_arrays(Context& context, SymbolBits symbols) {
  std::uint64_t total = 0;
  for (std::uint32_t i = 0; i < context.program.buffers.size(); ++i) {
    const Buffer& buffer = context.program.buffers[i];
    if (is_bound(buffer.access)) continue;
    const auto length = fold(context.program, buffer.length, symbols).value_or(0);
    total += length;
    if (length == 0) {
      context.report({Part::buffer, i}, "V065", "the length {} is 0; make it at least 1",
                     context.show(buffer.length));
    } else if (total > kMaxArrayElements) {
      return context.report(
          {Part::buffer, i}, "V066",
          "local and private arrays up to here have {} elements; the limit is {}, so shrink them",
          total, kMaxArrayElements);
    }
  }
}

}  // namespace

void check_size(Context& context, const Root& root, SizeUse use) {
  std::uint32_t nodes = 0;
  for_each_node(context.program.exprs, root.expr, [&](ExprId id, const Expr& e) {
    ++nodes;
    if (!allows(use, e)) {
      context.report(root.place, "V060",
                     "{} cannot be part of a size; use constants, symbols{} and "
                     "operations on them",
                     context.show(id), use == SizeUse::grid ? ", lengths" : "");
    } else if (use == SizeUse::fixed && e.op == Op::symbol &&
               context.program.symbols[e.index].kind != SymbolKind::tunable) {
      context.report(root.place, "V061",
                     "{} is known only at dispatch; use constants and tunables here",
                     context.show(id));
    }
  });
  if (nodes > Limits::kSizeNodes) {
    context.report(root.place, "V007", "the size has {} nodes; simplify it to {}", nodes,
                   Limits::kSizeNodes);
  }
}

void check_sizes(Context& context) {
  for (const Root& root : context.roots) {
    if (context.full()) return;
    if (is_size(context, root)) check_u32(context, root, use_of(context, root));
  }
}

void check_extents(Context& context) {
  const auto symbols = default_bits(context.program.symbols);
  check_arrays(context, symbols);
  check_axes(context, Part::workgroup, context.program.workgroup, symbols);
  check_axes(context, Part::grid, context.program.grid, symbols);
}

}  // namespace vyre::ir
