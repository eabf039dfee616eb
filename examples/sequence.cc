// Two programs that run one after the other, with a buffer between them that exists on the device
// only: the sums of groups of four numbers, and then the sums scaled.

#include <vyre/vyre.h>

#include <cstdio>

using namespace vyre;

int main() {
  const auto partial = ir::build("partial", [](ir::Builder& b) {
    const auto n = b.shape("n");
    const auto x = b.read(ir::f32, "x", n * 4);
    const auto sums = b.write(ir::f32, "sums", n);
    const auto i = b.global_id();
    b.if_(i < n, [&] { sums[i] = x[i * 4] + x[i * 4 + 1] + x[i * 4 + 2] + x[i * 4 + 3]; });
  });
  const auto scale = ir::build("scale", [](ir::Builder& b) {
    const auto n = b.shape("n");
    const auto factor = b.scalar(ir::f32, "factor");
    const auto from = b.read(ir::f32, "from", n);
    const auto to = b.write(ir::f32, "to", n);
    const auto i = b.global_id();
    b.if_(i < n, [&] { to[i] = from[i] * factor; });
  });
  const auto means = ir::build_sequence("means", [&](ir::SequenceBuilder& s) {
    const auto n = s.shape("n");
    const auto x = s.read(ir::f32, "x", n * 4);
    const auto y = s.write(ir::f32, "y", n);
    const auto sums = s.scratch(ir::f32, "sums", n);
    s.run(partial, {x, sums});            // its shapes are found from the buffers
    s.run(scale, {sums, y}, {n, 0.25F});  // its shapes and scalars, in declaration order
  });
  if (!means) return std::puts(means.error().message.c_str()), 1;

  const std::vector<float> x{1, 2, 3, 4, 5, 6, 7, 8};
  std::vector<float> y(2);
  auto dispatcher = make_dispatcher(open_reference());
  const auto done = dispatcher->dispatch(*means, {{"x", x}, {"y", y}});
  if (!done) return std::puts(done.error().message.c_str()), 1;
  std::printf("%g %g\n", y[0], y[1]);  // 2.5 6.5
  return y == std::vector<float>{2.5F, 6.5F} ? 0 : 1;
}
