#include "testing/small_kernel.h"

#include "vyre/program.h"

namespace vyre::testing {

std::string statements(const KernelBody& body) {
  const auto program = ir::build("k", [&](ir::Builder& b) {
    const auto n = b.shape("n");
    KernelNames names;
    names.x = b.read(ir::f32, "x", n);
    names.y = b.read_write(ir::f32, "y", n);
    names.z = b.read_write(ir::f32, "z", n);
    names.i = b.scalar(ir::u32, "i");
    body(b, names);
  });
  if (!program) return program.error().message;
  const std::string text = ir::print(*program);
  const std::size_t start = text.find("\n\n");
  return start == std::string::npos ? "" : text.substr(start + 2, text.size() - start - 4);
}

}  // namespace vyre::testing
