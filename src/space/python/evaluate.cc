#include "space/python/evaluate.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "base/text.h"
#include "space/python/compiler.h"
#include "space/python/parser.h"
#include "space/python/stack_machine.h"

namespace vyre::space::detail {
namespace {

std::vector<Cell> to_cells(std::span<const Value> values) {
  std::vector<Cell> cells(values.size());
  std::ranges::transform(values, cells.begin(), to_cell);
  return cells;
}

Expected<Cell> evaluate_cell(const ExpressionCode& code, std::span<const Value> values,
                             Evaluation& evaluation, Place* place) {
  if (values.size() != code.names.size()) {
    return bad_inputs("{} takes {} values, not {}", quote(code.text), code.names.size(),
                      values.size());
  }
  Cell out;
  std::size_t at = 0;
  if (run(code, to_cells(values), evaluation, out, at)) return out;
  return std::unexpected(to_error(code.text, Fault{evaluation.problem, code.places[at]}, place));
}

std::unexpected<Error> wrong_kind(const ExpressionCode& code, std::string_view problem,
                                  Place* place) {
  const Fault fault{std::string(problem), {0, code.text.size()}};
  return std::unexpected(to_error(code.text, fault, place));
}

}  // namespace

Error to_error(std::string_view text, const Fault& fault, Place* place) {
  const Range where = fault.where;
  if (place != nullptr) *place = Place{std::string(text), where.offset, where.length};
  const std::string_view piece = text.substr(std::min(where.offset, text.size()), where.length);
  const std::string at = piece.empty() ? std::string() : fmt::format(" at {}", quote(piece));
  return Error{
      ErrorKind::bad_inputs, "expression",
      fmt::format("{}, column {}{}: {}", quote(text), where.offset + 1, at, fault.problem)};
}

Expected<CodePtr> compile_text(std::string_view text, std::span<const std::string> names,
                               Place* place, const ExpressionLimits& limits) {
  if (text.size() > limits.most_bytes) {
    return bad_inputs("the expression that starts with {} has {} bytes; the limit is {}",
                      quote(text.substr(0, 40)), text.size(), limits.most_bytes);
  }
  const auto tree = parse(text, limits.most_nesting);
  if (!tree) return std::unexpected(to_error(text, tree.error(), place));
  auto code = compile(**tree, text, names, limits);
  if (!code) return std::unexpected(to_error(text, code.error(), place));
  return *std::move(code);
}

Expected<Value> evaluate(const ExpressionCode& code, std::span<const Value> values, Place* place) {
  Evaluation evaluation(code.limits.most_steps);
  VYRE_TRY(const Cell cell, evaluate_cell(code, values, evaluation, place));
  if (cell.tag == Tag::sequence) {
    return wrong_kind(code, "the result is a list where one value is needed", place);
  }
  return to_value(cell);
}

Expected<bool> test(const ExpressionCode& code, std::span<const Value> values, Place* place) {
  Evaluation evaluation(code.limits.most_steps);
  VYRE_TRY(const Cell cell, evaluate_cell(code, values, evaluation, place));
  return truth(cell);
}

Expected<std::vector<Value>> evaluate_list(const ExpressionCode& code,
                                           std::span<const Value> values, Place* place) {
  Evaluation evaluation(code.limits.most_steps);
  VYRE_TRY(const Cell cell, evaluate_cell(code, values, evaluation, place));
  if (cell.tag != Tag::sequence) {
    return wrong_kind(code, "the result is not a list: write [...]", place);
  }
  std::vector<Value> out;
  for (const Cell& item : cell.q->items) {
    if (item.tag == Tag::sequence) {
      return wrong_kind(code, "the list contains a list where values are needed", place);
    }
    out.push_back(to_value(item));
  }
  return out;
}

}  // namespace vyre::space::detail
