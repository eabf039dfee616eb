// A kernel written in C++, run on the interpreter: y = a * x + y.

#include <vyre/builder.h>
#include <vyre/dispatch.h>

#include <bit>
#include <cstdio>

using namespace vyre;

int main() {
  const auto saxpy = ir::build("saxpy", [](ir::Builder& b) {
    auto n = b.shape("n");
    auto a = b.scalar(ir::f32, "a");
    auto x = b.read(ir::f32, "x", n);
    auto y = b.read_write(ir::f32, "y", n);
    auto i = b.global_id(0);
    b.if_(i < n, [&] { y[i] = a * x[i] + y[i]; });
  });
  if (!saxpy) return std::puts(saxpy.error().message.c_str()), 1;

  const std::vector<float> x{1, 2, 3};
  const std::vector<float> y{10, 20, 30};
  const std::vector<backend::Input> inputs{backend::as_input(x), backend::as_input(y)};
  const std::vector<backend::Argument> arguments{{"a", std::bit_cast<std::uint32_t>(2.0F)}};
  auto dispatcher = backend::make_dispatcher(backend::open_reference());
  const auto out =
      dispatcher->dispatch(*ir::Sequence::make(*saxpy), {.inputs = inputs, .arguments = arguments});
  if (!out) return std::puts(out.error().message.c_str()), 1;
  for (const float v : backend::values_of<float>((*out)[0])) std::printf("%g ", v);
  std::puts("");
  return 0;
}
