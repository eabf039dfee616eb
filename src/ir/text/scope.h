// The names that a place in the text can see.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "vyre/program.h"

namespace vyre::ir {

enum class NamedKind : std::uint8_t { symbol, buffer, variable };

struct Named {
  NamedKind kind = NamedKind::symbol;
  std::uint32_t index = 0;
  Type type;  // of its value, or of a buffer's elements
};

// Blocks nest: names declared since a mark are forgotten at the end of the block. A name that is
// declared again means the later declaration; `validate` decides whether a variable may hide
// another name.
class Scope {
 public:
  void declare(const std::string& name, Named named) {
    names_[name].push_back(named);
    order_.push_back(name);
  }

  const Named* find(std::string_view name) const {
    const auto it = names_.find(std::string(name));
    return it == names_.end() ? nullptr : &it->second.back();
  }

  std::size_t mark() const { return order_.size(); }
  void forget_since(std::size_t mark) {
    for (; order_.size() > mark; order_.pop_back()) {
      const auto it = names_.find(order_.back());
      it->second.pop_back();
      if (it->second.empty()) names_.erase(it);
    }
  }

  // All visible names, in order of declaration: for suggestions.
  const std::vector<std::string>& visible() const { return order_; }
  std::vector<std::string> visible(NamedKind kind) const {
    std::vector<std::string> names;
    for (const std::string& name : order_) {
      if (find(name)->kind == kind) names.push_back(name);
    }
    return names;
  }

 private:
  std::unordered_map<std::string, std::vector<Named>> names_;
  std::vector<std::string> order_;
};

}  // namespace vyre::ir
