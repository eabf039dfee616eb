#include "fuse/element_rules.h"

namespace vyre::fuse {

std::optional<std::vector<ReindexRule>> element_rules(const ElementNumber& element,
                                                      std::uint32_t row, std::uint32_t column,
                                                      ir::ProgramWriter& to) {
  const auto size = write_size(element.row_size, element.of, to);
  if (!size) return std::nullopt;
  const ir::ExprId start = to.op(ir::Op::mul, {to.variable_value(row), *size});
  const std::uint32_t number =
      to.let("element", to.op(ir::Op::add, {start, to.variable_value(column)}));
  std::vector<ReindexRule> rules{{element.number, number}};
  if (const auto quotient = element.of.accesses.quotient(element.number, element.row_size)) {
    rules.push_back({*quotient, row});
    rules.push_back({element.number - *quotient * element.row_size, column});
  }
  return rules;
}

}  // namespace vyre::fuse
