#include "problems/size_expression.h"

#include <algorithm>
#include <optional>

#include "base/error.h"
#include "base/text.h"
#include "problems/size_bounds.h"
#include "space/python/parser.h"
#include "vyre/space.h"

namespace vyre {
namespace {

using ir::i64;
using ir::u32;
using space::detail::Node;
using space::detail::NodeKind;
using space::detail::Operator;
using Sized = Expected<ir::Value>;

constexpr std::size_t kMostNesting = 32;
constexpr std::int64_t kMostExponent = 8;

class Translator {
 public:
  Translator(ir::Builder& b, std::string_view text, const SizeNames& names)
      : b_(b), text_(text), names_(names) {}

  Sized run() {
    auto tree = space::detail::parse(text_, kMostNesting);
    if (!tree) return bad_inputs("{}: {}", quote(text_), tree.error().problem);
    const Node& root = **tree;
    type_ = is_plain(root) ? u32 : i64;
    VYRE_TRY(const ir::Value value, value_of(root));
    return type_ == u32 ? value : cast(u32, value);
  }

 private:
  template <class... Args>
  std::unexpected<Error> fault(const Node& node, fmt::format_string<Args...> why,
                               Args&&... args) const {
    const std::string_view piece = text_.substr(node.where.offset, node.where.length);
    return bad_inputs("{}: {} {}", quote(text_), quote(piece),
                      fmt::format(why, std::forward<Args>(args)...));
  }

  bool is_plain(const Node& node) const { return vyre::is_plain(node, names_); }
  bool is_not_negative(const Node& node) const { return least_of(node, names_).value_or(-1) >= 0; }

  ir::Value number(std::int64_t value) const { return b_.constant(type_, value); }

  Sized value_of(const Node& node) {
    switch (node.kind) {
      case NodeKind::constant:
        return constant(node);
      case NodeKind::name:
        return name(node);
      case NodeKind::unary:
        return unary(node);
      case NodeKind::binary:
        return binary(node);
      case NodeKind::conjunction:
      case NodeKind::disjunction:
        return joined(node);
      case NodeKind::comparison:
      case NodeKind::negation: {
        VYRE_TRY(const ir::Value condition, truth_of(node));
        return select(condition, number(1), number(0));
      }
      case NodeKind::conditional:
        return conditional(node);
      case NodeKind::call:
        return call(node);
      default:
        return fault(node, "is a list, which is no size; write a number");
    }
  }

  Sized constant(const Node& node) const {
    const auto value = whole(node.value);
    if (value) return number(*value);
    const bool is_text = std::holds_alternative<std::string>(node.value);
    return fault(node, "is {}, which is no size; write a whole number",
                 is_text ? "a text" : "a fraction");
  }

  Sized name(const Node& node) const {
    const auto it = names_.find(node.name);
    if (it == names_.end()) {
      std::vector<std::string> known;
      for (const auto& entry : names_) known.push_back(entry.first);
      return fault(node, "is no parameter and no problem size{}", did_you_mean(node.name, known));
    }
    const SizeName& found = it->second;
    if (!found.why_not.empty()) return fault(node, "{}", found.why_not);
    return found.type == type_ ? found.value : cast(type_, found.value);
  }

  Sized unary(const Node& node) {
    VYRE_TRY(const ir::Value a, value_of(*node.children[0]));
    if (node.operators[0] == Operator::negate) return -a;
    return node.operators[0] == Operator::invert ? ~a : a;
  }

  Sized binary(const Node& node) {
    const Operator op = node.operators[0];
    const Node& right = *node.children[1];
    if (op == Operator::divide) {
      return fault(node, "divides with \"/\", which gives a fraction; write \"//\"");
    }
    if (op == Operator::power) return power(node);
    if (op == Operator::floor_divide || op == Operator::modulo) return divided(node);
    VYRE_TRY(const ir::Value a, value_of(*node.children[0]));
    VYRE_TRY(const ir::Value c, value_of(right));
    switch (op) {
      case Operator::add:
        return a + c;
      case Operator::subtract:
        return a - c;
      case Operator::multiply:
        return a * c;
      case Operator::bit_and:
        return a & c;
      case Operator::bit_or:
        return a | c;
      case Operator::bit_xor:
        return a ^ c;
      case Operator::shift_left:
        return a << cast(u32, c);
      case Operator::shift_right:
        return a >> cast(u32, c);
      default:
        return fault(node, "uses an operator that sizes do not have");
    }
  }

  // The language truncates, Python floors: the same unless the left side is negative.
  Sized divided(const Node& node) {
    const Node& left = *node.children[0];
    const Node& right = *node.children[1];
    if (!is_not_negative(right)) {
      return fault(node, "divides by what may be negative; divide by something above 0");
    }
    const bool wants_quotient = node.operators[0] == Operator::floor_divide;
    VYRE_TRY(const ir::Value a, value_of(left));
    VYRE_TRY(const ir::Value c, value_of(right));
    if (is_not_negative(left)) return wants_quotient ? a / c : a % c;
    if (wants_quotient) return select(a < 0, -((c - a - 1) / c), a / c);
    return ((a % c) + c) % c;
  }

