// Reads the declarations of programs and sequences: symbols and buffers.

#pragma once

#include <string_view>
#include <vector>

#include "ir/text/expr_parser.h"

namespace vyre::ir {

class DeclarationParser {
 public:
  // `private_word` is the word for the access `private_`: "private" in a program, "scratch" in a
  // sequence.
  DeclarationParser(TokenStream& tokens, Scope& scope, ExprParser& exprs,
                    std::vector<Symbol>& symbols, std::vector<Buffer>& buffers,
                    std::string_view private_word)
      : tokens_(tokens),
        scope_(scope),
        exprs_(exprs),
        symbols_(symbols),
        buffers_(buffers),
        private_word_(private_word) {}

  // Reads one declaration if there is one here; false if not.
  Expected<bool> parse();

 private:
  Expected<void> symbol(SymbolKind kind);
  Expected<void> default_and_values(Symbol& tunable);
  Expected<void> usual_size(Symbol& shape);
  Expected<std::uint64_t> value_of(const Symbol& symbol, std::string_view what);
  Expected<void> buffer(Access access);
  Expected<std::string> new_name();
  Expected<Scalar> scalar_type();
  Expected<void> element_type(Buffer& buffer);
  std::optional<Access> access_here() const;

  TokenStream& tokens_;
  Scope& scope_;
  ExprParser& exprs_;
  std::vector<Symbol>& symbols_;
  std::vector<Buffer>& buffers_;
  std::string_view private_word_;
};

}  // namespace vyre::ir
