#include "ir/names.h"

#include <algorithm>
#include <array>

namespace vyre::ir {
namespace {

using namespace std::string_view_literals;

constexpr std::array kReserved = {
    "program"sv, "sequence"sv, "shape"sv,   "scalar"sv,  "tunable"sv,   "read"sv,   "read_write"sv,
    "write"sv,   "local"sv,    "private"sv, "scratch"sv, "workgroup"sv, "grid"sv,   "let"sv,
    "var"sv,     "if"sv,       "else"sv,    "for"sv,     "while"sv,     "return"sv, "barrier"sv,
    "source"sv,  "region"sv,   "run"sv,     "repeat"sv,  "true"sv,      "false"sv,  "_"sv,
    "bool"sv,    "u32"sv,      "i32"sv,     "u64"sv,     "i64"sv,       "f32"sv,    "u32x2"sv,
    "u32x4"sv,   "f32x2"sv,    "f32x4"sv,
};

constexpr bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

}  // namespace

bool is_identifier(std::string_view text) {
  if (text.empty() || !is_letter(text.front())) return false;
  return std::ranges::all_of(text, [](char c) { return is_letter(c) || (c >= '0' && c <= '9'); });
}

bool is_reserved(std::string_view text) {
  return std::ranges::find(kReserved, text) != kReserved.end();
}

}  // namespace vyre::ir
