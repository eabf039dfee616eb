#include "recording/time_unit.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string>

namespace vyre::recording {
namespace {

struct Spelling {
  std::string_view text;
  TimeUnit unit;
};

constexpr std::array kSpellings{
    Spelling{"nanoseconds", TimeUnit::nanoseconds},
    Spelling{"ns", TimeUnit::nanoseconds},
    Spelling{"microseconds", TimeUnit::microseconds},
    Spelling{"us", TimeUnit::microseconds},
    Spelling{"milliseconds", TimeUnit::milliseconds},
    Spelling{"ms", TimeUnit::milliseconds},
    Spelling{"miliseconds", TimeUnit::milliseconds},
    Spelling{"seconds", TimeUnit::seconds},
    Spelling{"s", TimeUnit::seconds},
};

}  // namespace

std::optional<TimeUnit> parse_time_unit(std::string_view text) {
  std::string lower(text.substr(0, 16));
  std::ranges::transform(lower, lower.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  const auto found = std::ranges::find(kSpellings, lower, &Spelling::text);
  return found != kSpellings.end() ? std::optional(found->unit) : std::nullopt;
}

double to_ms(double value, TimeUnit unit) {
  switch (unit) {
    case TimeUnit::nanoseconds:
      return value / 1e6;
    case TimeUnit::microseconds:
      return value / 1e3;
    case TimeUnit::milliseconds:
      return value;
    case TimeUnit::seconds:
      return value * 1e3;
  }
  return value;
}

}  // namespace vyre::recording
