#include "ir/text/token_stream.h"

#include <charconv>

#include "base/text.h"
#include "ir/names.h"
#include "ir/text/spelling.h"
#include "vyre/program.h"

namespace vyre::ir {

Expected<Token> TokenStream::expect(std::string_view text) {
  if (token_.is(text)) return take();
  return expected(fmt::format("'{}'", text));
}

Expected<std::string> TokenStream::expect_name(std::string_view what) {
  if (token_.kind != TokenKind::word) return expected(what);
  if (is_reserved(token_.text)) {
    return error_at(token_, "expected {}, found {}, which is a reserved word", what,
                    quote(token_.text));
  }
  if (token_.text.size() > Limits::kNameBytes) {
    return error_at(token_, "a name has at most {} bytes, this one has {}", Limits::kNameBytes,
                    token_.text.size());
  }
  return std::string(take().text);
}

Expected<std::string> TokenStream::expect_string(std::string_view what) {
  if (token_.kind != TokenKind::string) return expected(what);
  auto text = parse_string(token_.text.substr(1, token_.text.size() - 2));
  if (!text) {
    return error_at(token_, "an escape in a string is \\\", \\\\ or \\x and two digits 0-9a-f");
  }
  take();
  return *std::move(text);
}

Expected<std::uint32_t> TokenStream::expect_count(std::string_view what) {
  std::uint32_t value = 0;
  const char* begin = token_.text.data();
  const char* end = begin + token_.text.size();
  if (token_.kind != TokenKind::number) return expected(what);
  const auto [stop, code] = std::from_chars(begin, end, value);
  if (code != std::errc() || stop != end) return expected(what);
  take();
  return value;
}

}  // namespace vyre::ir
