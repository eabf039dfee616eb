// Prelude: the functions that emitted kernels call where C has no operator with the language's
// meaning.
//
// Each is defined once, and only if a kernel asks for it. The definitions are the dialect's.

#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "emit/c_like/dialect.h"
#include "vyre/program.h"

namespace vyre::emit {

class Prelude {
 public:
  // Keeps a reference to `dialect`.
  explicit Prelude(const Dialect& dialect) : dialect_(dialect) {}

  // A buffer as its functions know it: they are made for its access, or for its name in the text
  // where the dialect wants that.
  struct Target {
    ir::Access access;
    std::string name;
  };

  // Each of these asks for a function and returns its name. `type` is that of the value, with its
  // width.
  std::string load(const Target& buffer, ir::Type type);
  std::string store(const Target& buffer, ir::Type type);
  std::string atomic(const Target& buffer, ir::AtomicOp op, ir::Scalar element);
  // Of vectors that are known to be inside, where the dialect has no pattern for these accesses.
  std::string load_inside(const Target& buffer, ir::Type type);
  std::string store_inside(const Target& buffer, ir::Type type);
  std::string narrow_index();
  std::string trip_count(ir::Scalar type);
  std::string float_to(ir::Scalar type);
  // From i32 to i64. Empty where a cast does it.
  std::string widen_signed();

  // Asks for a vector type, which every kernel that uses it does.
  void vector(ir::Type type);

  // Asks for the function of a pattern "vyre_div_$T(...)", and for the operator of "($0 + $1)" if
  // the language lacks that on vectors; ignores other patterns.
  void operation(std::string_view pattern, ir::Type type, std::uint32_t arity);

  // Definitions of all types and functions that were asked for, each ordered by name, but those of
  // single buffers.
  std::string text() const;
  // These stand behind the buffers' declarations.
  std::string text_of_buffers() const;

 private:
  void vector_operator(std::string_view pattern, ir::Type type, std::uint32_t arity);
  bool vector_function(std::string_view pattern, std::string_view name, ir::Type type,
                       std::uint32_t arity);
  std::string defined(std::string_view name, std::string_view pattern, ir::Type type,
                      std::string_view space = {}, std::string_view builtin = {},
                      std::string_view buffer = {}) const;
  void add_helpers(std::string_view names);
  std::string add_access(std::string_view verb, std::string_view pattern, const Target& buffer,
                         ir::Type type, std::string_view builtin = {});
  std::string add(std::string name, std::string_view pattern, ir::Type type,
                  std::string_view space = {}, std::string_view builtin = {});

  const Dialect& dialect_;
  std::map<std::string, std::string> types_;
  std::vector<std::string_view> helpers_;  // definitions
  std::map<std::string, std::string> functions_;
  std::map<std::string, std::string> buffer_functions_;
};

}  // namespace vyre::emit
