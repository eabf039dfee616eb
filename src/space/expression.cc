#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "base/text.h"
#include "space/program.h"
#include "vyre/space.h"

namespace vyre::space {

using detail::Cell;
using detail::Fault;
using detail::Program;
using detail::Runtime;
using detail::Tag;

namespace detail {

Error to_error(std::string_view text, const Fault& fault, Place* place) {
  const Range where = fault.where;
  if (place != nullptr) *place = Place{std::string(text), where.offset, where.length};
  const std::string_view piece = text.substr(std::min(where.offset, text.size()), where.length);
  const std::string at = piece.empty() ? std::string() : fmt::format(" at {}", quote(piece));
  return Error{
      ErrorKind::bad_inputs, "expression",
      fmt::format("{}, column {}{}: {}", quote(text), where.offset + 1, at, fault.problem)};
}

}  // namespace detail

namespace {

std::vector<Cell> to_cells(std::span<const Value> values) {
  std::vector<Cell> cells(values.size());
  std::ranges::transform(values, cells.begin(), detail::to_cell);
  return cells;
}

Expected<Cell> evaluate_cell(const Program& program, std::span<const Value> values,
                             Runtime& runtime, Place* place) {
  if (values.size() != program.names.size()) {
    return bad_inputs("{} takes {} values, not {}", quote(program.text), program.names.size(),
                      values.size());
  }
  Cell out;
  std::size_t at = 0;
  if (run(program, to_cells(values), runtime, out, at)) return out;
  return std::unexpected(
      detail::to_error(program.text, Fault{runtime.problem, program.places[at]}, place));
}

std::unexpected<Error> wrong_kind(const Program& program, std::string_view problem, Place* place) {
  const Fault fault{std::string(problem), {0, program.text.size()}};
  return std::unexpected(detail::to_error(program.text, fault, place));
}

}  // namespace

Expected<Expression> Expression::compile(std::string_view text, std::span<const std::string> names,
                                         Place* place, const ExpressionLimits& limits) {
  if (text.size() > limits.most_bytes) {
    return bad_inputs("the expression that starts with {} has {} bytes; the limit is {}",
                      quote(text.substr(0, 40)), text.size(), limits.most_bytes);
  }
  const auto tree = detail::parse(text, limits.most_nesting);
  if (!tree) return std::unexpected(detail::to_error(text, tree.error(), place));
  auto program = detail::compile(**tree, text, names, limits);
  if (!program) return std::unexpected(detail::to_error(text, program.error(), place));
  return Expression(*std::move(program));
}

Expected<Value> Expression::evaluate(std::span<const Value> values, Place* place) const {
  Runtime runtime(program_->limits.most_steps);
  VYRE_TRY(const Cell cell, evaluate_cell(*program_, values, runtime, place));
  if (cell.tag == Tag::sequence) {
    return wrong_kind(*program_, "the result is a list where one value is needed", place);
  }
  return detail::to_value(cell);
}

Expected<Value> Expression::evaluate(const Config& config, Place* place) const {
  std::vector<Value> values(program_->names.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::string& name = program_->names[i];
    const Value* value = config.find(name);
    const bool used = std::ranges::find(uses(), name) != uses().end();
    if (value == nullptr && used) {
      return bad_inputs("{} needs a value for {}", quote(text()), quote(name));
    }
    if (value != nullptr) values[i] = *value;
  }
  return evaluate(values, place);
}

Expected<bool> Expression::test(std::span<const Value> values, Place* place) const {
  Runtime runtime(program_->limits.most_steps);
  VYRE_TRY(const Cell cell, evaluate_cell(*program_, values, runtime, place));
  return detail::truth(cell);
}

Expected<std::vector<Value>> Expression::evaluate_list(std::span<const Value> values,
                                                       Place* place) const {
  Runtime runtime(program_->limits.most_steps);
  VYRE_TRY(const Cell cell, evaluate_cell(*program_, values, runtime, place));
  if (cell.tag != Tag::sequence) {
    return wrong_kind(*program_, "the result is not a list: write [...]", place);
  }
  std::vector<Value> out;
  for (const Cell& item : cell.q->items) {
    if (item.tag == Tag::sequence) {
      return wrong_kind(*program_, "the list contains a list where values are needed", place);
    }
    out.push_back(detail::to_value(item));
  }
  return out;
}

const std::vector<std::string>& Expression::uses() const { return program_->uses; }
const std::string& Expression::text() const { return program_->text; }

Expected<std::vector<Value>> parse_values(std::string_view text, Place* place) {
  VYRE_TRY(const Expression expression, Expression::compile(text, {}, place));
  return expression.evaluate_list({}, place);
}

bool equal_in_python(const Value& left, const Value& right) {
  return detail::equal_plain(detail::to_cell(left), detail::to_cell(right));
}

std::string show(const Place& place) {
  constexpr std::size_t kWidth = 100;  // of a terminal line, with some room
  const std::size_t offset = std::min(place.offset, place.text.size());
  const std::size_t begin = offset > kWidth / 2 ? offset - kWidth / 2 : 0;
  std::string line = place.text.substr(begin, kWidth);
  std::ranges::replace_if(
      line, [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }, ' ');
  const std::size_t room = line.size() - (offset - begin);
  const std::size_t carets =
      std::clamp<std::size_t>(place.length, 1, std::max<std::size_t>(room, 1));
  return line + "\n" + std::string(offset - begin, ' ') + std::string(carets, '^');
}

}  // namespace vyre::space
