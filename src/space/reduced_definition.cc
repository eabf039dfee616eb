#include "space/reduced_definition.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "base/error.h"
#include "base/text.h"
#include "space/python/compiler.h"
#include "space/python/evaluate.h"
#include "space/python/parser.h"
#include "space/python/stack_machine.h"

namespace vyre::space::detail {
namespace {

constexpr std::size_t kMostParameters = 4096;

// Each part of an outer "and" is a constraint of its own, which can be applied earlier.
Expected<void> add_parts(ReducedDefinition& reduced, const Node& tree, std::string_view text,
                         std::size_t source, Place* place) {
  if (tree.kind == NodeKind::conjunction) {
    for (const NodePtr& child : tree.children) {
      VYRE_TRY_VOID(add_parts(reduced, *child, text, source, place));
    }
    return {};
  }
  auto code = compile(tree, text, reduced.names, reduced.limits);
  if (!code) return std::unexpected(to_error(text, code.error(), place));
  Constraint constraint{*std::move(code), &tree, source, {}, false};
  for (std::size_t p = 0; p < reduced.names.size(); ++p) {
    const auto& uses = constraint.code->uses;
    if (std::ranges::find(uses, reduced.names[p]) != uses.end()) {
      constraint.parameters.push_back(p);
    }
  }
  reduced.constraints.push_back(std::move(constraint));
  return {};
}

Expected<void> add_constraint(ReducedDefinition& reduced, std::string_view text, std::size_t source,
                              Place* place) {
  const auto in_context = [&](Error error) {
    error.message = fmt::format("constraint {}: {}", source + 1, error.message);
    return std::unexpected(std::move(error));
  };
  if (text.size() > reduced.limits.most_bytes) {
    return bad_inputs("constraint {} has {} bytes; the limit is {}", source + 1, text.size(),
                      reduced.limits.most_bytes);
  }
  auto tree = parse(text, reduced.limits.most_nesting);
  if (!tree) return in_context(to_error(text, tree.error(), place));
  reduced.trees.push_back(*std::move(tree));
  auto added = add_parts(reduced, *reduced.trees.back(), text, source, place);
  if (!added) return in_context(std::move(added).error());
  return {};
}

// Applies the constraints on one parameter to its values before anything else. Where that leaves a
// parameter with a single value, the parameter counts as a constant, so further constraints may
// become constraints on one parameter; this repeats until nothing changes.
class Filter {
 public:
  explicit Filter(ReducedDefinition& reduced)
      : reduced_(reduced), cells_(reduced.cells.size()), evaluation_(reduced.limits.most_steps) {
    for (std::size_t p = 0; p < cells_.size(); ++p) cells_[p] = reduced.cells[p][0];
  }

  void run() {
    for (bool changed = true; changed && !reduced_.empty;) {
      changed = false;
      for (Constraint& constraint : reduced_.constraints) {
        if (!constraint.applied && apply(constraint)) changed = true;
      }
    }
  }

 private:
  // Whether the constraint has at most one parameter that is still open, and was applied.
  bool apply(Constraint& constraint) {
    std::size_t open = kNone;
    for (const std::size_t p : constraint.parameters) {
      if (reduced_.live[p].empty()) return false;
      cells_[p] = reduced_.cells[p][reduced_.live[p][0]];
      if (reduced_.live[p].size() == 1) continue;
      if (open != kNone) return false;
      open = p;
    }
    constraint.applied = true;
    if (open == kNone && constraint.parameters.empty()) {
      apply_constant(constraint);
    } else {
      keep(constraint, open == kNone ? constraint.parameters[0] : open);
    }
    return true;
  }

  void apply_constant(const Constraint& constraint) {
    ++reduced_.steps;
    const Verdict verdict = judge(constraint, cells_, evaluation_);
    if (verdict == Verdict::no) remove_all(constraint);
    if (verdict != Verdict::faulty) return;
    for (std::size_t& at : reduced_.faulty[0]) at = index_of(constraint);
  }

  void keep(const Constraint& constraint, std::size_t parameter) {
    std::erase_if(reduced_.live[parameter], [&](std::uint32_t value) {
      ++reduced_.steps;
      cells_[parameter] = reduced_.cells[parameter][value];
      const Verdict verdict = judge(constraint, cells_, evaluation_);
      if (verdict == Verdict::faulty) reduced_.faulty[parameter][value] = index_of(constraint);
      if (verdict == Verdict::no) ++reduced_.removals[constraint.source];
      return verdict == Verdict::no;
    });
    if (reduced_.live[parameter].empty()) reduced_.empty = true;
  }

