#include "fuse/link_values.h"

#include <fmt/format.h>

#include "ir/ops.h"

namespace vyre::fuse {
namespace {

ir::ExprId append(std::vector<ir::Expr>& exprs, const ir::Expr& expr) {
  exprs.push_back(expr);
  return static_cast<ir::ExprId>(exprs.size() - 1);
}

ir::ExprId binary(std::vector<ir::Expr>& exprs, ir::Op op, ir::ExprId left, ir::ExprId right) {
  return append(exprs, {.op = op, .type = ir::kBool, .args = {left, right, ir::kNone, ir::kNone}});
}

ir::ExprId equals(std::vector<ir::Expr>& exprs, std::uint32_t symbol, Kind kind) {
  const ir::ExprId left = append(exprs, {.op = ir::Op::symbol, .type = ir::kU32, .index = symbol});
  const ir::ExprId right = append(
      exprs, {.op = ir::Op::constant, .type = ir::kU32, .bits = static_cast<std::uint64_t>(kind)});
  return binary(exprs, ir::Op::eq, left, right);
}

}  // namespace

std::vector<LinkValue> values_of(std::span<const Link> links, std::uint32_t first,
                                 std::uint32_t last, std::span<const Kind> kinds) {
  std::vector<LinkValue> out;
  const auto add = [&](std::uint32_t link, Kind kind) {
    if (link < links.size() && !links[link].tunable.empty()) out.push_back({link, kind});
  };
  if (first > 0) add(first - 1, Kind::none);
  for (std::uint32_t link = first; link < last; ++link) add(link, kinds[link - first]);
  add(last, Kind::none);
  return out;
}

std::string in_python(std::span<const Link> links, std::span<const LinkValue> values) {
  std::string out;
  for (const LinkValue& value : values) {
    out += fmt::format("{}{} == {}", out.empty() ? "" : " and ", links[value.link].tunable,
                       static_cast<unsigned>(value.kind));
  }
  return out.empty() ? "True" : out;
}

ir::ExprId all_of(std::vector<ir::Expr>& exprs, std::span<const std::uint32_t> symbols,
                  std::span<const LinkValue> values) {
  ir::ExprId out = ir::kNone;
  for (const LinkValue& value : values) {
    const ir::ExprId one = equals(exprs, symbols[value.link], value.kind);
    out = out == ir::kNone ? one : binary(exprs, ir::Op::and_, out, one);
  }
  return out;
}

ir::ExprId none_of(std::vector<ir::Expr>& exprs, std::span<const std::uint32_t> symbols,
                   std::span<const std::vector<LinkValue>> conditions) {
  ir::ExprId any = ir::kNone;
  for (const std::vector<LinkValue>& condition : conditions) {
    const ir::ExprId one = all_of(exprs, symbols, condition);
    any = any == ir::kNone ? one : binary(exprs, ir::Op::or_, any, one);
  }
  if (any == ir::kNone) return any;
  return append(
      exprs,
      {.op = ir::Op::not_, .type = ir::kBool, .args = {any, ir::kNone, ir::kNone, ir::kNone}});
}

}  // namespace vyre::fuse
