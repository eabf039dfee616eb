
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
  Inspection inspection(program);
  for (const auto pass :
       {check_declarations, check_types, check_stmts, check_scopes, check_sizes, check_source}) {
    inspection.next_pass();
    pass(inspection);
  }
  if (!inspection.empty()) return inspection.take();
  for (const auto pass : {check_extents, check_uniformity, check_bounds}) {
    inspection.next_pass();
    pass(inspection);
  }
  return inspection.take();
}

}  // namespace vyre::ir
