// The functions that emitted kernels call where C has no operator with the language's meaning.
//
// Each is defined once, and only if a kernel asks for it.

#pragma once

#include <map>
#include <string>
#include <string_view>

#include "vyre/program.h"

namespace vyre::emit::opencl {

class Prelude {
 public:
  // These give the function's name. `type` is that of the value, with its width.
  std::string load(ir::Access access, ir::Type type);
  std::string store(ir::Access access, ir::Type type);
  std::string atomic(ir::Access access, ir::AtomicOp op, ir::Scalar element);
  std::string trip_count(ir::Scalar type);
  std::string float_to(ir::Scalar type);

  // For a spelling "vyre_div_$T" of ops.def: `base` is "div".
  void operation(std::string_view base, ir::Type type);

  // Definitions of all that was asked for, by name.
  std::string text() const;

 private:
  std::string add(std::string name, std::string_view pattern, ir::Type type,
                  std::string_view space = {}, std::string_view builtin = {});

  std::map<std::string, std::string> functions_;
};

// The OpenCL built-in for an atomic operation.
std::string_view atomic_name(ir::AtomicOp op);

}  // namespace vyre::emit::opencl
