// From a syntax tree to code.

#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "space/python/expression_code.h"

namespace vyre::space::detail {

// The code of one tree of `text`. A piece without names is evaluated at once. If that fails, the
// failure is left for the moment in which the piece is reached, as in Python.
Parsed<std::shared_ptr<const ExpressionCode>> compile(const Node& node, std::string_view text,
                                                      std::span<const std::string> names,
                                                      const ExpressionLimits& limits);

}  // namespace vyre::space::detail
