// Statements of the builder: types are checked, and a statement is recorded in the open scope.

#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "ir/build/recorder.h"

namespace vyre::ir {

// Declares a variable with its first value; gives its index, or none after a mistake.
std::uint32_t introduce_variable(Recorder& recorder, std::string_view name, Type type,
                                 bool is_mutable, const Operand& value);

void assign_variable(Recorder& recorder, std::uint32_t variable, const Operand& value);

// `width` elements from index * width on.
void store_elements(Recorder& recorder, std::uint32_t buffer, const Operand& index,
                    const Operand& value, std::uint8_t width);

// Stores to the element that `loaded` was loaded from.
void store_back(const Value& loaded, const Operand& value);

// The result is the old value. `expected` is for compare_exchange only, else null.
Value add_atomic(Recorder& recorder, AtomicOp op, const Array& array, const Operand& index,
                 const Operand& value, const Operand* expected);

// Runs `body` in a new scope; none if the scope could not be opened.
ScopeId in_scope(Recorder& recorder, ScopeKind kind, std::string label, const Location& at,
                 const std::function<void()>& body);

}  // namespace vyre::ir
