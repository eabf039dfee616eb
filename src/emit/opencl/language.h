// What OpenCL C calls things: types, ids, reserved words.

#pragma once

#include <string>
#include <string_view>

#include "emit/c_like/text.h"
#include "vyre/program.h"

namespace vyre::emit::opencl {

std::string type_name(ir::Type type);             // "uint", "float4"
std::string_view unsigned_name(ir::Scalar type);  // "uint" for i32, "ulong" for i64
std::string_view space_of(ir::Access access);     // "global", "local" or "private"

// One element of a vector.
std::string_view component(std::uint32_t index);

// `index` as in Expr::index. Sizes of a workgroup are constants and not asked for here.
Text id_text(std::uint32_t index);

bool is_reserved(std::string_view word);

}  // namespace vyre::emit::opencl
