// ReducedDefinition: a definition prepared for construction: constraints compiled and split at
// their outer "and"s, values that a constraint on one parameter alone removes already gone.

#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "space/python/expression_code.h"
#include "vyre/space.h"

namespace vyre::space::detail {

inline constexpr std::size_t kNone = ~std::size_t{0};

struct Constraint {
  std::shared_ptr<const ExpressionCode> code;  // over all parameters
  const Node* tree = nullptr;
  std::size_t source = 0;               // which of the definition's constraints it is part of
  std::vector<std::size_t> parameters;  // that it uses, ascending
  bool applied = false;                 // nothing left to check in the tries
};

struct ReducedDefinition {
  std::vector<std::string> names;
  std::vector<std::vector<Cell>> cells;          // [parameter][value]; texts are the definition's
  std::vector<std::vector<std::uint32_t>> live;  // [parameter]: values still possible
  std::vector<std::vector<std::size_t>> faulty;  // [parameter][value]: constraint that failed
                                                 // to evaluate with it, or kNone
  std::vector<NodePtr> trees;                    // one per constraint of the definition
  std::vector<Constraint> constraints;
  std::vector<std::uint64_t> removals;  // per constraint of the definition
  std::uint64_t steps = 0;
  bool empty = false;
  ExpressionLimits limits;
};

// Whether the constraint holds for the values in `cells`, one per parameter.
enum class Verdict : std::uint8_t { unknown, no, yes, faulty };
Verdict judge(const Constraint& constraint, std::span<const Cell> cells, Evaluation& evaluation);

// Only the first `most_constraints` of the definition count. The definition must outlive the
// result, and must be one that `check_parameters` accepts.
Expected<ReducedDefinition> reduce(const Definition& definition, std::size_t most_constraints,
                                   const Options& options, Place* place);

Expected<void> check_parameters(const std::vector<Parameter>& parameters);

// The error of a constraint that cannot be evaluated for these values.
Error faulty_constraint(const ReducedDefinition& reduced, const Constraint& constraint,
                        std::span<const Cell> cells, Place* place);

}  // namespace vyre::space::detail
