// Operations on the builder's values: types are checked, and a node is recorded.
//
// Operands may be literals; those take the type of the other operands. After a mistake every
// operation gives an empty value.

#pragma once

#include <cstdint>
#include <string_view>

#include "ir/build/recorder.h"

namespace vyre::ir {

// An operation of ops.def, or `select`.
Value apply(Op op, Operands operands);
// The same for bools only; `spelling` is the C++ operator for messages.
Value apply_bools(Op op, std::string_view spelling, Operands operands);
// `cast` or `bitcast`.
Value convert(Op op, Scalar to, const Operand& value);

Value make_vector(Recorder& recorder, Operands elements);
// Element `i` of a vector; `i` must be a literal.
Value extract_element(const Value& vector, const Operand& i);

// `width` elements from index * width on.
Value load_elements(Recorder& recorder, std::uint32_t buffer, const Operand& index,
                    std::uint8_t width);

}  // namespace vyre::ir
