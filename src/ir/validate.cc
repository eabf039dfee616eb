#include "ir/validate.h"

namespace vyre::ir {

std::vector<Error> validate(const Program& program) {
  if (auto errors = check_structure(program); !errors.empty()) return errors;
  Context context(program);
  for (const auto pass :
       {check_declarations, check_types, check_stmts, check_scopes, check_sizes, check_source}) {
    context.next_pass();
    pass(context);
  }
  if (!context.empty()) return context.take();
  for (const auto pass : {check_extents, check_uniformity, check_bounds}) {
    context.next_pass();
    pass(context);
  }
  return context.take();
}

}  // namespace vyre::ir
