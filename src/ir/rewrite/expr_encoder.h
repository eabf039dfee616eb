// The parts of the canonical encoding (encode.h) that programs and sequences share.

#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "base/blake3.h"
#include "base/byte_writer.h"
#include "vyre/program.h"

namespace vyre::ir {

// How a use of a variable is written.
struct VariableRef {
  enum class Kind : std::uint8_t {
    written,  // number: of its first write
    let,      // number: of its run and place in it
    in_run,   // a member of the run that is being written, as its hash
  };
  Kind kind = Kind::let;
  std::uint32_t number = kNone;
  Hash hash{};
};

class ExprEncoder {
 public:
  // Keeps references to both.
  ExprEncoder(const std::vector<Symbol>& symbols, const std::vector<Expr>& exprs);

  // Fill these before writing expressions that use them: one entry per buffer, one per variable.
  std::vector<std::uint32_t> buffer_numbers;
  std::vector<VariableRef> variables;

  // Depth is limited by Limits::kExprDepth.
  void write(ByteWriter& out, ExprId expr);
  void write_optional(ByteWriter& out, ExprId expr);

  void write_symbol(ByteWriter& out, std::uint32_t index);

  // The beginning of every encoding: format, version, shapes and scalars.
  void write_head(ByteWriter& out, std::string_view format);

  // Writes the buffers, and their numbers into `buffer_numbers`. `first_use` orders the buffers
  // that the caller does not bind; kNone marks interchangeable ones.
  void write_buffers(ByteWriter& out, std::span<const Buffer> buffers,
                     std::span<const std::uint32_t> first_use);

  // The end of every encoding. It comes last because a default counts only for a tunable that has
  // been used.
  void write_tunables(ByteWriter& out) const;

 private:
  void write_leaf(ByteWriter& out, const Expr& expr);
  void write_variable(ByteWriter& out, std::uint32_t index) const;

  const std::vector<Symbol>& symbols_;
  const std::vector<Expr>& exprs_;
  std::vector<std::uint32_t> symbol_numbers_;
  std::vector<bool> symbol_used_;
};

}  // namespace vyre::ir
