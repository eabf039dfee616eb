// References between nodes, checked one by one. check_structure reports through this class.

#pragma once

#include <fmt/format.h>

#include <string_view>
#include <vector>

#include "base/text.h"
#include "ir/validate/inspection.h"

namespace vyre::ir {

// The node that refers to another one: "statement 3".
struct User {
  std::string_view kind;
  std::size_t id = 0;
};

// How often each node of one kind is used.
struct Uses {
  std::string_view kind;
  std::vector<std::uint32_t> counts;
};

class References {
 public:
  // Both must outlive this; they begin every message.
  References(std::string_view kind, std::string_view name) : kind_(kind), name_(name) {}

  bool empty() const { return errors_.empty(); }
  std::vector<Error> take() { return std::move(errors_); }

  template <class... Args>
  void report(std::string_view code, fmt::format_string<Args...> format, Args&&... args) {
    if (errors_.size() >= kMaxFindings) return;
    auto text = fmt::format(format, std::forward<Args>(args)...);
    errors_.push_back({ErrorKind::rejected, std::string(code),
                       fmt::format("{} {}: {}", kind_, quote(name_), text)});
  }

  // V004.
  void at_most(std::size_t count, std::uint32_t limit, std::string_view what);

  // Counts a use of the node. V001: the id is none, or there is no such node. V002: the node is not
  // below `end`, and so does not come before its user.
  void use(User user, Uses& uses, std::uint32_t id, std::size_t end);
  void use(User user, Uses& uses, std::uint32_t id) { use(user, uses, id, uses.counts.size()); }
  void use_if_any(User user, Uses& uses, std::uint32_t id);

  // V001.
  void in_range(User user, std::string_view what, std::uint32_t id, std::size_t count);
  void stray(User user, bool is_set, std::string_view field);
  void known(User user, bool is_known_value, std::string_view field);

  // V003.
  void once(const Uses& uses, std::string_view verb);

 private:
  std::string_view kind_;
  std::string_view name_;
  std::vector<Error> errors_;
};

}  // namespace vyre::ir
