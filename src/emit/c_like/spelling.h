// Pieces of C-like source, joined with the parentheses they need and no others.
//
// A pattern is a text with keys: "($0 + $1)", "vyre_div_$T($0, $1)". $0 to $3 are the operands, $T
// is the suffix of a type ("u32x4"), $C its name in the language ("uint4"), $W its width. A pattern
// that is an operator between operands, or before one, loses its parentheses where precedence makes
// them needless.

#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace vyre::emit {

// How tightly the outermost operator of a piece holds, from loose to tight.
enum class Binding : std::uint8_t {
  choice,
  bits,
  equality,
  order,
  shift,
  sum,
  product,
  unary,
  primary
};

struct Text {
  std::string text;
  Binding binding = Binding::primary;
};

// The piece as an operand of an operator that needs at least `binding`.
std::string operand(const Text& piece, Binding binding);

struct Substitution {
  char key;
  std::string_view value;
};

// The pattern with each $key replaced by its value. A key without a value is replaced by nothing.
std::string substitute(std::string_view pattern, std::span<const Substitution> values);

struct TypeNames {
  std::string suffix{};
  std::string name{};
  std::string width{};
};

// The pattern with operands and type filled in. A pattern that starts with "($C)" is a cast in C's
// form and binds like one.
Text spell(std::string_view pattern, std::span<const Text> operands, const TypeNames& type = {});

// "a, b"; one argument in each line if they do not fit in one.
std::string argument_list(std::span<const std::string> arguments);

// Lines of source, indented by two spaces a level.
class Lines {
 public:
  explicit Lines(std::uint32_t level = 0) : level_(level) {}

  void line(std::string_view text);
  void open(std::string_view text);    // "text {"
  void reopen(std::string_view text);  // "} text {"
  void close();                        // "}"
  std::string take() { return std::move(lines_); }

 private:
  std::uint32_t level_;
  std::string lines_;
};

}  // namespace vyre::emit
