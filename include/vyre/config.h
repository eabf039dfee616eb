// Config: chosen values for named parameters, for example {block_x = 32, use_lds = true}.
//
// Plain values, freely copied. Entries keep the order in which they were set, which is the
// parameters' declaration order everywhere in vyre; two Configs with the same entries in
// another order are different values but `find` the same.

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace vyre {

// bool and the integers are different alternatives, but compare as Python compares them only
// inside constraint expressions (vyre/space.h); here true is not 1.
using Value = std::variant<bool, std::int64_t, double, std::string>;

// As a user would type it: true, 32, 0.5, "row".
std::string to_string(const Value& value);

class Config {
 public:
  Config() = default;
  Config(std::initializer_list<std::pair<std::string, Value>> entries) : entries_(entries) {}

  // Adds the entry, or replaces the value of an existing one.
  void set(std::string_view name, Value value);

  // Null is an ordinary miss. Valid until the next `set`.
  const Value* find(std::string_view name) const;

  const std::vector<std::pair<std::string, Value>>& entries() const { return entries_; }
  std::size_t size() const { return entries_.size(); }
  bool empty() const { return entries_.empty(); }

  bool operator==(const Config&) const = default;

 private:
  std::vector<std::pair<std::string, Value>> entries_;
};

// "block_x=32, use_lds=true"
std::string to_string(const Config& config);

}  // namespace vyre
