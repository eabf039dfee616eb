// A kernel written in C++, run on the interpreter: y = a * x + y.

#include <vyre/vyre.h>

#include <cstdio>

int main() {
  const auto saxpy = vyre::ir::build("saxpy", [](vyre::ir::Builder& b) {
    auto n = b.shape("n");
    auto a = b.scalar(vyre::ir::f32, "a");
    auto x = b.read(vyre::ir::f32, "x", n);
    auto y = b.read_write(vyre::ir::f32, "y", n);
    auto i = b.global_id(0);
    b.if_(i < n, [&] { y[i] = a * x[i] + y[i]; });
  });
  if (!saxpy) return std::puts(saxpy.error().message.c_str()), 1;

  const auto sequence = vyre::ir::Sequence::make(*saxpy);
  const auto device = vyre::open_reference();
  const std::vector<float> x{1, 2, 3};
  std::vector<float> y{10, 20, 30};
  auto dispatcher = vyre::make_dispatcher(device);
  const auto done = dispatcher->dispatch(*sequence, {{"a", 2.0F}, {"x", x}, {"y", y}});
  if (!done) return std::puts(done.error().message.c_str()), 1;
  for (const float v : y) std::printf("%g ", v);  // 12 24 36
  std::puts("");

  // The same with y on the device: the call only enqueues, and `finish` waits.
  const auto device_y = device->allocate(y.size() * sizeof(float));
  if (!device_y || !(*device_y)->write(0, std::as_bytes(std::span(y)))) return 1;
  const auto enqueued = dispatcher->dispatch(*sequence, {{"a", 2.0F}, {"x", x}, {"y", **device_y}});
  const auto finished = dispatcher->finish();
  if (!enqueued || !finished) return 1;
  if (!(*device_y)->read(0, std::as_writable_bytes(std::span(y)))) return 1;
  for (const float v : y) std::printf("%g ", v);  // 14 28 42
  std::puts("");
  return 0;
}
