// Prelude: the functions that emitted kernels call where C has no operator with the language's
// meaning.
//
// Each is defined once, and only if a kernel asks for it. The definitions are the dialect's.

#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "emit/c_like/dialect.h"
#include "vyre/program.h"

namespace vyre::emit {

class Prelude {
 public:
  // Keeps a reference to `dialect`.
  explicit Prelude(const Dialect& dialect) : dialect_(dialect) {}

  // Each of these asks for a function and returns its name. `type` is that of the value, with its
  // width.
  std::string load(ir::Access access, ir::Type type);
  std::string store(ir::Access access, ir::Type type);
  std::string atomic(ir::Access access, ir::AtomicOp op, ir::Scalar element);
  std::string trip_count(ir::Scalar type);
  std::string float_to(ir::Scalar type);
  // From i32 to i64. Empty where a cast does it.
  std::string widen_signed();

  // Asks for a vector type, which every kernel that uses it does.
  void vector(ir::Type type);

  // Asks for the function of a pattern "vyre_div_$T(...)", and for the operator of "($0 + $1)" if
  // the language lacks that on vectors; ignores other patterns.
  void operation(std::string_view pattern, ir::Type type, std::uint32_t arity);

  // Definitions of all types and functions that were asked for, each ordered by name.
  std::string text() const;

 private:
  void vector_operator(std::string_view pattern, ir::Type type, std::uint32_t arity);
  bool vector_function(std::string_view pattern, std::string_view name, ir::Type type,
                       std::uint32_t arity);
  std::string defined(std::string_view name, std::string_view pattern, ir::Type type,
                      std::string_view space = {}, std::string_view builtin = {}) const;
  std::string add(std::string name, std::string_view pattern, ir::Type type,
                  std::string_view space = {}, std::string_view builtin = {});

  const Dialect& dialect_;
  std::map<std::string, std::string> types_;
  std::map<std::string, std::string> functions_;
};

}  // namespace vyre::emit
