// `vyre ops`: the operations of the kernel language, from their one table.

#include "ir/ops.h"

#include <fmt/format.h>

#include "cli/command.h"
#include "cli/table.h"

namespace vyre::cli {
namespace {

Expected<void> print_ops() {
  Table table({{"op"}, {"operands", Align::right}, {"takes"}, {"in C"}});
  for (const ir::Op op : ir::table_ops()) {
    const ir::OpInfo& info = ir::info(op);
    table.add({std::string(info.name), std::to_string(info.arity),
               std::string(ir::describe(info.rule)), std::string(info.c_spelling)});
  }
  fmt::print("{}", table.text());
  return {};
}

}  // namespace

void add_ops(Command& vyre, Context& context) {
  vyre.add("ops", "List the operations of the kernel language").callback([&context] {
    context.action = print_ops;
  });
}

}  // namespace vyre::cli
