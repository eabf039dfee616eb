// Expressions of a kernel in the words of a dialect.

#pragma once

#include <optional>
#include <string>

#include "emit/c_like/emission.h"
#include "emit/c_like/spelling.h"

namespace vyre::emit {

class ExprWriter {
 public:
  explicit ExprWriter(Emission& emission)
      : emission_(emission), dialect_(emission.dialect), program_(emission.program) {}

  Text text(ir::ExprId id);
  std::string plain(ir::ExprId id) { return text(id).text; }

  // The expression as an index that is known to be inside its buffer. Sums and products that cannot
  // wrap are computed in 64 bits, so that compilers see that neighbours lie side by side.
  std::string index(ir::ExprId id);

  // The expression as an index that a guarded access takes.
  std::string guarded_index(ir::ExprId id);

  // The element count of a buffer.
  std::string length(std::uint32_t buffer);

  // The first arguments of a guarded access: the buffer, unless its name is the function's, its
  // length and the index.
  std::string guarded(std::uint32_t buffer, ir::ExprId index);
  Prelude::Target target(std::uint32_t buffer);

 private:
  Text leaf(const ir::Expr& e);
  std::optional<Text> folded(ir::ExprId id) const;
  Text vector(const ir::Expr& e);
  Text load(ir::ExprId id);
  Text cast(const ir::Expr& e);
  Text bit_cast(const ir::Expr& e);
  Text table_op(ir::ExprId id);
  bool wraps(ir::ExprId id) const;
  Text in_unsigned(const ir::Expr& e);
  Text shift(const ir::Expr& e, bool plain);
  Text cast_to_type(ir::Type type, const Text& piece) const;
  Text as_unsigned(ir::ExprId id);
  Text wide(ir::ExprId id);
  bool widens(ir::ExprId id) const;

  Emission& emission_;
  const Dialect& dialect_;
  const ir::Program& program_;
};

}  // namespace vyre::emit
