// Pieces of C-like source, joined with the parentheses they need and no others.
//
// A pattern is a spelling of ops.def: "($0 + $1)", "vyre_div_$T($0, $1)". One that is an operator
// between operands, or before one, loses its parentheses where precedence makes them needless.

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

// Fills $0 $1 $2 with the operands and $T with `suffix`.
Text spell(std::string_view pattern, std::span<const Text> operands, std::string_view suffix);

// "(type)piece": a C cast.
Text cast_to(std::string_view type, const Text& piece);

// Lines of source, indented by two spaces a level.
class Lines {
 public:
  void line(std::string_view text);
  void open(std::string_view text);        // "text {"
  void reopen(std::string_view text);      // "} text {"
  void close();                            // "}"
  void unindented(std::string_view text);  // at the margin: preprocessor lines
  std::string take() { return std::move(lines_); }

  std::uint32_t level = 0;

 private:
  std::string lines_;
};

}  // namespace vyre::emit
