#include "emit/c_like/spelling.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <optional>
#include <vector>

namespace vyre::emit {
namespace {

constexpr std::size_t kLineBytes = 80;

// An operator, and how tightly its operands must hold to need no parentheses. Operands of shifts
// and of bit operations keep their parentheses: few readers know those levels by heart.
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
    {" && ", Binding::bits, Binding::unary, Binding::unary},
    {" || ", Binding::bits, Binding::unary, Binding::unary},
};

// The operator of "($0 + $1)"; null if the pattern has another form.
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

}  // namespace

std::string operand(const Text& piece, Binding binding) {
  return piece.binding >= binding ? piece.text : "(" + piece.text + ")";
}

std::string substitute(std::string_view pattern, std::span<const Substitution> values) {
  std::string out;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    if (pattern[i] != '$') {
      out += pattern[i];
      continue;
    }
    if (++i == pattern.size()) break;
    for (const Substitution& s : values) {
      if (s.key == pattern[i]) out += s.value;
    }
  }
  return out;
}

Text spell(std::string_view pattern, std::span<const Text> operands, const TypeNames& type) {
  if (const Operator* o = infix(pattern)) {
    return {operand(operands[0], o->left) + std::string(o->text) + operand(operands[1], o->right),
            o->binding};
  }
  if (const auto sign = prefix(pattern)) {
    return {*sign + operand(operands[0], Binding::primary), Binding::unary};
  }
  if (pattern == "($C)$0") {
    return {"(" + type.name + ")" + operand(operands[0], Binding::unary), Binding::unary};
  }
  std::vector<Substitution> values{{'T', type.suffix}, {'C', type.name}, {'W', type.width}};
  for (std::size_t k = 0; k < operands.size(); ++k) {
    values.push_back({static_cast<char>('0' + k), operands[k].text});
  }
  const bool is_cast = pattern.starts_with("($C)");
  return {substitute(pattern, values), is_cast ? Binding::unary : Binding::primary};
}

std::string argument_list(std::span<const std::string> arguments) {
  const std::string line = fmt::format("{}", fmt::join(arguments, ", "));
  if (line.size() < kLineBytes) return line;
  return fmt::format("\n    {}", fmt::join(arguments, ",\n    "));
}

void Lines::line(std::string_view text) {
  lines_.append(std::size_t{level_} * 2, ' ');
  lines_ += text;
  lines_ += '\n';
}

void Lines::open(std::string_view text) {
  line(std::string(text) + (text.empty() ? "{" : " {"));
  ++level_;
}

void Lines::reopen(std::string_view text) {
  --level_;
  open("} " + std::string(text));
}

void Lines::close() {
  --level_;
  line("}");
}

}  // namespace vyre::emit
