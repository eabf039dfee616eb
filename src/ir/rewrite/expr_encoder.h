// The parts of the canonical encoding (encode.h) that programs and sequences share.

#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "base/blake3.h"
#include "base/byte_writer.h"
#include "vyre/program.h"

namespace vyre::ir {

// What a use of a variable is written as.
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

  // To be filled before expressions that use them are written: one per buffer, one per variable.
  std::vector<std::uint32_t> buffer_numbers;
  std::vector<VariableRef> variables;

  // Depth is limited by Limits::kExprDepth.
  void write(ByteWriter& out, ExprId expr);
  void write_optional(ByteWriter& out, ExprId expr);

  void write_symbol(ByteWriter& out, std::uint32_t index);

  // What the encoding begins with: format, version, shapes and scalars.
  void write_head(ByteWriter& out, std::string_view format);

  // The buffers, and their numbers into `buffer_numbers`. `first_use` orders those that the caller
  // does not bind; kNone in it marks those that are interchangeable.
  void write_buffers(ByteWriter& out, std::span<const Buffer> buffers,
                     std::span<const std::uint32_t> first_use);

  // What the encoding ends with, because defaults count only for tunables used so far.
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