  Sized power(const Node& node) {
    const Node& base = *node.children[0];
    const Node& exponent = *node.children[1];
    if (base.kind == NodeKind::constant && whole(base.value) == 2 && is_not_negative(exponent)) {
      VYRE_TRY(const ir::Value by, value_of(exponent));
      return number(1) << cast(u32, by);
    }
    const auto times = exponent.kind == NodeKind::constant ? whole(exponent.value) : std::nullopt;
    if (!times || *times < 0 || *times > kMostExponent) {
      return fault(node, "is a power that sizes do not have; write 2**x, or x**0 to x**{}",
                   kMostExponent);
    }
    ir::Value out = number(1);
    for (std::int64_t k = 0; k < *times; ++k) {
      VYRE_TRY(const ir::Value factor, value_of(base));
      out = k == 0 ? factor : out * factor;
    }
    return out;
  }

  // `a and b` is b if a is true, else a.
  Sized joined(const Node& node) {
    VYRE_TRY(ir::Value out, value_of(*node.children.back()));
    for (std::size_t k = node.children.size() - 1; k-- > 0;) {
      VYRE_TRY(const ir::Value condition, truth_of(*node.children[k]));
      VYRE_TRY(const ir::Value before, value_of(*node.children[k]));
      out = node.kind == NodeKind::conjunction ? select(condition, out, before)
                                               : select(condition, before, out);
    }
    return out;
  }

  Sized conditional(const Node& node) {
    VYRE_TRY(const ir::Value condition, truth_of(*node.children[0]));
    VYRE_TRY(const ir::Value then, value_of(*node.children[1]));
    VYRE_TRY(const ir::Value otherwise, value_of(*node.children[2]));
    return select(condition, then, otherwise);
  }

  Sized call(const Node& node) {
    if (const SizeName* list = list_of(node, names_)) return extreme(node, *list);
    if (node.children.empty() ||
        (node.name != "min" && node.name != "max" && node.name != "abs" && node.name != "int")) {
      return fault(node, "is a call that sizes do not have; use min, max, abs or int");
    }
    VYRE_TRY(ir::Value out, argument(node));
    if (node.name == "abs") return abs(out);
    for (std::size_t k = 1; k < node.children.size(); ++k) {
      VYRE_TRY(const ir::Value next, value_of(*node.children[k]));
      out = node.name == "min" ? min(out, next) : max(out, next);
    }
    return out;
  }

  // int(a / b) is a quotient where nothing is negative.
  Sized argument(const Node& node) {
    const Node& first = *node.children[0];
    const bool is_fraction = node.name == "int" && first.kind == NodeKind::binary &&
                             first.operators[0] == Operator::divide;
    if (!is_fraction) return value_of(first);
    if (!is_not_negative(*first.children[0]) || !is_not_negative(*first.children[1])) {
      return value_of(first);
    }
    VYRE_TRY(const ir::Value a, value_of(*first.children[0]));
    VYRE_TRY(const ir::Value c, value_of(*first.children[1]));
    return a / c;
  }

  Sized extreme(const Node& node, const SizeName& list) const {
    std::vector<std::int64_t> values;
    for (const Value& value : list.values) {
      const auto one = whole(value);
      if (!one) return fault(node, "is over values that are not whole numbers");
      values.push_back(*one);
    }
    return number(node.name == "min" ? std::ranges::min(values) : std::ranges::max(values));
  }

  Sized truth_of(const Node& node) {
    if (node.kind == NodeKind::comparison) return compared(node);
    if (node.kind == NodeKind::negation) {
      VYRE_TRY(const ir::Value a, truth_of(*node.children[0]));
      return !a;
    }
    VYRE_TRY(const ir::Value value, value_of(node));
    return value != 0;
  }

  Sized compared(const Node& node) {
    ir::Value out;
    for (std::size_t k = 0; k < node.operators.size(); ++k) {
      VYRE_TRY(const ir::Value a, value_of(*node.children[k]));
      VYRE_TRY(const ir::Value c, value_of(*node.children[k + 1]));
      VYRE_TRY(const ir::Value one, compared(node, node.operators[k], a, c));
      out = k == 0 ? one : out && one;
    }
    return out;
  }

  Sized compared(const Node& node, Operator op, const ir::Value& a, const ir::Value& c) const {
    switch (op) {
      case Operator::less:
        return a < c;
      case Operator::less_equal:
        return a <= c;
      case Operator::greater:
        return a > c;
      case Operator::greater_equal:
        return a >= c;
      case Operator::equal:
        return a == c;
      case Operator::not_equal:
        return a != c;
      default:
        return fault(node, "uses an operator that sizes do not have");
    }
  }

  ir::Builder& b_;
  std::string_view text_;
  const SizeNames& names_;
  ir::Scalar type_ = u32;
};

}  // namespace

Expected<ir::Value> to_size(ir::Builder& b, std::string_view text, const SizeNames& names) {
  return Translator(b, text, names).run();
}

}  // namespace vyre
