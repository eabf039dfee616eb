#include "space/python/token_cursor.h"

#include <fmt/format.h>

#include "base/text.h"

namespace vyre::space::detail {

std::unexpected<Fault> TokenCursor::unexpected_token() const {
  if (peek().kind == TokenKind::end) return fault("the expression ends too early");
  if (peek().kind == TokenKind::too_big) {
    return fault(fmt::format("{} does not fit into 64 bits", peek().spelling));
  }
  if (at("=")) return fault("= has no meaning here: compare with ==");
  if (at(".")) return fault("attributes and modules are not supported");
  if (at("[")) return fault("indexing is not supported");
  return fault(fmt::format("{} is not expected here", quote(peek().spelling)));
}

Parsed<void> TokenCursor::expect(std::string_view symbol) {
  if (take(symbol)) return {};
  if (peek().kind == TokenKind::end) {
    return fault(fmt::format("the expression ends where {} is expected", quote(symbol)));
  }
  return unexpected_token();
}

}  // namespace vyre::space::detail
