// GLSL for Vulkan as a dialect.

#pragma once

#include "emit/c_like/dialect.h"

namespace vyre::emit::glsl_dialect {

extern const Dialect kDialect;

}  // namespace vyre::emit::glsl_dialect
