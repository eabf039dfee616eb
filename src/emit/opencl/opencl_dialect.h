// OpenCL C 1.2 as a dialect.

#pragma once

#include "emit/c_like/dialect.h"

namespace vyre::emit::opencl {

extern const Dialect kDialect;

}  // namespace vyre::emit::opencl
