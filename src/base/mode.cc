#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "base/text.h"
#include "vyre/config.h"

namespace vyre {
namespace {

constexpr std::array<std::pair<std::string_view, Mode>, 9> kWords{{
    {"", production_default()},
    {"on", Mode::on},
    {"natural", Mode::natural},
    {"ng", Mode::natural},
    {"off", Mode::off},
    {"default", Mode::off},
    {"0", Mode::off},
    {"false", Mode::off},
    {"no", Mode::off},
}};

// ASCII only: the words are, and what a locale says must not decide.
std::string normalised(std::string_view value) {
  constexpr std::string_view kSpaces = " \t\r\n\v\f";
  const std::size_t first = value.find_first_not_of(kSpaces);
  if (first == std::string_view::npos) return "";
  std::string out(value.substr(first, value.find_last_not_of(kSpaces) - first + 1));
  std::ranges::transform(out, out.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return out;
}

}  // namespace

std::string_view to_string(Mode mode) {
  switch (mode) {
    case Mode::off:
      return "off";
    case Mode::on:
      return "on";
    case Mode::natural:
      return "natural";
  }
  return "unknown";
}

ModeChoice from_env_value(std::optional<std::string_view> value) {
  const std::string word = normalised(value.value_or(""));
  const auto it = std::ranges::find(kWords, word, &std::pair<std::string_view, Mode>::first);
  if (it != kWords.end()) return {.mode = it->second};
  return {.mode = production_default(),
          .warning = fmt::format("VYRE_AUTOTUNER={} is not a mode; using \"natural\": set it to "
                                 "natural, on or off",
                                 quote(*value))};
}

}  // namespace vyre
