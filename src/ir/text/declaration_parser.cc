#include "ir/text/declaration_parser.h"

#include <charconv>

#include "base/text.h"
#include "ir/ops.h"

namespace vyre::ir {

Expected<bool> DeclarationParser::parse() {
  const Token at = tokens_.peek();
  if (at.kind != TokenKind::word) return false;
  std::optional<SymbolKind> kind;
  for (const auto candidate : {SymbolKind::shape, SymbolKind::scalar, SymbolKind::tunable}) {
    if (at.text == name_of(candidate)) kind = candidate;
  }
  const std::optional<Access> access = access_here();
  if (!kind && !access) return false;
  if (symbols_.size() + buffers_.size() >= Limits::kDeclarations) {
    return error_at(at, "more than {} symbols and buffers", Limits::kDeclarations);
  }
  tokens_.take();
  VYRE_TRY_VOID(kind ? symbol(*kind) : buffer(*access));
  return true;
}

std::optional<Access> DeclarationParser::access_here() const {
  for (const auto access : {Access::read, Access::read_write, Access::write, Access::local}) {
    if (tokens_.peek().is(name_of(access))) return access;
  }
  return tokens_.peek().is(private_word_) ? std::optional(Access::private_) : std::nullopt;
}

// Symbols print before buffers, so a name must not depend on which of two came first.
Expected<std::string> DeclarationParser::new_name() {
  const Token at = tokens_.peek();
  VYRE_TRY(std::string name, tokens_.expect_name("a name"));
  if (scope_.find(name) != nullptr) return error_at(at, "{} is declared twice", quote(name));
  return name;
}

Expected<Scalar> DeclarationParser::scalar_type() {
  VYRE_TRY_VOID(tokens_.expect(":"));
  const Token at = tokens_.peek();
  const auto type = at.kind == TokenKind::word ? find_scalar(at.text) : std::nullopt;
  if (!type) return tokens_.expected("a type (bool, u32, i32, u64, i64 or f32)");
  tokens_.take();
  return *type;
}

// A type of the language, or "bytes" and a number.
Expected<void> DeclarationParser::element_type(Buffer& buffer) {
  constexpr std::string_view kOpaque = "bytes";
  const Token& type = tokens_.following();
  if (type.kind == TokenKind::word && type.text.starts_with(kOpaque)) {
    const std::string_view digits = type.text.substr(kOpaque.size());
    const auto [end, code] =
        std::from_chars(digits.data(), digits.data() + digits.size(), buffer.opaque_bytes);
    const bool canonical =
        code == std::errc() && end == digits.data() + digits.size() && !digits.starts_with('0');
    if (!canonical) return error_at(type, "expected the size of an element, as in bytes8");
    VYRE_TRY_VOID(tokens_.expect(":"));
    tokens_.take();
    return {};
  }
  VYRE_TRY(buffer.element, scalar_type());
  return {};
}

Expected<std::uint64_t> DeclarationParser::value_of(const Symbol& symbol, std::string_view what) {
  const Token at = tokens_.peek();
  VYRE_TRY(const TypedBits value, exprs_.literal());
  if (value.type == symbol.type) return value.bits;
  return error_at(at, "{} of {} {} is {}, not {}", what, name_of(symbol.kind), quote(symbol.name),
                  name_of(value.type), name_of(symbol.type));
}

// `= 4u in 1u, 2u, 4u`. A statement may begin with a name that is `in`; such a name is followed by
// an index, a width or an assignment, and a value is not.
Expected<void> DeclarationParser::default_and_values(Symbol& tunable) {
  VYRE_TRY_VOID(tokens_.expect("="));
  VYRE_TRY(tunable.default_bits, value_of(tunable, "the default"));
  const Token& next = tokens_.following();
  const bool is_name = next.is("[") || next.is("=") || next.is(".");
  if (!tokens_.peek().is("in") || is_name) return {};
  tokens_.take();
  do {
    if (tunable.values.size() >= Limits::kValues) {
      return error_at(tokens_.peek(), "more than {} values of tunable {}", Limits::kValues,
                      quote(tunable.name));
    }
    VYRE_TRY(tunable.values.emplace_back(), value_of(tunable, "a value"));
  } while (tokens_.take_if(","));
  return {};
}

// 0 means that there is none.
Expected<void> DeclarationParser::usual_size(Symbol& shape) {
  const Token at = tokens_.peek();
  VYRE_TRY(shape.default_bits, value_of(shape, "the size"));
  if (shape.default_bits != 0) return {};
  return error_at(at, "the size of {} is 0; give one above 0, or none", quote(shape.name));
}

Expected<void> DeclarationParser::symbol(SymbolKind kind) {
  Symbol symbol;
  symbol.kind = kind;
  VYRE_TRY(symbol.name, new_name());
  VYRE_TRY(symbol.type, scalar_type());
  if (kind == SymbolKind::tunable) VYRE_TRY_VOID(default_and_values(symbol));
  if (kind == SymbolKind::shape && tokens_.take_if("=")) VYRE_TRY_VOID(usual_size(symbol));
  const auto index = static_cast<std::uint32_t>(symbols_.size());
  scope_.declare(symbol.name, {NamedKind::symbol, index, {symbol.type, 1}});
  symbols_.push_back(std::move(symbol));
  return {};
}

Expected<void> DeclarationParser::buffer(Access access) {
  Buffer buffer;
  buffer.access = access;
  VYRE_TRY(buffer.name, new_name());
  VYRE_TRY_VOID(element_type(buffer));
  VYRE_TRY_VOID(tokens_.expect("["));
  if (!tokens_.peek().is("]")) {
    VYRE_TRY(buffer.length, exprs_.parse());
  }
  VYRE_TRY_VOID(tokens_.expect("]"));
  const auto index = static_cast<std::uint32_t>(buffers_.size());
  scope_.declare(buffer.name, {NamedKind::buffer, index, {buffer.element, 1}});
  buffers_.push_back(std::move(buffer));
  return {};
}

}  // namespace vyre::ir
