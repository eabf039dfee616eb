#include "problems/size_bounds.h"

#include <algorithm>
#include <limits>

namespace vyre {
namespace {

using space::detail::Node;
using space::detail::NodeKind;
using space::detail::Operator;
using Bound = std::optional<std::int64_t>;

// Far from overflow: sums and differences of two bounds still fit.
constexpr std::int64_t kFar = std::int64_t{1} << 40;

Bound near(std::int64_t bound) { return bound < -kFar ? Bound() : std::min(bound, kFar); }

Bound least_of_names(const SizeName& name, const Node& call) {
  std::vector<std::int64_t> values;
  for (const Value& value : name.values) values.push_back(whole(value).value_or(-kFar));
  return near(call.name == "min" ? std::ranges::min(values) : std::ranges::max(values));
}

Bound least_of_binary(const Node& node, Bound a, Bound b) {
  const bool none_negative = a.value_or(-1) >= 0 && b.value_or(-1) >= 0;
  switch (node.operators[0]) {
    case Operator::add:
      return a && b ? near(*a + *b) : Bound();
    case Operator::subtract: {
      // Only a constant has a known upper bound: itself.
      const Node& right = *node.children[1];
      const Bound most = right.kind == NodeKind::constant ? whole(right.value) : Bound();
      return a && most && *most < kFar ? near(*a - *most) : Bound();
    }
    case Operator::multiply:
      if (!none_negative) return {};
      return *a > 0 && *b > kFar / *a ? kFar : near(*a * *b);
    case Operator::modulo:
      return b.value_or(-1) >= 0 ? Bound(0) : Bound();
    default:
      return none_negative ? Bound(0) : Bound();
  }
}

Bound least_of_all(const Node& node, const SizeNames& names) {
  Bound out;
  for (const auto& child : node.children) {
    const Bound one = least_of(*child, names);
    if (!one) return {};
    out = out ? std::min(*out, *one) : *one;
  }
  return out;
}

bool is_plain_operator(Operator op) {
  return op == Operator::add || op == Operator::subtract || op == Operator::multiply ||
         op == Operator::floor_divide || op == Operator::modulo;
}

}  // namespace

std::optional<std::int64_t> whole(const Value& value) {
  if (const auto* b = std::get_if<bool>(&value)) return *b ? 1 : 0;
  if (const auto* i = std::get_if<std::int64_t>(&value)) return *i;
  return std::nullopt;
}

const SizeName* list_of(const Node& node, const SizeNames& names) {
  if (node.kind != NodeKind::call || node.children.size() != 1) return nullptr;
  if (node.name != "max" && node.name != "min") return nullptr;
  const Node& argument = *node.children[0];
  const auto it = names.find(argument.name);
  if (argument.kind != NodeKind::name || it == names.end()) return nullptr;
  return it->second.values.empty() ? nullptr : &it->second;
}

Bound least_of(const Node& node, const SizeNames& names) {
  if (const SizeName* list = list_of(node, names)) return least_of_names(*list, node);
  switch (node.kind) {
    case NodeKind::constant: {
      const Bound value = whole(node.value);
      return value ? near(*value) : Bound();
    }
    case NodeKind::name: {
      const auto it = names.find(node.name);
      return it == names.end() ? Bound(0) : near(it->second.least);
    }
    case NodeKind::unary:
      return node.operators[0] == Operator::plus ? least_of(*node.children[0], names) : Bound();
    case NodeKind::binary:
      return least_of_binary(node, least_of(*node.children[0], names),
                             least_of(*node.children[1], names));
    case NodeKind::comparison:
    case NodeKind::negation:
      return 0;
    case NodeKind::call:
      return node.name == "abs" ? Bound(0) : least_of_all(node, names);
    default:
      return least_of_all(node, names);
  }
}

bool is_plain(const Node& node, const SizeNames& names) {
  if (least_of(node, names).value_or(-1) < 0) return false;
  if (list_of(node, names) != nullptr) return true;
  switch (node.kind) {
    case NodeKind::constant:
      return *whole(node.value) <= std::numeric_limits<std::uint32_t>::max();
    case NodeKind::name: {
      const auto it = names.find(node.name);
      return it != names.end() && it->second.type == ir::u32;
    }
    case NodeKind::binary:
      if (!is_plain_operator(node.operators[0])) return false;
      break;
    case NodeKind::call:
      if (node.name != "min" && node.name != "max") return false;
      break;
    default:
      return false;
  }
  return std::ranges::all_of(node.children, [&](const auto& c) { return is_plain(*c, names); });
}

}  // namespace vyre
