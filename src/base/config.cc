#include "vyre/config.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"

namespace vyre {

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

}  // namespace vyre
