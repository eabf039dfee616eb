// Random small spaces, against trying every combination.

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "vyre/space.h"

namespace vyre::space {
namespace {

constexpr const char* kNames[] = {"a", "b", "c", "d", "e"};

std::string name(std::size_t parameters) {
  return kNames[*rc::gen::inRange<std::size_t>(0, parameters)];
}

std::string term(std::size_t parameters, int depth) {
  if (depth == 0)
    return *rc::gen::inRange(0, 3) == 0 ? *rc::gen::element<std::string>("2", "3", "0.5")
                                        : name(parameters);
  static const std::vector<std::string> operators = {"+", "-", "*", "//", "%", "/", "&"};
  return "(" + term(parameters, depth - 1) + " " + *rc::gen::elementOf(operators) + " " +
         term(parameters, depth - 1) + ")";
}

std::string constraint(std::size_t parameters) {
  static const std::vector<std::string> comparisons = {"<", "<=", "==", "!=", ">"};
  const auto comparison = [&] {
    return term(parameters, *rc::gen::inRange(0, 3)) + " " + *rc::gen::elementOf(comparisons) +
           " " + term(parameters, *rc::gen::inRange(0, 2));
  };
  switch (*rc::gen::inRange(1, 7)) {
    case 1:
      return comparison() + " or " + comparison();
    case 2:
      return "not (" + comparison() + " and " + comparison() + ")";
    case 3:
      return name(parameters) + " in [" + name(parameters) + ", 2, " + term(parameters, 1) + "]";
    case 4:
      return "(" + term(parameters, 1) + " if " + comparison() + " else " + name(parameters) +
             ") > 0";
    case 5:
      return "max(x * " + name(parameters) + " for x in [1, " + name(parameters) + "]) < 6";
    default:
      return comparison();
  }
}

struct Given {
  Definition definition;
  std::vector<std::string> parts;  // its constraints, split at outer "and"s
};

Given make_given() {
  const auto count = *rc::gen::inRange<std::size_t>(1, 6);
  Definition out;
  for (std::size_t p = 0; p < count; ++p) {
    const unsigned chosen = *rc::gen::inRange(1U, 256U);
    Parameter parameter{kNames[p], {}};
    for (int bit = 0; bit < 8 && parameter.values.size() < 4; ++bit) {
      if ((chosen >> bit & 1U) != 0) parameter.values.emplace_back(std::int64_t{bit - 2});
    }
    out.parameters.push_back(std::move(parameter));
  }
  const int constraints = *rc::gen::inRange(0, 5);
  std::vector<std::string> parts;
  for (int i = 0; i < constraints; ++i) {
    parts.push_back(constraint(count));
    const bool join = i > 0 && *rc::gen::inRange(0, 4) == 0;
    if (join) {
      out.constraints.back() = "(" + out.constraints.back() + ") and (" + parts.back() + ")";
    } else {
      out.constraints.push_back(parts.back());
    }
  }
  return {std::move(out), std::move(parts)};
}

struct Truth {
  std::vector<Point> all;
  std::vector<Point> valid;
  bool faulty = false;  // a constraint fails to evaluate where no other one is false
};

std::vector<Point> product(const std::vector<Parameter>& parameters) {
  std::vector<Point> points = {{}};
  for (const Parameter& parameter : parameters) {
    std::vector<Point> longer;
    for (const Point& point : points) {
      for (std::uint32_t v = 0; v < parameter.values.size(); ++v) {
        longer.push_back(point);
        longer.back().push_back(v);
      }
    }
    points = std::move(longer);
  }
  return points;
}

Truth find_truth(const Definition& given, const std::vector<std::string>& parts) {
  std::vector<std::string> names;
  for (const Parameter& parameter : given.parameters) names.push_back(parameter.name);
  std::vector<Expression> constraints;
  for (const std::string& text : parts) constraints.push_back(*Expression::compile(text, names));
  Truth out;
  out.all = product(given.parameters);
  for (const Point& point : out.all) {
    std::vector<Value> values;
    for (std::size_t p = 0; p < point.size(); ++p)
      values.push_back(given.parameters[p].values[point[p]]);
    bool excluded = false;
    bool faulty = false;
    for (const Expression& expression : constraints) {
      const auto holds = expression.test(values);
      if (!holds) faulty = true;
      if (holds && !*holds) excluded = true;
    }
    if (excluded) continue;
    out.faulty = out.faulty || faulty;
    out.valid.push_back(point);
  }
  return out;
}

std::uint64_t distance(const Point& a, const Point& b, std::uint64_t& steps) {
  std::uint64_t changes = 0;
  steps = 0;
  for (std::size_t p = 0; p < a.size(); ++p) {
    changes += a[p] != b[p] ? 1 : 0;
    steps += std::max(a[p], b[p]) - std::min(a[p], b[p]);
  }
  return changes;
}

void check_nearest(const Space& space, const Truth& truth, const Point& from) {
  std::pair<std::uint64_t, std::uint64_t> least{~0ULL, 0};
  for (std::uint64_t i = 0; i < space.size(); ++i) {
    std::uint64_t steps = 0;
    const std::uint64_t changes = distance(from, space.at(i), steps);
    least = std::min(least, {changes, steps});
  }
  const Nearest found = space.nearest_valid(PointView(from));
  std::uint64_t steps = 0;
  const std::uint64_t changes = distance(from, space.at(found.index), steps);
  RC_ASSERT(least == std::make_pair(changes, steps));
  RC_ASSERT(found.changed.size() == changes);
  RC_ASSERT(found.changed.empty() == std::ranges::binary_search(truth.valid, from));
}

void check_neighbours(const Space& space, const Truth& truth, const Point& from) {
  std::vector<std::uint64_t> hamming;
  std::vector<std::uint64_t> adjacent;
  for (std::size_t p = 0; p < from.size(); ++p) {
    std::optional<std::uint64_t> below;
    std::optional<std::uint64_t> above;
    for (std::uint32_t v = 0; v < space.parameters()[p].values.size(); ++v) {
      Point changed = from;
      changed[p] = v;
      if (v == from[p] || !std::ranges::binary_search(truth.valid, changed)) continue;
      hamming.push_back(*space.index_of(changed));
      if (v < from[p]) below = hamming.back();
      if (v > from[p] && !above) above = hamming.back();
    }
    if (below) adjacent.push_back(*below);
    if (above) adjacent.push_back(*above);
  }
  RC_ASSERT(space.hamming_neighbours(from) == hamming);
  RC_ASSERT(space.adjacent_neighbours(from) == adjacent);
}

RC_GTEST_PROP(SpaceProperty, AgreesWithFiltering, ()) {
  const auto [given, parts] = make_given();
  for (const std::string& text : given.constraints) RC_LOG() << text << "\n";
  const Truth truth = find_truth(given, parts);
  const auto space = Space::build(given);
  RC_CLASSIFY(truth.faulty, "faulty");
  RC_CLASSIFY(truth.valid.empty(), "empty");
  RC_ASSERT(space.has_value() == (!truth.faulty && !truth.valid.empty()));
  if (!space) return;
  RC_ASSERT(space->size() == truth.valid.size());
  std::vector<Point> listed;
  for (std::uint64_t i = 0; i < space->size(); ++i) {
    listed.push_back(space->at(i));
    RC_ASSERT(space->index_of(listed.back()) == i);
  }
  std::ranges::sort(listed);
  RC_ASSERT(listed == truth.valid);
  for (const Point& point : truth.all) {
    RC_ASSERT(space->contains(point) == std::ranges::binary_search(truth.valid, point));
  }
  const Point from = *rc::gen::elementOf(truth.all);
  check_nearest(*space, truth, from);
  check_neighbours(*space, truth, from);
  const auto counts = space->statistics().value_counts;
  for (std::size_t p = 0; p < from.size(); ++p) {
    const auto has = [&](const Point& point) { return point[p] == from[p]; };
    RC_ASSERT(counts[p][from[p]] ==
              static_cast<std::uint64_t>(std::ranges::count_if(truth.valid, has)));
  }
}

}  // namespace
}  // namespace vyre::space