  void remove_all(const Constraint& constraint) {
    ++reduced_.removals[constraint.source];
    reduced_.empty = true;
  }

  std::size_t index_of(const Constraint& constraint) const {
    return static_cast<std::size_t>(&constraint - reduced_.constraints.data());
  }

  ReducedDefinition& reduced_;
  std::vector<Cell> cells_;
  Evaluation evaluation_;
};

void add_parameter(ReducedDefinition& reduced, const Parameter& parameter) {
  const std::size_t count = parameter.values.size();
  reduced.names.push_back(parameter.name);
  reduced.faulty.emplace_back(count, kNone);
  auto& cells = reduced.cells.emplace_back(count);
  auto& live = reduced.live.emplace_back(count);
  for (std::uint32_t v = 0; v < count; ++v) {
    cells[v] = to_cell(parameter.values[v]);
    live[v] = v;
  }
}

// Finds equal values in linear time: numbers that Python holds equal are equal as doubles.
Expected<void> check_values(const Parameter& parameter) {
  std::unordered_multimap<double, const Value*> numbers;
  std::unordered_set<std::string_view> texts;
  for (const Value& value : parameter.values) {
    const auto twice = [&] {
      return bad_inputs("parameter {} has the value {} twice", quote(parameter.name),
                        to_string(value));
    };
    if (const auto* text = std::get_if<std::string>(&value)) {
      if (!texts.insert(*text).second) return twice();
      continue;
    }
    const double key = to_cell(value).as_real();
    if (key != key) return bad_inputs("parameter {} has a NaN value", quote(parameter.name));
    const auto [first, last] = numbers.equal_range(key);
    for (auto it = first; it != last; ++it) {
      if (equal_in_python(*it->second, value)) return twice();
    }
    numbers.emplace(key, &value);
  }
  return {};
}

}  // namespace

Verdict judge(const Constraint& constraint, std::span<const Cell> cells, Evaluation& evaluation) {
  const ExpressionCode& code = *constraint.code;
  evaluation.steps_left = code.limits.most_steps;
  Cell value;
  std::size_t where = 0;
  const bool done = run(code, cells, evaluation, value, where);
  const Verdict verdict = !done ? Verdict::faulty : truth(value) ? Verdict::yes : Verdict::no;
  evaluation.pool.clear();
  return verdict;
}

Expected<void> check_parameters(const std::vector<Parameter>& parameters) {
  if (parameters.empty()) return bad_inputs("a space needs at least one parameter");
  if (parameters.size() > kMostParameters) {
    return bad_inputs("{} parameters; the limit is {}", parameters.size(), kMostParameters);
  }
  std::unordered_set<std::string_view> names;
  for (const Parameter& parameter : parameters) {
    if (parameter.name.empty()) return bad_inputs("a parameter has no name");
    if (!names.insert(parameter.name).second) {
      return bad_inputs("two parameters are called {}", quote(parameter.name));
    }
    if (parameter.values.empty()) {
      return bad_inputs("parameter {} has no values", quote(parameter.name));
    }
    VYRE_TRY_VOID(check_values(parameter));
  }
  return {};
}

Expected<ReducedDefinition> reduce(const Definition& definition, std::size_t most_constraints,
                                   const Options& options, Place* place) {
  ReducedDefinition reduced;
  reduced.limits = options.expression;
  for (const Parameter& parameter : definition.parameters) add_parameter(reduced, parameter);
  const std::size_t count = std::min(most_constraints, definition.constraints.size());
  reduced.removals.resize(definition.constraints.size());
  for (std::size_t i = 0; i < count; ++i) {
    VYRE_TRY_VOID(add_constraint(reduced, definition.constraints[i], i, place));
  }
  Filter(reduced).run();
  return reduced;
}

Error faulty_constraint(const ReducedDefinition& reduced, const Constraint& constraint,
                        std::span<const Cell> cells, Place* place) {
  const ExpressionCode& code = *constraint.code;
  Evaluation evaluation(code.limits.most_steps);
  Cell value;
  std::size_t at = 0;
  run(code, cells, evaluation, value, at);
  Config config;
  for (const std::size_t p : constraint.parameters) {
    config.set(reduced.names[p], to_value(cells[p]));
  }
  Error error = to_error(code.text, Fault{evaluation.problem, code.places[at]}, place);
  error.message = fmt::format("constraint {}: {}", constraint.source + 1, error.message);
  if (!config.empty()) error.message += fmt::format(" (for {})", to_string(config));
  return error;
}

}  // namespace vyre::space::detail
