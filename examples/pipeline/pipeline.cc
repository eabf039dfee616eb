// Three kernels in a loop over pictures of changing sizes, launched by a runtime that tunes each
// kernel for each size when it first meets it, and serves what it knows from then on.
//
//   example_pipeline [CACHE_FOLDER [SECONDS_PER_KEY]]
//
// Without a folder the user's cache is used. Run it twice: the second start measures nothing.

#include <vyre/vyre.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>

using namespace vyre;

namespace {

constexpr std::uint32_t kSizes[] = {128, 192, 256};  // pictures are square
constexpr int kFrames = 30;

struct Kernel {
  const char* name;
  ir::Sequence sequence;
};

// Brightness: no tunables, so the workgroup size itself is tuned.
void brighten(ir::Builder& b) {
  const auto n = b.shape("n");
  const auto in = b.read(ir::f32, "in", n * n);
  const auto out = b.write(ir::f32, "out", n * n);
  const auto i = b.global_id();
  b.if_(i < n * n, [&] { out[i] = in[i] * 0.75F + 0.125F; });
}

// The mean of a pixel and its four neighbours; outside the buffer loads give 0. Each invocation
// has `rows` pixels of a column.
void blur(ir::Builder& b) {
  const auto block = b.tunable("block", 64);
  const auto rows = b.tunable("rows", 1);
  const auto n = b.shape("n");
  const auto in = b.read(ir::f32, "in", n * n);
  const auto out = b.write(ir::f32, "out", n * n);
  b.workgroup(block);
  b.grid((n * n / rows + block - 1) / block);
  const auto g = b.global_id();
  const auto first = b.let("first", g / n * rows * n + g % n);
  b.if_(g < n * n / rows, [&] {
    b.for_("r", 0, rows, {.unroll = rows}, [&](const ir::Value& r) {
      const auto i = b.let("i", first + r * n);
      out[i] = (in[i] + in[i - 1] + in[i + 1] + in[i - n] + in[i + n]) * 0.2F;
    });
  });
}

// Colours mixed by a matrix: out = in * mix. Each invocation has `columns` pixels of a row, a part
// of the row apart. Sums are in the same order in every configuration, so no bit of a result
// depends on it.
void mix(ir::Builder& b) {
  const auto block = b.tunable("block", 64);
  const auto columns = b.tunable("columns", 1);
  const auto unroll = b.tunable("unroll", 1);
  const auto n = b.shape("n");
  const auto in = b.read(ir::f32, "in", n * n);
  const auto by = b.read(ir::f32, "by", n * n);
  const auto out = b.write(ir::f32, "out", n * n);
  const auto sums = b.private_array(ir::f32, "sums", columns);
  b.workgroup(block);
  b.grid((n * n / columns + block - 1) / block);
  const auto g = b.global_id();
  const auto part = b.let("part", n / columns);
  const auto row = b.let("row", g / part * n);
  const auto column = b.let("column", g % part);
  const auto each = [&](const auto& body) { b.for_("c", 0, columns, {.unroll = columns}, body); };
  b.if_(g < part * n, [&] {
    b.for_("k", 0, n, {.unroll = unroll}, [&](const ir::Value& k) {
      const auto left = b.let("left", in[row + k]);
      each([&](const ir::Value& c) { sums[c] += left * by[k * n + column + c * part]; });
    });
    each([&](const ir::Value& c) { out[row + column + c * part] = sums[c]; });
  });
}

Kernel make(const char* name, void (*body)(ir::Builder&)) {
  return {name, *ir::Sequence::make(*ir::build(name, body))};
}

space::Parameter parameter(const char* name, std::initializer_list<std::int64_t> values) {
  return {name, {values.begin(), values.end()}};
}

bool declare(Runtime& runtime, const Kernel& kernel, std::vector<space::Parameter> values) {
  const auto space = space::Space::build({.parameters = std::move(values), .constraints = {}});
  const auto declared = runtime.declare(kernel.sequence, {.space = *space});
  if (!declared) std::printf("%s\n", declared.error().message.c_str());
  return declared.has_value();
}

class Pipeline {
 public:
  Pipeline(Device& device, Runtime& runtime) : device_(&device), runtime_(runtime) {}

  bool declare_spaces() {
    const auto block = parameter("block", {16, 32, 64, 128, 256, 512});
    return declare(runtime_, kernels_[1], {block, parameter("rows", {1, 2, 4, 8, 16})}) &&
           declare(runtime_, kernels_[2],
                   {block, parameter("columns", {1, 2, 4, 8}), parameter("unroll", {1, 4})});
  }

