// CUDA C++ as a dialect, in the part of it that HIP has too.

#pragma once

#include "emit/c_like/dialect.h"

namespace vyre::emit::cuda {

extern const Dialect kDialect;

}  // namespace vyre::emit::cuda
