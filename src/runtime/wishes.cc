#include "runtime/wishes.h"

#include <fmt/ranges.h>

#include <charconv>

#include "base/blake3.h"
#include "base/error.h"
#include "base/files/safe_file.h"
#include "base/files/whole_file.h"
#include "base/hex.h"
#include "base/json_node.h"
#include "base/text.h"
#include "runtime/ballot.h"

namespace vyre {
namespace {

Expected<Wish> wish_of(const JsonNode& line) {
  VYRE_TRY(const JsonNode key, line.at("key"));
  VYRE_TRY(const std::string key_text, key.text());
  VYRE_TRY(const JsonNode identity, line.at("identity"));
  VYRE_TRY(const JsonNode program, line.at("program"));
  VYRE_TRY(const JsonNode fingerprint, line.at("fingerprint"));
  VYRE_TRY(const std::string digits, fingerprint.text());
  VYRE_TRY(const JsonNode shape, line.at("shape"));
  VYRE_TRY(const std::string sizes, shape.text());
  Wish out{.ranks = 1};
  VYRE_TRY(out.key, parse_key(key_text));
  VYRE_TRY(out.identity, identity.text());
  VYRE_TRY(out.program, program.text());
  if (!from_hex(digits, out.fingerprint)) return fingerprint.expected("64 hexadecimal digits");
  const auto numbers = parse_shape(sizes);
  if (!numbers) return shape.expected("numbers with x between them");
  out.shape = *numbers;
  if (out.key == key_of(out.fingerprint, out.shape)) return out;
  return key.expected("the key of fingerprint and shape");
}

}  // namespace

std::string shape_text(std::span<const std::uint64_t> shape) {
  return fmt::format("{}", fmt::join(shape, "x"));
}

std::optional<std::vector<std::uint64_t>> parse_shape(std::string_view text) {
  std::vector<std::uint64_t> out;
  const char* at = text.data();
  const char* const end = at + text.size();
  while (out.size() < kMostSizes) {
    const auto [stop, code] = std::from_chars(at, end, out.emplace_back());
    if (code != std::errc()) return std::nullopt;
    if (stop == end) return out;
    if (*stop != 'x') return std::nullopt;
    at = stop + 1;
  }
  return std::nullopt;
}

std::string print_wishes(std::span<const Wish> wishes) {
  std::string out;
  for (const Wish& wish : wishes) {
    const Json line{{"key", to_string(wish.key)},
                    {"identity", wish.identity},
                    {"program", escaped(wish.program)},
                    {"fingerprint", to_hex(wish.fingerprint)},
                    {"shape", shape_text(wish.shape)}};
    out += line.dump(-1, ' ', true, Json::error_handler_t::replace) + "\n";
  }
  return out;
}

Expected<std::vector<Wish>> parse_wishes(std::string_view text, std::string_view name) {
  std::vector<Wish> out;
  std::size_t number = 0;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    ++number;
    if (line.empty()) continue;
    if (out.size() == kMostWishes) {
      return bad_inputs("{}: has more than {} wishes", quote_path(name), kMostWishes);
    }
    const auto json = parse_json(line);
    auto wish = json ? wish_of(JsonNode(*json, "")) : std::unexpected(json.error());
    if (!wish) {
      return bad_inputs("{}: line {}: {}", quote_path(name), number, wish.error().message);
    }
    out.push_back(*std::move(wish));
  }
  return out;
}

Expected<void> save_wishes(const std::filesystem::path& folder, std::span<const Wish> wishes) {
  if (wishes.empty()) return {};
  constexpr unsigned kEverybodysFile = 0644;  // the agent may be another user's
  constexpr std::size_t kDigits = 16;
  const std::string text = print_wishes(wishes);
  VYRE_TRY_VOID(make_folders(folder));
  // The same wishes are the same file, however many processes save them.
  const Hash hash = blake3(text);
  return write_file_atomically(folder / (to_hex(hash).substr(0, kDigits) + ".jsonl"), text,
                               kEverybodysFile);
}

}  // namespace vyre
