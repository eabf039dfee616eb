// From a kernel with tunable parameters to launches with what was tuned, in seven lines.
//
// Run it where twice.json is. The first start searches; the second one finds the decision in the
// user's cache and searches nothing.

#include <vyre/vyre.h>

#include <cstdio>

int main() {
  const std::uint32_t n = 1 << 18;
  std::vector<float> x(n, 21.0F);
  std::vector<float> y(n);

  // clang-format off
  const auto env = vyre::from_env();                               // mode and folders; nothing else reads the environment
  auto device = vyre::open_best_device();                          // or vyre::adopt_opencl(context, device, queue)
  auto problem = vyre::load_problem("twice.json");                 // a T1 file and its kernel
  auto tuned = vyre::tune(*device, *problem, {.seconds = 10, .files = env.files});  // searched, verified, remembered
  auto runtime = vyre::Runtime::open(*device, env);                // serves what is remembered; in its modes, decides where nothing is
  auto done = runtime->launch(problem->sequence, {{"x", x}, {"y", y}, {"n", n}});   // spans of numbers, or buffers on the device
  // clang-format on

  if (!tuned) return std::puts(tuned.error().message.c_str()), 1;
  if (!done) return std::puts(done.error().message.c_str()), 1;
  const auto served = runtime->resolve(problem->sequence, tuned->decision.shape);
  std::printf("%s: %s, %.2f times as fast as the default; served from: %s; y[0] = %g\n",
              tuned->is_remembered ? "remembered" : "tuned",
              to_string(tuned->decision.config).c_str(),
              tuned->decision.default_elapsed.ns / tuned->decision.elapsed.ns,
              std::string(to_string(served.source)).c_str(), static_cast<double>(y[0]));
  return y[0] == 42 && y[n - 1] == 42 ? 0 : 1;
}
