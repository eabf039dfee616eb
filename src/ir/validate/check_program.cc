
#include "ir/validate/check_program.h"

#include "ir/validate/check_bounds.h"
#include "ir/validate/check_declarations.h"
#include "ir/validate/check_scopes.h"
#include "ir/validate/check_sizes.h"
#include "ir/validate/check_source.h"
#include "ir/validate/check_stmts.h"
#include "ir/validate/check_structure.h"
#include "ir/validate/check_types.h"
#include "ir/validate/check_uniformity.h"

namespace vyre::ir {

std::vector<Error> check_program(const Program& program) {
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
