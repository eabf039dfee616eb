#include "emit/c_like/text.h"

#include <optional>

namespace vyre::emit {
namespace {

// What an operator is, and how tightly its operands must hold to stand bare. Shifts and bit
// operations keep the parentheses of their operands: few readers know those levels by heart.
struct Operator {
  std::string_view text;
  Binding binding;
  Binding left;
  Binding right;
};

constexpr Operator kOperators[] = {
    {" + ", Binding::sum, Binding::sum, Binding::product},
    {" - ", Binding::sum, Binding::sum, Binding::product},
    {" * ", Binding::product, Binding::product, Binding::unary},
    {" / ", Binding::product, Binding::product, Binding::unary},
    {" % ", Binding::product, Binding::product, Binding::unary},
    {" << ", Binding::shift, Binding::unary, Binding::unary},
    {" >> ", Binding::shift, Binding::unary, Binding::unary},
    {" < ", Binding::order, Binding::sum, Binding::sum},
    {" <= ", Binding::order, Binding::sum, Binding::sum},
    {" > ", Binding::order, Binding::sum, Binding::sum},
    {" >= ", Binding::order, Binding::sum, Binding::sum},
    {" == ", Binding::equality, Binding::sum, Binding::sum},
    {" != ", Binding::equality, Binding::sum, Binding::sum},
    {" & ", Binding::bits, Binding::unary, Binding::unary},
    {" ^ ", Binding::bits, Binding::unary, Binding::unary},
    {" | ", Binding::bits, Binding::unary, Binding::unary},
};

// The operator of "($0 + $1)"; null if the pattern is no such thing.
const Operator* infix(std::string_view pattern) {
  if (!pattern.starts_with("($0 ") || !pattern.ends_with(" $1)")) return nullptr;
  const std::string_view between = pattern.substr(3, pattern.size() - 6);
  for (const Operator& o : kOperators) {
    if (o.text == between) return &o;
  }
  return nullptr;
}

// The operator of "(-$0)".
std::optional<char> prefix(std::string_view pattern) {
  if (pattern.size() != 5 || !pattern.starts_with('(') || !pattern.ends_with("$0)")) return {};
  return pattern[1];
}

std::string fill(std::string_view pattern, std::span<const Text> operands,
                 std::string_view suffix) {
  std::string out;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    if (pattern[i] != '$' || i + 1 == pattern.size()) {
      out += pattern[i];
      continue;
    }
    const char what = pattern[++i];
    if (what == 'T')
      out += suffix;
    else
      out += operands[static_cast<std::size_t>(what - '0')].text;
  }
  return out;
}

}  // namespace

std::string operand(const Text& piece, Binding binding) {
  return piece.binding >= binding ? piece.text : "(" + piece.text + ")";
}

Text spell(std::string_view pattern, std::span<const Text> operands, std::string_view suffix) {
  if (const Operator* o = infix(pattern)) {
    return {operand(operands[0], o->left) + std::string(o->text) + operand(operands[1], o->right),
            o->binding};
  }
  if (const auto sign = prefix(pattern)) {
    return {*sign + operand(operands[0], Binding::primary), Binding::unary};
  }
  return {fill(pattern, operands, suffix), Binding::primary};
}

Text cast_to(std::string_view type, const Text& piece) {
  return {"(" + std::string(type) + ")" + operand(piece, Binding::unary), Binding::unary};
}

void Lines::line(std::string_view text) {
  lines_.append(std::size_t{level} * 2, ' ');
  lines_ += text;
  lines_ += '\n';
}

void Lines::open(std::string_view text) {
  line(std::string(text) + (text.empty() ? "{" : " {"));
  ++level;
}

void Lines::reopen(std::string_view text) {
  --level;
  open("} " + std::string(text));
}

void Lines::close() {
  --level;
  line("}");
}

void Lines::unindented(std::string_view text) {
  lines_ += text;
  lines_ += '\n';
}

}  // namespace vyre::emit