  // One picture through all kernels. It stays on the device from the first kernel to the last.
  std::vector<float> run(std::uint32_t n) {
    std::vector<float> picture(std::size_t{n} * n);
    for (std::size_t k = 0; k < picture.size(); ++k) picture[k] = static_cast<float>(k % 251) / 251;
    const std::size_t bytes = picture.size() * sizeof(float);
    const auto bright = device_->allocate(bytes);
    const auto blurred = device_->allocate(bytes);
    if (!bright || !blurred) std::exit(1);
    check(runtime_.launch(kernels_[0].sequence, {{"in", picture}, {"out", **bright}, {"n", n}}));
    check(runtime_.launch(kernels_[1].sequence, {{"in", **bright}, {"out", **blurred}, {"n", n}}));
    std::vector<float> mixed(picture.size());
    check(runtime_.launch(kernels_[2].sequence,
                          {{"in", **blurred}, {"by", picture}, {"out", mixed}, {"n", n}}));
    return mixed;
  }

  // Kernel and size, default and tuned, and where the configuration comes from.
  void report(bool is_tuned_now) const {
    std::printf("%-9s %5s  %12s %10s %6s  %-14s %s\n", "kernel", "size", "default ms", "tuned ms",
                "gain", "from", "configuration");
    for (const Kernel& kernel : kernels_) {
      for (const std::uint64_t n : kSizes) {
        const std::size_t buffers = &kernel == &kernels_[2] ? 3 : 2;
        std::vector<std::uint64_t> shape(buffers, n * n);
        shape.push_back(n);
        const Resolved resolved = runtime_.resolve(kernel.sequence, shape);
        const Decision d = runtime_.cache().read(resolved.decision);
        const bool is_own = resolved.source == Source::decision;
        const std::string from(is_own ? (is_tuned_now ? "tuned just now" : "the cache")
                                      : to_string(resolved.source));
        std::printf("%-9s %5u  %12.3f %10.3f %6.2f  %-14s %s\n", kernel.name,
                    static_cast<unsigned>(n), d.default_elapsed.ns / 1e6, d.elapsed.ns / 1e6,
                    d.elapsed.ns > 0 ? d.default_elapsed.ns / d.elapsed.ns : 1, from.c_str(),
                    to_string(d.config).c_str());
      }
    }
  }

 private:
  static void check(const Expected<void>& result) {
    if (result) return;
    std::printf("%s\n", result.error().message.c_str());
    std::exit(1);
  }

  Device* device_;
  Runtime& runtime_;
  const std::vector<Kernel> kernels_{make("brighten", brighten), make("blur", blur),
                                     make("mix", mix)};
};

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

int main(int argc, char** argv) {
  const auto device = open_best_device();
  if (!device) return std::puts(device.error().message.c_str()), 1;
  const Environment environment = from_env();
  int tuned = 0;
  auto runtime = Runtime::open(
      *device, {.mode = environment.mode,
                .miss_budget = {.seconds = argc > 2 ? std::strtod(argv[2], nullptr) : 3},
                // Its own kernels do not crash, and a process of their own takes longer to start
                // than they take to run.
                .workers = {.isolation = Isolation::in_process},
                .files = argc > 1 ? Files{.folder = argv[1]} : environment.files,
                .events = [&](const Event& event) {
                  if (event.kind == EventKind::tuned) ++tuned;
                  if (event.kind == EventKind::not_tuned) std::puts(event.message.c_str());
                }});
  if (!runtime) return std::puts(runtime.error().message.c_str()), 1;
  Pipeline pipeline(**device, *runtime);
  if (!pipeline.declare_spaces()) return 1;

  const auto start = std::chrono::steady_clock::now();
  for (const std::uint32_t n : kSizes) pipeline.run(n);
  const double first_seconds = seconds_since(start);
  const auto later = std::chrono::steady_clock::now();
  std::uint64_t checksum = 0;
  for (int frame = 0; frame < kFrames; ++frame) {
    const std::vector<float> out = pipeline.run(kSizes[frame % 3]);
    for (const std::byte b : std::as_bytes(std::span(out))) {
      checksum = checksum * 31 + static_cast<std::uint64_t>(b);
    }
  }
  const double frame_ms = seconds_since(later) * 1000 / kFrames;

  std::printf("device: %s\n\n", (*device)->info().name.c_str());
  pipeline.report(tuned > 0);
  std::printf("\nfirst picture of each size: %.2f s, %d decisions made; then %.2f ms a picture\n",
              first_seconds, tuned, frame_ms);
  std::printf("checksum of all pictures: %016llx\n", static_cast<unsigned long long>(checksum));
  return 0;
}
