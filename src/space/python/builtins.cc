#include "space/python/builtins.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "base/text.h"
#include "space/python/python_literal.h"
#include "space/python/round.h"

namespace vyre::space::detail {
namespace {

constexpr std::size_t kAnyNumber = 1000;

// In the order of Function.
constexpr std::array<FunctionInfo, 12> kFunctions = {{
    {"abs", 1, 1},
    {"all", 1, 1},
    {"any", 1, 1},
    {"bool", 0, 1},
    {"float", 0, 1},
    {"int", 0, 1},
    {"len", 1, 1},
    {"list", 0, 1},
    {"max", 1, kAnyNumber},
    {"min", 1, kAnyNumber},
    {"range", 1, 3},
    {"round", 1, 2},
}};

bool refuse(Evaluation& evaluation, Function function, const Cell& argument) {
  return evaluation.fail(
      fmt::format("{}() does not take {}", info(function).name, type_name(argument)));
}

bool absolute(Evaluation& evaluation, const Cell& value, Cell& out) {
  if (!value.is_number()) return refuse(evaluation, Function::abs, value);
  const bool negative = value.tag == Tag::real ? std::signbit(value.d) : value.i < 0;
  return unary(evaluation, negative ? Operator::negate : Operator::plus, value, out);
}

bool all_or_any(Evaluation& evaluation, Function function, const Cell& value, Cell& out) {
  if (value.tag != Tag::sequence) return refuse(evaluation, function, value);
  out = Cell::boolean(function == Function::all ? std::ranges::all_of(value.q->items, truth)
                                                : std::ranges::any_of(value.q->items, truth));
  return evaluation.spend(value.q->items.size());
}

bool to_integer(Evaluation& evaluation, const Cell& value, Cell& out) {
  if (value.is_integral()) {
    out = Cell::integer(value.i);
    return true;
  }
  if (value.tag == Tag::text) {
    bool too_big = false;
    const auto number = int_from_text(*value.s, too_big);
    if (too_big)
      return evaluation.fail(fmt::format("{} does not fit into 64 bits", quote(*value.s)));
    if (!number) return evaluation.fail(fmt::format("{} is not an integer", quote(*value.s)));
    out = Cell::integer(*number);
    return true;
  }
  if (value.tag == Tag::sequence) return refuse(evaluation, Function::integer, value);
  constexpr double kTwoTo63 = 9223372036854775808.0;
  if (!(value.d >= -kTwoTo63 && value.d < kTwoTo63)) {
    return evaluation.fail(fmt::format("{} does not fit into 64 bits", value.d));
  }
  out = Cell::integer(static_cast<std::int64_t>(value.d));
  return true;
}

bool to_float(Evaluation& evaluation, const Cell& value, Cell& out) {
  if (value.tag == Tag::sequence) return refuse(evaluation, Function::floating, value);
  if (value.tag != Tag::text) {
    out = Cell::real(value.as_real());
    return true;
  }
  const auto number = float_from_text(*value.s);
  if (!number) return evaluation.fail(fmt::format("{} is not a number", quote(*value.s)));
  out = Cell::real(*number);
  return true;
}

bool begins_character(char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }

bool length(Evaluation& evaluation, const Cell& value, Cell& out) {
  if (value.is_number()) return refuse(evaluation, Function::length, value);
  const auto count = value.tag == Tag::text ? std::ranges::count_if(*value.s, begins_character)
                                            : static_cast<std::ptrdiff_t>(value.q->items.size());
  out = Cell::integer(count);
  return evaluation.spend(value.tag == Tag::text ? value.s->size() : 1);
}

bool to_list(Evaluation& evaluation, const Cell& value, Cell& out) {
  if (value.is_number()) return refuse(evaluation, Function::list, value);
  const std::size_t size = value.tag == Tag::text ? value.s->size() : value.q->items.size();
  if (!evaluation.spend(size * 8 + 8)) return false;
  PythonSequence* list = evaluation.pool.add(SequenceKind::list);
  out = Cell::sequence(list);
  if (value.tag == Tag::sequence) {
    list->items = value.q->items;
    return true;
  }
  std::vector<std::string> characters;
  for (const char c : *value.s) {
    if (characters.empty() || begins_character(c)) characters.emplace_back();
    characters.back() += c;
  }
  for (std::string& character : characters) {
    list->items.push_back(Cell::text(evaluation.pool.add(std::move(character))));
  }
  return true;
}

// The first of equal ones, as in Python.
bool extreme(Evaluation& evaluation, Function function, std::span<const Cell> arguments,
             Cell& out) {
  if (arguments.size() == 1) {
    if (arguments[0].tag != Tag::sequence) return refuse(evaluation, function, arguments[0]);
    arguments = arguments[0].q->items;
    if (arguments.empty()) {
      return evaluation.fail(fmt::format("{}() of nothing", info(function).name));
    }
  }
  const Operator better = function == Function::max ? Operator::greater : Operator::less;
  Cell best = arguments[0];
  for (const Cell& candidate : arguments.subspan(1)) {
    bool replaces = false;
    if (!evaluation.spend(1) || !order(evaluation, better, candidate, best, replaces)) return false;
    if (replaces) best = candidate;
  }
  out = best;
  return true;
}

// How many numbers range(start, stop, step) has; the differences may need 65 bits.
std::uint64_t range_size(std::int64_t start, std::int64_t stop, std::int64_t step) {
  if (step > 0 ? start >= stop : start <= stop) return 0;
  const auto from = static_cast<std::uint64_t>(step > 0 ? start : stop);
  const auto to = static_cast<std::uint64_t>(step > 0 ? stop : start);
  const std::uint64_t stride =
      step > 0 ? static_cast<std::uint64_t>(step) : 0 - static_cast<std::uint64_t>(step);
  return (to - from - 1) / stride + 1;
}

bool make_range(Evaluation& evaluation, std::span<const Cell> arguments, Cell& out) {
  for (const Cell& argument : arguments) {
    if (!argument.is_integral()) return refuse(evaluation, Function::range, argument);
  }
  const std::int64_t start = arguments.size() > 1 ? arguments[0].i : 0;
  const std::int64_t stop = arguments.size() > 1 ? arguments[1].i : arguments[0].i;
  const std::int64_t step = arguments.size() > 2 ? arguments[2].i : 1;
  if (step == 0) return evaluation.fail("range() with a step of zero");
  const std::uint64_t size = range_size(start, stop, step);
  if (size > evaluation.steps_left || !evaluation.spend(size + 8)) {
    return evaluation.fail(fmt::format("range() of {} numbers takes too many steps", size));
  }
  PythonSequence* range = evaluation.pool.add(SequenceKind::range);
  range->items.reserve(size);
  auto next = static_cast<std::uint64_t>(start);
  for (std::uint64_t i = 0; i < size; ++i, next += static_cast<std::uint64_t>(step)) {
    range->items.push_back(Cell::integer(static_cast<std::int64_t>(next)));
  }
  out = Cell::sequence(range);
  return true;
}

Cell empty_value(Evaluation& evaluation, Function function) {
  if (function == Function::boolean) return Cell::boolean(false);
  if (function == Function::floating) return Cell::real(0.0);
  if (function == Function::integer) return Cell::integer(0);
  return Cell::sequence(evaluation.pool.add(SequenceKind::list));
}

}  // namespace

const FunctionInfo& info(Function function) {
  return kFunctions[static_cast<std::size_t>(function)];
}

std::optional<Function> find_function(std::string_view name) {
  const auto* const found = std::ranges::find(kFunctions, name, &FunctionInfo::name);
  if (found == kFunctions.end()) return std::nullopt;
  return static_cast<Function>(found - kFunctions.begin());
}

std::span<const std::string> function_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const FunctionInfo& function : kFunctions) all.emplace_back(function.name);
    return all;
  }();
  return names;
}

bool call(Evaluation& evaluation, Function function, std::span<const Cell> arguments, Cell& out) {
  if (arguments.empty()) {
    out = empty_value(evaluation, function);
    return evaluation.spend(8);
  }
  const Cell& first = arguments[0];
  switch (function) {
    case Function::abs:
      return absolute(evaluation, first, out);
    case Function::all:
    case Function::any:
      return all_or_any(evaluation, function, first, out);
    case Function::boolean:
      out = Cell::boolean(truth(first));
      return true;
    case Function::floating:
      return to_float(evaluation, first, out);
    case Function::integer:
      return to_integer(evaluation, first, out);
    case Function::length:
      return length(evaluation, first, out);
    case Function::list:
      return to_list(evaluation, first, out);
    case Function::max:
    case Function::min:
      return extreme(evaluation, function, arguments, out);
    case Function::range:
      return make_range(evaluation, arguments, out);
    case Function::round:
      return round_number(evaluation, first, arguments.size() > 1 ? &arguments[1] : nullptr, out);
  }
  return false;
}

}  // namespace vyre::space::detail
