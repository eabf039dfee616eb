#include "ir/validate/references.h"

namespace vyre::ir {

void References::at_most(std::size_t count, std::uint32_t limit, std::string_view what) {
  if (count <= limit) return;
  report("V004", "it has {} {}; the limit is {}, so split it", count, what, limit);
}

void References::use(User user, Uses& uses, std::uint32_t id, std::size_t end) {
  if (id >= uses.counts.size()) return in_range(user, uses.kind, id, uses.counts.size());
  if (id < end) {
    ++uses.counts[id];
  } else {
    report("V002", "{} {} refers to {} {}, which does not come before it; put children first",
           user.kind, user.id, uses.kind, id);
  }
}

void References::use_if_any(User user, Uses& uses, std::uint32_t id) {
  if (id != kNone) use(user, uses, id);
}

void References::in_range(User user, std::string_view what, std::uint32_t id, std::size_t count) {
  if (id == kNone) {
    report("V001", "{} {} lacks a required {}; give it one", user.kind, user.id, what);
  } else if (id >= count) {
    report("V001", "{} {} refers to {} {}, but ids end at {}; use one below that", user.kind,
           user.id, what, id, count);
  }
}

void References::stray(User user, bool is_set, std::string_view field) {
  if (!is_set) return;
  report("V001", "{} {} sets {}, for which it has no use; leave that at its default", user.kind,
         user.id, field);
}

void References::known(User user, bool is_known_value, std::string_view field) {
  if (is_known_value) return;
  report("V001", "{} {} has an unknown {}; use one that there is", user.kind, user.id, field);
}

void References::once(const Uses& uses, std::string_view verb) {
  for (std::size_t i = 0; i < uses.counts.size() && errors_.size() < kMaxFindings; ++i) {
    if (uses.counts[i] == 1) continue;
    report("V003", "{} {} is {} {} times; it must be exactly once", uses.kind, i, verb,
           uses.counts[i]);
  }
}

}  // namespace vyre::ir
