#include "ir/text/declaration_printer.h"

#include <fmt/format.h>

#include "ir/ops.h"
#include "ir/source.h"
#include "ir/text/spelling.h"

namespace vyre::ir {

void print_symbols(std::span<const Symbol> symbols, std::string& out) {
  for (const Symbol& symbol : symbols) {
    out += fmt::format("  {} {}: {}", name_of(symbol.kind), print_name(symbol.name),
                       name_of(symbol.type));
    const bool has_size = symbol.kind == SymbolKind::shape && symbol.default_bits != 0;
    if (symbol.kind == SymbolKind::tunable || has_size) {
      out += " = " + print_literal(symbol.type, symbol.default_bits);
      for (std::size_t i = 0; i < symbol.values.size(); ++i) {
        out += (i == 0 ? " in " : ", ") + print_literal(symbol.type, symbol.values[i]);
      }
    }
    out += '\n';
  }
}

void print_buffers(Tables tables, std::string_view private_word, std::string& out) {
  ExprPrinter exprs(tables, out);
  for (const Buffer& buffer : tables.buffers) {
    const bool is_private = buffer.access == Access::private_;
    out += fmt::format("  {} {}: {}[", is_private ? private_word : name_of(buffer.access),
                       print_name(buffer.name), element_name(buffer));
    if (buffer.length != kNone) exprs.print(buffer.length);
    out += "]\n";
  }
}

}  // namespace vyre::ir
