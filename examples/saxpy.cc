// A kernel written in C++, run on the interpreter: y = a * x + y.

#include <vyre/builder.h>
#include <vyre/call.h>

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
  const std::vector<Input> inputs{as_input(x), as_input(y)};
  const std::vector<Argument> arguments{{"a", std::bit_cast<std::uint32_t>(2.0F)}};
  auto dispatcher = make_dispatcher(open_reference());
  const auto out =
      dispatcher->dispatch(*ir::Sequence::make(*saxpy), {.inputs = inputs, .arguments = arguments});
  if (!out) return std::puts(out.error().message.c_str()), 1;
  for (const float v : values_of<float>((*out)[0])) std::printf("%g ", v);
  std::puts("");
  return 0;
}
