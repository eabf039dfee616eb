#include "fuse/plan_space.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>

#include "fuse/link_values.h"
#include "ir/ops.h"
#include "ir/tunable_value.h"

namespace vyre::fuse {
namespace {

// The most links of a constraint that pins a tunable. In a long chain such constraints would tie
// everything together: the space of 32 steps with two tunables each took 8 GB. There, tunables that
// nothing uses are left free.
constexpr std::size_t kMostLinksOfPin = kFewLinks;
constexpr std::size_t kMostLinksOfPinInLong = 2;

// Of a program or of a sequence: its own expressions.
template <class Def>
bool uses(const Def& def, const std::string& tunable) {
  return std::ranges::any_of(def.exprs, [&](const ir::Expr& e) {
    return e.op == ir::Op::symbol && def.symbols[e.index].name == tunable;
  });
}

space::Parameter parameter_of(const ir::Symbol& tunable) {
  space::Parameter out{tunable.name, {}};
  for (const std::uint64_t bits : tunable.values) {
    out.values.push_back(ir::value_of(tunable.type, bits));
  }
  return out;
}

std::string python_literal(const Value& value) {
  if (const bool* truth = std::get_if<bool>(&value)) return *truth ? "True" : "False";
  return vyre::to_string(value);
}

class Constraints {
 public:
  Constraints(const ir::SequenceDef& original, std::span<const Link> links,
              std::span<const FoundInterval> intervals)
      : original_(original), links_(links), intervals_(intervals) {}

  // A run of joined links is legal if it is an interval. Intervals are joined from the left, so it
  // is enough to forbid each step from a legal run, or from a step alone, to a longer run that is
  // not legal.
  std::vector<std::string> of_plans() const {
    std::vector<std::string> out;
    for (std::uint32_t step = 0; step < original_.steps.size(); ++step) forbid(step, step, {}, out);
    for (const FoundInterval& i : intervals_) forbid(i.first, i.last, i.kinds, out);
    return out;
  }

  // Something that is on uses the tunable, or it is at its default. Empty: that is always so, or
  // the constraint would be over too many links.
  std::string of_tunable(const ir::Symbol& tunable) const {
    if (uses(original_, tunable.name)) return "";
    std::vector<std::vector<LinkValue>> users;
    for (std::uint32_t step = 0; step < original_.steps.size(); ++step) {
      if (!uses(original_.programs[original_.steps[step].program], tunable.name)) continue;
      users.push_back(values_of_step(links_, step));
      if (users.back().empty()) return "";
    }
    for (const FoundInterval& i : intervals_) {
      if (!uses(i.stage.program, tunable.name)) continue;
      users.push_back(values_of(links_, i.first, i.last, i.kinds));
    }
    std::set<std::uint32_t> links;
    std::string out = fmt::format("{} == {}", tunable.name,
                                  python_literal(ir::value_of(tunable.type, tunable.default_bits)));
    for (const std::vector<LinkValue>& terms : users) {
      out += fmt::format(" or ({})", in_python(links_, terms));
      for (const LinkValue& term : terms) links.insert(term.link);
    }
    const std::size_t most = links_.size() > kFewLinks ? kMostLinksOfPinInLong : kMostLinksOfPin;
    return links.size() > most ? "" : out;
  }

 private:
  bool is_interval(std::uint32_t first, std::uint32_t last, std::span<const Kind> kinds) const {
    return std::ranges::any_of(intervals_, [&](const FoundInterval& i) {
      return i.first == first && i.last == last && std::ranges::equal(i.kinds, kinds);
    });
  }

  void forbid(std::uint32_t first, std::uint32_t last, std::vector<Kind> kinds,
              std::vector<std::string>& out) const {
    if (last >= links_.size()) return;
    std::vector<unsigned> illegal;
    for (const Kind kind : kinds_of_link(intervals_, last)) {
      kinds.push_back(kind);
      if (!is_interval(first, last + 1, kinds)) illegal.push_back(static_cast<unsigned>(kind));
      kinds.pop_back();
    }
    if (illegal.empty()) return;
    std::vector<LinkValue> run = values_of(links_, first, last, kinds);
    run.pop_back();  // of the link behind it
    out.push_back(fmt::format("{} not in [{}]{}", links_[last].tunable, fmt::join(illegal, ", "),
                              run.empty() ? "" : " or not (" + in_python(links_, run) + ")"));
  }

  const ir::SequenceDef& original_;
  std::span<const Link> links_;
  std::span<const FoundInterval> intervals_;
};

}  // namespace

std::vector<Kind> kinds_of_link(std::span<const FoundInterval> intervals, std::uint32_t link) {
  std::set<Kind> out;
  for (const FoundInterval& i : intervals) {
    if (i.first <= link && link < i.last) out.insert(i.kinds[link - i.first]);
  }
  return {out.begin(), out.end()};
}

space::Definition plan_space(const ir::SequenceDef& original, std::span<const Link> links,
                             std::span<const FoundInterval> intervals,
                             std::span<const ir::Symbol> tunables) {
  space::Definition out;
  const Constraints constraints(original, links, intervals);
  out.constraints = constraints.of_plans();
  for (const Link& link : links) {
    if (link.tunable.empty()) continue;
    space::Parameter parameter{link.tunable, {std::int64_t{0}}};
    for (const Kind kind : kinds_of_link(intervals, link.first)) {
      parameter.values.emplace_back(static_cast<std::int64_t>(kind));
    }
    out.parameters.push_back(std::move(parameter));
  }
  for (const ir::Symbol& tunable : tunables) {
    const bool is_link = std::ranges::find(links, tunable.name, &Link::tunable) != links.end();
    if (is_link || tunable.values.size() < 2) continue;
    out.parameters.push_back(parameter_of(tunable));
    std::string pin = constraints.of_tunable(tunable);
    if (!pin.empty()) out.constraints.push_back(std::move(pin));
  }
  return out;
}

}  // namespace vyre::fuse
