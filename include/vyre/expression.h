// Expression: one expression in Python's syntax, compiled once and evaluated often. Constraints,
// value lists and launch sizes ("block_size_x * tile", "(n + block - 1) // block") are written so.
//
// What it evaluates to is what Python 3 evaluates to: `//` and `%` floor, `/` divides truly, `and`
// and `or` return a value, comparisons chain and compare int with float exactly, True == 1, round
// goes half to even. It knows literals, names, + - * / // % ** & | ^ ~ << >>, comparisons, `in`,
// `not in`, and or not, `x if c else y`, lists, tuples, comprehensions, and the functions abs all
// any bool float int len list max min range round. One thing differs: integers have 64
// bits, and a result outside of them is an error, never a wrapped number.
//
// Any text is safe to compile and to run: nesting, length, steps and list sizes are limited.
// Expressions are immutable, cheap to copy, and may be evaluated by many threads at once.

#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "vyre/config.h"
#include "vyre/error.h"

namespace vyre::space {

namespace detail {
struct Program;
}

// A piece of an expression's text that an error is about.
struct Place {
  std::string text;        // the whole expression
  std::size_t offset = 0;  // in bytes from its start; may be text.size()
  std::size_t length = 0;  // 0: only the point

  bool operator==(const Place&) const = default;
};

// Two lines for a terminal: the expression (shortened around the place if it is long, control
// characters replaced) and carets under the piece. Without a final newline.
std::string show(const Place& place);

struct ExpressionLimits {
  std::size_t most_bytes = 64 * 1024;    // of text
  std::size_t most_nesting = 64;         // parentheses, calls, operators within operators
  std::uint64_t most_steps = 4'000'000;  // per evaluation; list elements and text bytes count too
};

class Expression {
 public:
  // `names` are the names that may occur, in the order in which evaluate takes their values. An
  // error's message is one line and gives column and piece; if `place` is not null it is filled on
  // failure, for `show`.
  static Expected<Expression> compile(std::string_view text, std::span<const std::string> names,
                                      Place* place = nullptr, const ExpressionLimits& limits = {});

  // The value for these values of the names (as many as compile was given). Fails where Python
  // raises (division by zero, adding text to a number), on a result that is a list or outside
  // 64 bits, and when most_steps are not enough.
  Expected<Value> evaluate(std::span<const Value> values, Place* place = nullptr) const;

  // The same with values by name; one that the expression uses and `config` lacks is an error.
  Expected<Value> evaluate(const Config& config, Place* place = nullptr) const;

  // Whether Python would take the value as true: not 0, not empty.
  Expected<bool> test(std::span<const Value> values, Place* place = nullptr) const;

  // The elements of an expression that is a list, tuple or range of plain values.
  Expected<std::vector<Value>> evaluate_list(std::span<const Value> values,
                                             Place* place = nullptr) const;

  // The names it really uses, in the order given to compile.
  const std::vector<std::string>& uses() const;
  const std::string& text() const;

  // For vyre's own use: the compiled form.
  const std::shared_ptr<const detail::Program>& program() const { return program_; }

 private:
  explicit Expression(std::shared_ptr<const detail::Program> program)
      : program_(std::move(program)) {}
  std::shared_ptr<const detail::Program> program_;
};

// A list of values as T1 files write it: "[2**i for i in range(0, 6)]", "[1] + list(range(2, 9))".
Expected<std::vector<Value>> parse_values(std::string_view text, Place* place = nullptr);

// Whether Python's == holds between the two: 1, 1.0 and True are equal, "1" is not.
bool equal_in_python(const Value& left, const Value& right);

}  // namespace vyre::space
