// Expressions from text to value, with errors as users see them.

#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "space/python/expression_code.h"

namespace vyre::space::detail {

using CodePtr = std::shared_ptr<const ExpressionCode>;

// The functions below fill `place` on failure, unless it is null.

Expected<CodePtr> compile_text(std::string_view text, std::span<const std::string> names,
                               Place* place, const ExpressionLimits& limits);

// One value per name of the code.
Expected<Value> evaluate(const ExpressionCode& code, std::span<const Value> values, Place* place);
Expected<bool> test(const ExpressionCode& code, std::span<const Value> values, Place* place);
Expected<std::vector<Value>> evaluate_list(const ExpressionCode& code,
                                           std::span<const Value> values, Place* place);

// The one-line error for a fault in `text`.
Error to_error(std::string_view text, const Fault& fault, Place* place);

}  // namespace vyre::space::detail
