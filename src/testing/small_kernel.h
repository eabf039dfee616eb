// Small kernels for tests of the builder.

#pragma once

#include <functional>
#include <string>

#include "vyre/builder.h"

namespace vyre::testing {

// x is read, y and z are read_write, all f32[n]; i is a u32 scalar.
struct KernelNames {
  ir::Value i;
  ir::Array x, y, z;
};

using KernelBody = std::function<void(ir::Builder&, KernelNames&)>;

// The printed statements of the kernel with that body, or why it could not be built.
std::string statements(const KernelBody& body);

}  // namespace vyre::testing
