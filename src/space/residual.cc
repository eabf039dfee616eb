#include "space/residual.h"

#include <algorithm>
#include <bit>

#include "base/check.h"
#include "space/python/compiler.h"
#include "space/python/stack_machine.h"

namespace vyre::space::detail {
namespace {

using Texts = std::unordered_map<std::string, std::uint64_t>;

// Self-delimiting words, so that keys are equal only if all their values are.
enum Word : std::uint64_t { kSmall, kBoolean, kInteger, kReal, kText, kFaulty };
constexpr int kTagBits = 3;

std::uint64_t word(Word tag, std::uint64_t payload) { return (payload << kTagBits) | tag; }

void append_value(const Cell& value, Texts& texts, Key& key) {
  const auto bits = static_cast<std::uint64_t>(value.i);
  switch (value.tag) {
    case Tag::boolean:
      key.push_back(word(kBoolean, bits));
      return;
    case Tag::integer:
      if (static_cast<std::int64_t>(bits << kTagBits) >> kTagBits == value.i) {
        key.push_back(word(kSmall, bits));
      } else {
        key.push_back(word(kInteger, 0));
        key.push_back(bits);
      }
      return;
    case Tag::real:
      key.push_back(word(kReal, 0));
      key.push_back(std::bit_cast<std::uint64_t>(value.d));
      return;
    case Tag::text:
      key.push_back(word(kText, texts.try_emplace(*value.s, texts.size()).first->second));
      return;
    case Tag::sequence:
      break;
  }
  VYRE_CHECK(false);
}

}  // namespace

Residual::Residual(const ReducedDefinition& reduced, std::vector<bool> bound,
                   std::span<const Constraint* const> constraints)
    : reduced_(reduced), bound_(std::move(bound)) {
  for (const bool surveying : {true, false}) {
    surveying_ = surveying;
    for (const Constraint* constraint : constraints) {
      collect(*constraint->tree, constraint->code->text, true);
    }
  }
}

Residual::Scope Residual::scope_of(const Node& node) const {
  std::vector<std::string> names;
  collect_names(node, names);
  Scope scope;
  for (const std::string& name : names) {
    const auto at = std::ranges::find(reduced_.names, name);
    const auto p = static_cast<std::size_t>(at - reduced_.names.begin());
    if (reduced_.live[p].size() == 1) continue;
    if (bound_[p]) {
      scope.bound.push_back(p);
    } else {
      scope.open = true;
    }
  }
  return scope;
}

void Residual::collect(const Node& node, const std::string& text, bool certain) {
  const Scope scope = scope_of(node);
  if (scope.bound.empty()) return;
  if (node.kind == NodeKind::name) {
    add_parameter(scope.bound[0], certain);
  } else if (!scope.open) {
    add_piece(node, text, scope, Skip::never);
  } else if (node.kind == NodeKind::comprehension) {
    for (const std::size_t p : scope.bound) add_parameter(p, certain);
  } else if (node.kind == NodeKind::conjunction || node.kind == NodeKind::disjunction) {
    collect_joined(node, text, certain);
  } else {
    for (const NodePtr& child : node.children) collect(*child, text, certain);
  }
}

// A bound operand that decides the whole makes those after it irrelevant.
void Residual::collect_joined(const Node& node, const std::string& text, bool certain) {
  const Skip skip = node.kind == NodeKind::disjunction ? Skip::if_true : Skip::if_false;
  std::vector<std::size_t> deciders;
  for (const NodePtr& child : node.children) {
    const Scope scope = scope_of(*child);
    if (scope.bound.empty() || scope.open) {
      collect(*child, text, certain);
      continue;
    }
    certain = false;
    if (surveying_) continue;
    add_piece(*child, text, scope, skip);
    deciders.push_back(parts_.size() - 1);
  }
  for (const std::size_t decider : deciders) parts_[decider].skip_to = parts_.size();
}

void Residual::add_piece(const Node& node, const std::string& text, const Scope& scope, Skip skip) {
  const auto known = [&](std::size_t p) {
    return std::ranges::find(certain_, p) != certain_.end();
  };
  if (surveying_ || (skip == Skip::never && std::ranges::all_of(scope.bound, known))) return;
  auto code = compile(node, text, reduced_.names, reduced_.limits);
  VYRE_CHECK(code.has_value());  // it is part of a constraint that compiled
  parts_.push_back({kNone, *std::move(code), scope.bound, skip, 0});
}

void Residual::add_parameter(std::size_t parameter, bool certain) {
  const bool known = std::ranges::find(certain_, parameter) != certain_.end();
  if (known) return;
  if (surveying_) {
    if (certain) certain_.push_back(parameter);
    return;
  }
  parts_.push_back({parameter, nullptr, {}, Skip::never, 0});
}

void Residual::append_key(std::span<const Cell> cells, PointView values, Evaluation& evaluation,
                          Texts& texts, Key& key) const {
  for (const std::size_t p : certain_) key.push_back(values[p]);
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    const Part& part = parts_[i];
    if (part.parameter != kNone) {
      key.push_back(values[part.parameter]);
      continue;
    }
    Cell value;
    std::size_t where = 0;
    evaluation.steps_left = reduced_.limits.most_steps;
    const bool done = run(*part.code, cells, evaluation, value, where);
    if (!done || value.tag == Tag::sequence) {
      key.push_back(word(kFaulty, 0));
      for (const std::size_t p : part.uses) key.push_back(values[p]);
    } else {
      append_value(value, texts, key);
      const Skip decided = truth(value) ? Skip::if_true : Skip::if_false;
      if (part.skip == decided) i = part.skip_to - 1;
    }
    evaluation.pool.clear();
  }
}

}  // namespace vyre::space::detail
