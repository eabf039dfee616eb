// Space: all configurations that a kernel's parameters and constraints allow.
//
// A space is built by constraint propagation into counted, shared tries, never by listing the
// product. Each constraint is applied as soon as its parameters are bound. Parameters that share no
// constraint stay independent factors. Partial configurations with the same continuations share one
// node. So a space of 10^12 combinations is counted, indexed and sampled exactly in little memory.
//
// A configuration has three forms, the cheapest first: its index in 0 .. size()-1; a
// Point, one value index per parameter in declaration order; a Config with names and values.
//
// A Space is an immutable value: copying shares, any number of threads may read.

#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "vyre/config.h"
#include "vyre/error.h"

namespace vyre::space {

namespace detail {
class SpaceData;
struct ExpressionCode;
}  // namespace detail

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

// Expression: one expression in Python's syntax, compiled once and evaluated often. Constraints,
// value lists and launch sizes ("block_size_x * tile", "(n + block - 1) // block") are written so.
//
// It has the value that Python 3 gives it: `//` and `%` floor, `/` divides truly, `and`
// and `or` return a value, comparisons chain and compare int with float exactly, True == 1, round
// goes half to even. It knows literals, names, + - * / // % ** & | ^ ~ << >>, comparisons, `in`,
// `not in`, and or not, `x if c else y`, lists, tuples, comprehensions, and the functions abs all
// any bool float int len list max min range round. One thing differs: integers have 64
// bits, and a result outside of them is an error, never a wrapped number.
//
// Any text is safe to compile and to run: nesting, length, steps and list sizes are limited.
// Expressions are immutable, cheap to copy, and may be evaluated by many threads at once.
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
  const std::shared_ptr<const detail::ExpressionCode>& code() const { return code_; }

 private:
  explicit Expression(std::shared_ptr<const detail::ExpressionCode> code)
      : code_(std::move(code)) {}
  std::shared_ptr<const detail::ExpressionCode> code_;
};

// A list of values as T1 files write it: "[2**i for i in range(0, 6)]", "[1] + list(range(2, 9))".
Expected<std::vector<Value>> parse_values(std::string_view text, Place* place = nullptr);

// Whether Python's == holds between the two: 1, 1.0 and True are equal, "1" is not.
bool equal_in_python(const Value& left, const Value& right);

struct Parameter {
  std::string name;
  std::vector<Value> values;  // at least one, all different (1, 1.0 and true count as the same)

  bool operator==(const Parameter&) const = default;
};

struct Definition {
  std::vector<Parameter> parameters;     // at least one, names all different
  std::vector<std::string> constraints;  // Expressions over the parameters; all must hold

  bool operator==(const Definition&) const = default;
};

struct Options {
  std::uint64_t most_nodes = 10'000'000;   // kept trie nodes; about 100 bytes each
  std::uint64_t most_steps = 400'000'000;  // values tried; roughly 10 s
  ExpressionLimits expression;
};

using Point = std::vector<std::uint32_t>;
using PointView = std::span<const std::uint32_t>;

struct ConstraintStatistics {
  std::string text;
  // How often this constraint removed a partial configuration during construction, as the first of
  // the constraints applied to it. One removal may stand for many configurations.
  std::uint64_t removals = 0;
};

struct Statistics {
  double combinations = 0;  // of all values, valid or not; exact below 2^53
  std::uint64_t valid = 0;
  std::size_t factors = 0;  // groups of parameters that share no constraint
  std::uint64_t nodes = 0;  // of the tries; rows of a listed space
  std::uint64_t steps = 0;  // values tried during construction
  std::vector<ConstraintStatistics> constraints;
  // Per parameter and value: the number of valid configurations that have it.
  std::vector<std::vector<std::uint64_t>> value_counts;
};

// A valid configuration near to a given one, which may be invalid.
struct Nearest {
  std::uint64_t index = 0;
  std::vector<std::size_t> changed;  // parameters, ascending; empty: the given one is valid
};

class Space {
 public:
  // A configuration is valid if every constraint is true in it. A constraint that cannot be
  // evaluated (it divides by zero) is an error, unless the other constraints exclude that
  // configuration anyway; the operands of an outermost `and` count as constraints of their own.
  // Other errors: parameters as forbidden above, a constraint that does not compile, limits
  // reached, 2^63 or more valid configurations, and no valid configuration. In the last case the
  // message names the first constraint that, with those before it, allows none. The order of
  // indices depends on the definition only, and is otherwise arbitrary.
  static Expected<Space> build(Definition definition, const Options& options = {},
                               Place* place = nullptr);

