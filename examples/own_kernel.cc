// A kernel of one's own in OpenCL C, with a tunable block size and elements that the kernel
// language does not have: doubles.

#include <vyre/vyre.h>

#include <cstdio>

constexpr const char* kText = R"(
kernel void scale(global double* x, uint n) {
  uint i = get_global_id(0);
  if (i < n) x[i] *= 0.5;
})";

int main() {
  const auto device = vyre::open_best_device();
  if (!device) return std::puts(device.error().message.c_str()), 1;

  const auto scale =
      vyre::ir::from_source("scale", {.text = kText, .entry = "scale", .arguments = {{"x"}, {"n"}}},
                            [](vyre::ir::Builder& b) {
                              auto n = b.shape("n");
                              b.read_write(vyre::ir::opaque(8), "x", n);  // doubles
                              b.workgroup(b.tunable("block", 64));
                            });
  if (!scale) return std::puts(scale.error().message.c_str()), 1;

  std::vector<double> x{1, 2, 3};
  auto dispatcher = vyre::make_dispatcher(*device);
  const vyre::Config config{{"block", 32}};
  const auto done =
      dispatcher->dispatch(*vyre::ir::Sequence::make(*scale), {{"x", x}}, {.config = &config});
  if (!done) return std::puts(done.error().message.c_str()), 1;
  for (const double v : x) std::printf("%g ", v);  // 0.5 1 1.5
  std::puts("");
  return x == std::vector<double>{0.5, 1, 1.5} ? 0 : 1;
}
