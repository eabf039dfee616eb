// A runtime that tunes what it meets and serves what it knows, on memory of the host and of the
// device.
//
//   example_serve [FOLDER]
//
// With a folder decisions are kept there. Without one everything stays in memory.

#include <vyre/vyre.h>

#include <cstdio>
#include <cstdlib>

namespace {

void check(const vyre::Expected<void>& result) {
  if (result) return;
  std::puts(result.error().message.c_str());
  std::exit(1);
}

// Each invocation has `items` numbers.
vyre::ir::Sequence make_saxpy() {
  return *vyre::ir::Sequence::make(*vyre::ir::build("saxpy", [](vyre::ir::Builder& b) {
    const auto block = b.tunable("block", 64);
    const auto items = b.tunable("items", 1);
    const auto n = b.shape("n");
    const auto a = b.scalar(vyre::ir::f32, "a");
    const auto x = b.read(vyre::ir::f32, "x", n);
    const auto y = b.read_write(vyre::ir::f32, "y", n);
    b.workgroup(block);
    b.grid((n + block * items - 1) / (block * items));
    const auto first = b.let("first", b.global_id() * items);
    b.for_("k", 0, items, {}, [&](const vyre::ir::Value& k) {
      const auto i = b.let("i", first + k);
      b.if_(i < n, [&] { y[i] = a * x[i] + y[i]; });
    });
  }));
}

void print_event(const vyre::Event& event) { std::printf("%s\n", event.message.c_str()); }

// After its first launch, each key is tuned for at most two seconds or four configurations.
vyre::Expected<vyre::Runtime> open_runtime(const std::shared_ptr<vyre::Device>& device,
                                           const vyre::Files& files) {
  return vyre::Runtime::open(device, {.mode = vyre::Mode::natural,
                                      .miss_budget = {.seconds = 2, .evaluations = 4},
                                      .workers = {.isolation = vyre::Isolation::in_process},
                                      .files = files,
                                      .events = print_event});
}

// The same campaign spread over many launches, in a twentieth of their time.
vyre::Expected<vyre::Runtime> open_online(const std::shared_ptr<vyre::Device>& device) {
  return vyre::Runtime::open(device, {.mode = vyre::Mode::natural,
                                      .miss_budget = {.evaluations = 4},
                                      .online = vyre::Online{.share = 0.05}});
}

}  // namespace

int main(int argc, char** argv) {
  const auto device = vyre::open_best_device();
  if (!device) return std::puts(device.error().message.c_str()), 1;
  auto runtime = open_runtime(*device, {.folder = argc > 1 ? argv[1] : ""});
  if (!runtime) return std::puts(runtime.error().message.c_str()), 1;

  // Which values its tunables may take.
  const vyre::ir::Sequence saxpy = make_saxpy();
  const auto space = vyre::space::Space::build(
      {.parameters = {{"block", {32, 64, 128}}, {"items", {1, 2, 4}}}, .constraints = {}});
  check(runtime->declare(saxpy, {.space = *space}));

  // Memory of the host: the launch returns with the result in y. This key has no decision yet, so
  // it is tuned before the launch returns.
  const std::vector<float> x(4096, 1);
  std::vector<float> y(4096, 10);
  check(runtime->launch(saxpy, {{"a", 2.0F}, {"x", x}, {"y", y}}));

  // Memory of the device: with its decision made, a launch only enqueues.
  const auto device_x = (*device)->allocate(x.size() * sizeof(float));
  const auto device_y = (*device)->allocate(y.size() * sizeof(float));
  if (!device_x || !device_y) return 1;
  check((*device_x)->write(0, std::as_bytes(std::span(x))));
  check((*device_y)->write(0, std::as_bytes(std::span(y))));
  for (int turn = 0; turn < 10; ++turn) {
    check(runtime->launch(saxpy, {{"a", 2.0F}, {"x", **device_x}, {"y", **device_y}}));
  }
  check(runtime->finish());
  check((*device_y)->read(0, std::as_writable_bytes(std::span(y))));
  std::printf("%g\n", y[0]);  // 10 + 2 + 10 * 2

  // Does the decision still hold?
  const vyre::Arg arguments[] = {{"a", 2.0F}, {"x", x}, {"y", y}};
  const auto recheck = runtime->recheck(saxpy, arguments);
  if (!recheck) return std::puts(recheck.error().message.c_str()), 1;
  std::printf("%s\n", recheck->holds ? "it holds" : "replaced by the default");

  auto online = open_online(*device);
  if (!online) return 1;
  check(online->declare(saxpy, {.space = *space}));
  for (int turn = 0; turn < 20; ++turn) {
    check(online->launch(saxpy, {{"a", 0.0F}, {"x", x}, {"y", y}}));
  }
  return y[0] == 32 ? 0 : 1;
}