  // The space of these rows, for example of a recording; row i has index i. Fails on no rows, a row
  // of the wrong length or with a value index out of range, and on two equal rows.
  static Expected<Space> from_rows(std::vector<Parameter> parameters, std::vector<Point> rows);

  const std::vector<Parameter>& parameters() const;
  const std::vector<std::string>& constraints() const;  // empty if made from rows
  std::size_t dimensions() const { return parameters().size(); }
  std::optional<std::size_t> find_parameter(std::string_view name) const;

  // At least 1, below 2^63.
  std::uint64_t size() const;

  // index < size(). Takes a fraction of a microsecond. The second form writes into `out`, which has
  // dimensions() elements.
  Point at(std::uint64_t index) const;
  void at(std::uint64_t index, std::span<std::uint32_t> out) const;
  Config config_at(std::uint64_t index) const;

  // Nothing if the point is not valid, or not of this space (wrong length, value index out of
  // range).
  std::optional<std::uint64_t> index_of(PointView point) const;
  bool contains(PointView point) const { return index_of(point).has_value(); }

  // Nothing also if the config lacks a parameter, has one more, or has a value that is not listed.
  std::optional<std::uint64_t> find(const Config& config) const;
  bool contains(const Config& config) const { return find(config).has_value(); }

  // Value indices in range, as many as dimensions(); need not be valid.
  Config to_config(PointView point) const;
  // Fails, saying which, on an unknown or missing parameter and on a value that is not listed.
  // Values are compared as in Python.
  Expected<Point> to_point(const Config& config) const;

  // Valid configurations that differ from `point` (valid or not) in exactly one parameter. In the
  // order of parameters, then of value indices.
  std::vector<std::uint64_t> hamming_neighbours(PointView point) const;

  // For each parameter the nearest earlier and the nearest later value in its list with which the
  // configuration, otherwise as `point`, is valid. In the order of parameters, earlier first.
  std::vector<std::uint64_t> adjacent_neighbours(PointView point) const;

  // The valid configuration with the fewest changed parameters, among those the one with the
  // fewest steps in the value lists altogether, then the one of the lowest index. A value that is
  // not listed counts as changed; its steps count from the nearest listed number, or from the first
  // value if there is no such number. A missing parameter counts as changed from its first value.
  // Unknown names are an error.
  Expected<Nearest> nearest_valid(const Config& config) const;
  Nearest nearest_valid(PointView point) const;

  // Walks all of the space's tries.
  Statistics statistics() const;

  // A uniformly distributed index; the same on every platform for the same generator.
  template <std::uniform_random_bit_generator Generator>
  std::uint64_t sample(Generator& generator) const {
    return below(size(), generator);
  }

  // min(count, size()) different indices, each subset equally likely; in no particular order.
  template <std::uniform_random_bit_generator Generator>
  std::vector<std::uint64_t> sample_distinct(std::size_t count, Generator& generator) const;

 private:
  explicit Space(std::shared_ptr<const detail::SpaceData> data) : data_(std::move(data)) {}

  template <class Generator>
  static std::uint64_t below(std::uint64_t bound, Generator& generator);

  std::shared_ptr<const detail::SpaceData> data_;
};

// Rejection of the incomplete last multiple of `bound`: unbiased, and unlike
// std::uniform_int_distribution the same in every standard library.
template <class Generator>
std::uint64_t Space::below(std::uint64_t bound, Generator& generator) {
  static_assert(
      Generator::min() == 0 && Generator::max() == std::numeric_limits<std::uint64_t>::max(),
      "use a generator of 64 bits, such as std::mt19937_64");
  const std::uint64_t excess = (0 - bound) % bound;  // 2^64 mod bound
  for (;;) {
    const std::uint64_t drawn = generator();
    if (drawn >= excess) return drawn % bound;
  }
}

// Floyd's algorithm: exactly one draw per result, however much of the space is asked for.
template <std::uniform_random_bit_generator Generator>
std::vector<std::uint64_t> Space::sample_distinct(std::size_t count, Generator& generator) const {
  const std::uint64_t wanted = std::min<std::uint64_t>(count, size());
  std::vector<std::uint64_t> out;
  std::unordered_set<std::uint64_t> taken;
  out.reserve(wanted);
  for (std::uint64_t last = size() - wanted; last < size(); ++last) {
    const std::uint64_t drawn = below(last + 1, generator);
    out.push_back(taken.contains(drawn) ? last : drawn);
    taken.insert(out.back());
  }
  return out;
}

}  // namespace vyre::space
