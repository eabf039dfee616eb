#include "vyre/config.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <utility>

#include "base/text.h"

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

std::optional<std::string> variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::nullopt : std::optional<std::string>(value);
}

std::optional<std::filesystem::path> cache_base(const EnvironmentVariables& variables) {
  const auto& xdg = variables.xdg_cache_home;
  if (xdg && std::filesystem::path(*xdg).is_absolute()) return *xdg;
  if (variables.home && !variables.home->empty()) {
    return std::filesystem::path(*variables.home) / ".cache";
  }
  return std::nullopt;
}

}  // namespace

std::string to_string(const Value& value) {
  struct Visitor {
    std::string operator()(bool v) const { return v ? "true" : "false"; }
    std::string operator()(std::int64_t v) const { return fmt::format("{}", v); }
    std::string operator()(double v) const { return fmt::format("{}", v); }
    std::string operator()(const std::string& v) const { return quote(v); }
  };
  return std::visit(Visitor{}, value);
}

void Config::set(std::string_view name, Value value) {
  const auto same_name = [&](const auto& entry) { return entry.first == name; };
  if (auto it = std::ranges::find_if(entries_, same_name); it != entries_.end()) {
    it->second = std::move(value);
  } else {
    entries_.emplace_back(name, std::move(value));
  }
}

const Value* Config::find(std::string_view name) const {
  for (const auto& [key, value] : entries_) {
    if (key == name) return &value;
  }
  return nullptr;
}

std::string to_string(const Config& config) {
  std::string out;
  for (const auto& [name, value] : config.entries()) {
    fmt::format_to(std::back_inserter(out), "{}{}={}", out.empty() ? "" : ", ", name,
                   to_string(value));
  }
  return out;
}

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

Environment from_variables(const EnvironmentVariables& variables) {
  Environment out;
  const ModeChoice choice = from_env_value(variables.autotuner);
  out.mode = choice.mode;
  if (!choice.warning.empty()) out.warnings.push_back(choice.warning);
  if (const auto base = cache_base(variables)) {
    out.files.folder = *base / "vyre";
  } else {
    out.warnings.emplace_back(
        "neither XDG_CACHE_HOME nor HOME names a folder; decisions are kept in memory only: set "
        "one of them to keep them");
  }
  return out;
}

Environment from_env() {
  return from_variables({.autotuner = variable("VYRE_AUTOTUNER"),
                         .xdg_cache_home = variable("XDG_CACHE_HOME"),
                         .home = variable("HOME")});
}

}  // namespace vyre
