// Residual: the part of the earlier parameters' values that constraints still need.
//
// After a and b are bound, "a * b * c <= 1024" depends on a * b alone. Two partial configurations
// in which all such pieces agree allow exactly the same continuations, so they share one node. The
// values of the pieces, one after the other, are the key under which a node is found.

#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "space/reduced_definition.h"

namespace vyre::space::detail {

using Key = std::vector<std::uint64_t>;

class Residual {
 public:
  // `bound[p]`: whether parameter p is bound before this level. A parameter with a single value is
  // ignored. `constraints`: those that are still to be checked.
  Residual(const ReducedDefinition& reduced, std::vector<bool> bound,
           std::span<const Constraint* const> constraints);

  // Appends the key of these values. `texts` numbers texts, and must be the same for all keys
  // that are compared.
  void append_key(std::span<const Cell> cells, PointView values, Evaluation& evaluation,
                  std::unordered_map<std::string, std::uint64_t>& texts, Key& key) const;

 private:
  enum class Skip : std::uint8_t { never, if_true, if_false };
  struct Part {
    std::size_t parameter = kNone;               // its value's index, or
    std::shared_ptr<const ExpressionCode> code;  // this piece's value
    std::vector<std::size_t> uses;
    Skip skip = Skip::never;  // of the parts before `skip_to`, if this piece decides an and / or
    std::size_t skip_to = 0;
  };
  struct Scope {
    std::vector<std::size_t> bound;  // parameters
    bool open = false;               // it has parameters that are not bound
  };

  Scope scope_of(const Node& node) const;
  void collect(const Node& node, const std::string& text, bool certain);
  void collect_joined(const Node& node, const std::string& text, bool certain);
  void add_piece(const Node& node, const std::string& text, const Scope& scope, Skip skip);
  void add_parameter(std::size_t parameter, bool certain);

  const ReducedDefinition& reduced_;
  std::vector<bool> bound_;
  bool surveying_ = true;             // first pass: only finds certain_
  std::vector<std::size_t> certain_;  // parameters whose values stand at the start of every key
  std::vector<Part> parts_;
};

}  // namespace vyre::space::detail
