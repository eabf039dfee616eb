#include "ir/rewrite/expr_encoder.h"

#include <algorithm>
#include <tuple>

#include "ir/ops.h"
#include "ir/rewrite/numbering.h"

namespace vyre::ir {
namespace {

// Raise it whenever the same program gets other bytes: old decisions are then misses, not lies.
// The enumerations of program.h are written as their values, so they may only grow at their ends.
constexpr std::uint32_t kVersion = 1;

constexpr std::uint8_t kTableOpTag = 0xff;

void write_type(ByteWriter& out, Type type) {
  out.tag(type.scalar);
  out.u8(type.width);
}

struct BufferItem {
  enum class Role : std::uint8_t { bound, used, unused };
  Role role = Role::bound;
  std::uint32_t order = 0;
  std::vector<std::uint8_t> description;
  std::uint32_t index = 0;

  auto key() const { return std::tie(role, order, description); }
};

}  // namespace

ExprEncoder::ExprEncoder(const std::vector<Symbol>& symbols, const std::vector<Expr>& exprs)
    : symbols_(symbols),
      exprs_(exprs),
      symbol_numbers_(number_symbols(symbols)),
      symbol_used_(symbols.size(), false) {}

void ExprEncoder::write(ByteWriter& out, ExprId id) {
  const Expr& expr = exprs_[id];
  if (in_table(expr.op)) {
    out.u8(kTableOpTag);
    out.text(info(expr.op).name);
  } else {
    out.tag(expr.op);
  }
  write_type(out, expr.type);
  write_leaf(out, expr);
  const std::uint32_t count = operand_count(expr);
  for (std::uint32_t i = 0; i < count; ++i) write(out, expr.args[i]);
}

void ExprEncoder::write_leaf(ByteWriter& out, const Expr& expr) {
  switch (expr.op) {
    case Op::constant:
      return out.u64(expr.bits);
    case Op::symbol:
      return write_symbol(out, expr.index);
    case Op::variable:
      return write_variable(out, expr.index);
    case Op::id:
    case Op::extract:
      return out.u32(expr.index);
    case Op::length:
    case Op::load:
      return out.u32(buffer_numbers[expr.index]);
    default:
      return;
  }
}

void ExprEncoder::write_symbol(ByteWriter& out, std::uint32_t index) {
  symbol_used_[index] = true;
  out.u8(symbols_[index].kind == SymbolKind::tunable ? 1 : 0);
  out.u32(symbol_numbers_[index]);
}

void ExprEncoder::write_variable(ByteWriter& out, std::uint32_t index) const {
  const VariableRef& variable = variables[index];
  out.tag(variable.kind);
  if (variable.kind == VariableRef::Kind::in_run) {
    out.raw(variable.hash);
  } else {
    out.u32(variable.number);
  }
}

void ExprEncoder::write_optional(ByteWriter& out, ExprId expr) {
  out.u8(expr == kNone ? 0 : 1);
  if (expr != kNone) write(out, expr);
}

void ExprEncoder::write_head(ByteWriter& out, std::string_view format) {
  out.text(format);
  out.u32(kVersion);
  out.u64(symbols_.size() - tunables_by_name(symbols_).size());
  for (const Symbol& symbol : symbols_) {
    if (symbol.kind == SymbolKind::tunable) continue;
    out.tag(symbol.kind);
    out.tag(symbol.type);
  }
}

void ExprEncoder::write_buffers(ByteWriter& out, std::span<const Buffer> buffers,
                                std::span<const std::uint32_t> first_use) {
  using Role = BufferItem::Role;
  std::vector<BufferItem> items(buffers.size());
  for (std::uint32_t i = 0; i < buffers.size(); ++i) {
    ByteWriter description;
    description.tag(buffers[i].access);
    description.tag(buffers[i].element);
    if (buffers[i].opaque_bytes > 0) description.u32(buffers[i].opaque_bytes);
    write_optional(description, buffers[i].length);
    items[i] = {Role::bound, i, description.bytes(), i};
    if (is_bound(buffers[i].access)) continue;
    const bool used = first_use[i] != kNone;
    items[i].role = used ? Role::used : Role::unused;
    items[i].order = used ? first_use[i] : 0;
  }
  std::ranges::sort(items, {}, &BufferItem::key);
  out.u64(items.size());
  buffer_numbers.assign(buffers.size(), 0);
  const BufferItem* previous = nullptr;
  std::uint32_t number = 0;
  for (const BufferItem& item : items) {
    out.tag(item.role);
    out.raw(item.description);
    if (previous != nullptr && previous->key() != item.key()) ++number;
    buffer_numbers[item.index] = number;
    previous = &item;
  }
}

void ExprEncoder::write_tunables(ByteWriter& out) const {
  const auto tunables = tunables_by_name(symbols_);
  out.u64(tunables.size());
  for (const std::uint32_t i : tunables) {
    out.text(symbols_[i].name);
    out.tag(symbols_[i].type);
    out.u8(symbol_used_[i] ? 1 : 0);
    if (symbol_used_[i]) out.u64(symbols_[i].default_bits);
  }
}

}  // namespace vyre::ir
