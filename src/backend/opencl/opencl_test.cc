// The OpenCL backend on a real device: users' kernels, adoption, the binary store, faults, leaks.

#include "vyre/opencl.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <thread>

#include "backend/opencl/device_list.h"
#include "backend/owned_call.h"
#include "testing/soak.h"
#include "testing/temporary_folder.h"
#include "vyre/builder.h"
#include "vyre/call.h"

namespace vyre::backend {
namespace {

namespace fs = std::filesystem;

std::shared_ptr<Device> open(const DeviceOptions& options = {}) {
  auto device = open_device("opencl", options);
  EXPECT_TRUE(device) << device.error().message;
  return device ? *device : nullptr;
}

// y[i] = x[i] * factor + offset, in doubles, through a tile of local memory.
constexpr const char* kScale = R"(
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
kernel void scale(global double* y, global const double* x, local double* tile, uint n,
                  double factor, uchar offset) {
  uint i = get_global_id(0);
  if (get_local_size(0) != BLOCK || VYRE_WORKGROUP_X != BLOCK) return;
  tile[get_local_id(0)] = i < n ? x[i] : 0.0;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (i < n) y[i] = tile[get_local_id(0)] * factor + offset;
}
)";

struct ScaleOptions {
  std::string text = kScale;
  std::string entry = "scale";
  std::string options = "";
  std::vector<ir::Source::Argument> arguments = {{"y"}, {"x"},      {"tile"},
                                                 {"n"}, {"factor"}, {"offset", 1}};
};

ir::Sequence scale(const ScaleOptions& options = {}) {
  auto program = ir::from_source("scale",
                                 {.text = options.text,
                                  .entry = options.entry,
                                  .options = options.options,
                                  .arguments = options.arguments},
                                 [](ir::Builder& b) {
                                   const auto n = b.shape("n");
                                   b.scalar(ir::Scalar::u64, "factor");
                                   b.scalar(ir::Scalar::u32, "offset");
                                   const auto block = b.tunable("BLOCK", 64);
                                   b.read(ir::opaque(8), "x", n);
                                   b.write(ir::opaque(8), "y", n);
                                   b.local(ir::opaque(8), "tile", block);
                                   b.workgroup(block);
                                 });
  EXPECT_TRUE(program) << program.error().message;
  auto sequence = ir::Sequence::make(*std::move(program));
  EXPECT_TRUE(sequence) << sequence.error().message;
  return *std::move(sequence);
}

Expected<std::vector<double>> run_scale(const std::shared_ptr<Device>& device,
                                        const ir::Sequence& sequence, const Config& config = {}) {
  const std::vector<double> x{1, 2, 3, 4.5, -1};
  const std::vector<Input> inputs{as_input(x)};
  const std::vector<Argument> arguments{{"factor", std::bit_cast<std::uint64_t>(2.5)},
                                        {"offset", 3}};
  auto outputs = make_dispatcher(device)->dispatch(
      sequence, {.inputs = inputs, .arguments = arguments, .config = &config});
  if (!outputs) return std::unexpected(outputs.error());
  return values_of<double>((*outputs)[0]);
}

const std::vector<double> kScaled{5.5, 8, 10.5, 14.25, 0.5};

Config block(std::int64_t size) {
  Config config;
  config.set("BLOCK", size);
  return config;
}

TEST(opencl_sources, RunWithAnyElementScalarsLocalMemoryAndTunables) {
  const auto device = open();
  for (const std::int64_t size : {1, 8, 64}) {
    const auto y = run_scale(device, scale(), block(size));
    ASSERT_TRUE(y) << y.error().message;
    EXPECT_EQ(*y, kScaled);
  }
}

// Runs in a row are as in an application: nobody clears an output between them.
TEST(opencl_sources, RunAgainOnWhatTheLastRunLeft) {
  auto program = ir::from_source(
      "count",
      {.text = "kernel void count(global uint* y, uint n) { if (get_global_id(0) < n) ++*y; }",
       .entry = "count",
       .arguments = {{"y"}, {"n"}}},
      [](ir::Builder& b) {
        b.write(ir::u32, "y", 1);
        b.scalar(ir::Scalar::u32, "n");
      });
  ASSERT_TRUE(program) << program.error().message;
  const auto sequence = ir::Sequence::make(*std::move(program));
  ASSERT_TRUE(sequence) << sequence.error().message;
  const std::vector<Argument> arguments{{"n", 1}};
  const auto call = OwnedCall::make(open(), *sequence, {.arguments = arguments});
  ASSERT_TRUE(call) << call.error().message;
  ASSERT_TRUE((*call)->write_inputs({}));
  const auto counted = [&] {
    Outputs outputs;
    EXPECT_TRUE((*call)->read_outputs(outputs));
    return values_of<std::uint32_t>(outputs.at(0)).at(0);
  };
  std::uint64_t elapsed_ns = 0;
  ASSERT_TRUE((*call)->run());
  EXPECT_EQ(counted(), 1U);
  ASSERT_TRUE((*call)->run_again(&elapsed_ns));
  EXPECT_EQ(counted(), 2U);
  EXPECT_GT(elapsed_ns, 0U);
  ASSERT_TRUE((*call)->run());
  EXPECT_EQ(counted(), 1U);
}

TEST(opencl_sources, AreRefusedByTheInterpreter) {
  const auto y = run_scale(open_reference(), scale());
  ASSERT_FALSE(y);
  EXPECT_EQ(y.error().kind, ErrorKind::rejected);
  EXPECT_EQ(y.error().message,
            "\"scale\" is opencl_c, which the interpreter cannot run; use an OpenCL device");
}

struct Mistake {
  const char* name;
  ScaleOptions options;
  std::int64_t block;
  std::string message;  // its beginning
};

TEST(opencl_sources, MistakesAreRejectedWithWhatToDo) {
  const std::string text = kScale;
  const std::vector<Mistake> mistakes = {
      {"syntax",
       {.text = text + "\nkernel void f() { foo = 1; }"},
       64,
       "\"scale\" does not compile: "},
      {"entry",
       {.entry = "scales"},
       64,
       "\"scale\" has no kernel \"scales\"; it has: scale; did you mean \"scale\"?"},
      {"count",
       {.arguments = {{"y"}, {"x"}, {"tile"}, {"n"}, {"factor"}}},
       64,
       "\"scale\": the kernel has 6 parameters, 5 are passed; make them agree"},
      {"size",
       {.arguments = {{"y"}, {"x"}, {"tile"}, {"n"}, {"factor", 4}, {"offset", 1}}},
       64,
       "\"scale\": \"factor\" with 4 bytes does not fit parameter 4 of the kernel"},
      {"workgroup", {}, 1 << 20, "\"scale\": a workgroup of 1048576 on axis 0; the device takes 1"},
  };
  const auto device = open();
  for (const Mistake& m : mistakes) {
    const auto y = run_scale(device, scale(m.options), block(m.block));
    ASSERT_FALSE(y) << m.name;
    EXPECT_EQ(y.error().kind, ErrorKind::rejected) << m.name;
    EXPECT_TRUE(y.error().message.starts_with(m.message)) << y.error().message;
    EXPECT_EQ(y.error().message.find('\n'), std::string::npos);
  }
}

TEST(opencl_sources, SyntaxErrorsComeWithTheCompilersWords) {
  const auto y = run_scale(open(), scale({.text = "kernel void scale() { foo = 1; }"}));
  ASSERT_FALSE(y);
  EXPECT_NE(y.error().message.find("foo"), std::string::npos) << y.error().message;
}

TEST(opencl_devices, HaveAnIdentity) {
  const DeviceInfo info = open()->info();
  EXPECT_EQ(fingerprint(info), fingerprint(open()->info()));
  EXPECT_EQ(fingerprint(info).size(), 64U);
  DeviceInfo newer = info;
  newer.driver += ".1";
  EXPECT_NE(fingerprint(newer), fingerprint(info));
  DeviceInfo other = info;  // the same processor through another implementation
  other.platform = "Another implementation, OpenCL 3.0";
  EXPECT_NE(fingerprint(other), fingerprint(info));
  EXPECT_TRUE(fingerprint(info).starts_with(id_of(identity_of(info))));
  EXPECT_GT(info.limits.workgroup_items, 0U);
  EXPECT_FALSE(info.platform.empty());
  DeviceInfo hostile;
  hostile.backend = "opencl";
  hostile.name = "../../x\n\"y\" " + std::string(100, 'z');
  EXPECT_EQ(safe_name(hostile).substr(0, 19), "opencl-.._.._x_y_zz");
  EXPECT_EQ(safe_name(hostile).size(), 64U);
}

TEST(opencl_devices, RefuseTooMuchMemoryAndForeignBuffers) {
  const auto device = open();
  const auto huge = device->allocate(std::size_t{1} << 60);
  ASSERT_FALSE(huge);
  EXPECT_EQ(huge.error().kind, ErrorKind::backend);
  EXPECT_NE(huge.error().message.find("use smaller buffers"), std::string::npos)
      << huge.error().message;
  EXPECT_FALSE(device->allocate(0));

  const ir::Sequence sequence = scale();
  auto kernel = device->compile(sequence, 0, {.symbols = {0, 0, 0, 64}, .workgroup = {64, 1, 1}});
  ASSERT_TRUE(kernel) << kernel.error().message;
  auto own = device->allocate(8);
  auto foreign = open_reference()->allocate(8);
  const std::vector<Buffer*> buffers{own->get(), foreign->get()};
  const std::vector<std::uint64_t> symbols{1, 0, 0, 64};
  const auto launched = (*kernel)->launch({.buffers = buffers, .symbols = symbols});
  ASSERT_FALSE(launched);
  EXPECT_EQ(launched.error().message,
            "launch of \"scale\": buffer \"y\" is missing or of another device; pass the bound "
            "buffers in declaration order");
  const auto short_launch = (*kernel)->launch({.buffers = {}, .symbols = symbols});
  ASSERT_FALSE(short_launch);
  EXPECT_EQ(short_launch.error().message,
            "launch of \"scale\": 0 buffers and 4 symbols given, 2 and 4 wanted");
}

TEST(opencl_devices, TimeLaunchesByTheirOwnClock) {
  const auto device = open();
  const ir::Sequence sequence = scale();
  auto kernel = device->compile(sequence, 0, {.symbols = {0, 0, 0, 64}, .workgroup = {64, 1, 1}});
  ASSERT_TRUE(kernel) << kernel.error().message;
  constexpr std::size_t kCount = 1 << 20;
  auto x = device->allocate(8 * kCount);
  auto y = device->allocate(8 * kCount);
  const std::vector<Buffer*> buffers{x->get(), y->get()};
  const std::vector<std::uint64_t> symbols{kCount, 0, 0, 64};
  // Two timers, whose commands alternate: each sees its own.
  auto timer = device->make_timer();
  auto span = device->make_timer();
  ASSERT_TRUE(timer && span);
  for (Timer* of : {span->get(), timer->get(), span->get()}) {
    ASSERT_TRUE((*kernel)->launch(
        {.buffers = buffers, .symbols = symbols, .groups = {kCount / 64, 1, 1}, .timer = of}));
  }
  const auto one = (*timer)->elapsed_ns();
  const auto all = (*span)->elapsed_ns();
  ASSERT_TRUE(one && all);
  EXPECT_GT(*one, 0U);
  EXPECT_GT(*all, *one);  // from the start of the first to the end of the third
  timer->reset();
  span->reset();
  EXPECT_EQ(opencl_counts().events, 0);
}

std::vector<fs::path> files_in(const fs::path& folder) {
  std::vector<fs::path> out;
  for (const auto& entry : fs::directory_iterator(folder)) out.push_back(entry.path());
  return out;
}

DeviceOptions always_in(const fs::path& folder) {
  return {.binary_store = folder, .store_use = StoreUse::always};
}

TEST(opencl_store, IsNotUsedWhereBinariesAreDear) {
  const auto device = open();
  if (!device->info().platform.starts_with("Portable Computing Language")) {
    GTEST_SKIP() << "not PoCL: " << device->info().platform;
  }
  const testing::TemporaryFolder folder;
  const OpenclCounts before = opencl_counts();
  ASSERT_EQ(run_scale(open({.binary_store = folder.path() / "store"}), scale()), kScaled);
  EXPECT_EQ(opencl_counts().compiled, before.compiled + 1);
  EXPECT_EQ(opencl_counts().fetched, before.fetched);
  EXPECT_FALSE(fs::exists(folder.path() / "store"));
}

TEST(opencl_store, KeepsBinariesForOtherContexts) {
  const testing::TemporaryFolder folder;
  const DeviceOptions options = always_in(folder.path() / "store");
  const OpenclCounts before = opencl_counts();
  ASSERT_EQ(run_scale(open(options), scale()), kScaled);
  ASSERT_EQ(files_in(options.binary_store).size(), 1U);
  EXPECT_EQ(opencl_counts().compiled, before.compiled + 1);
  EXPECT_EQ(run_scale(open(options), scale()), kScaled);
  EXPECT_EQ(opencl_counts().compiled, before.compiled + 1);
  EXPECT_EQ(opencl_counts().loaded, before.loaded + 1);
  EXPECT_EQ(fs::status(options.binary_store).permissions(), fs::perms::owner_all);
}

constexpr const char* kScaleBy = R"(
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
%s
kernel void scale(global double* y, global const double* x, local double* tile, uint n,
                  double factor, uchar offset) {
  uint i = get_global_id(0);
  if (i < n) y[i] = x[i] * TIMES;
}
)";

ir::Sequence scale_with(const std::string& includes, const fs::path& folder) {
  std::string text = kScaleBy;
  text.replace(text.find("%s"), 2, includes);
  return scale({.text = text, .options = "-I" + folder.string()});
}

void set_times(const fs::path& folder, const std::string& value) {
  std::ofstream(folder / "times.h") << "#define TIMES " << value << "\n";
}

TEST(opencl_store, AChangedIncludeIsAnotherProgram) {
  const testing::TemporaryFolder folder;
  const DeviceOptions options = always_in(folder.path() / "store");
  const std::string include = "#include \"times.h\"";
  set_times(folder.path(), "2");
  const ir::Sequence before = scale_with(include, folder.path());
  EXPECT_EQ(run_scale(open(options), before), (std::vector<double>{2, 4, 6, 9, -2}));
  EXPECT_EQ(scale_with(include, folder.path()).fingerprint(), before.fingerprint());
  set_times(folder.path(), "4");
  const ir::Sequence after = scale_with(include, folder.path());
  EXPECT_NE(after.fingerprint(), before.fingerprint());
  EXPECT_EQ(run_scale(open(options), after), (std::vector<double>{4, 8, 12, 18, -4}));
  EXPECT_EQ(run_scale(open(options), before), (std::vector<double>{2, 4, 6, 9, -2}));
  EXPECT_EQ(files_in(options.binary_store).size(), 2U);
}

TEST(opencl_store, KeepsNothingThatReadsFilesOfTheCompilers) {
  const testing::TemporaryFolder folder;
  const DeviceOptions options = always_in(folder.path() / "store");
  const auto device = open(options);
  const std::string computed = "#define FILE \"times.h\"\n#include FILE";
  for (const char* times : {"2", "4"}) {
    set_times(folder.path(), times);
    const auto y = run_scale(device, scale_with(computed, folder.path()));
    ASSERT_TRUE(y) << y.error().message;
    EXPECT_EQ((*y)[0], std::stod(times));
  }
  EXPECT_FALSE(fs::exists(options.binary_store));
}

TEST(opencl_store, RebuildsWhatIsDamaged) {
  const testing::TemporaryFolder folder;
  const DeviceOptions options = always_in(folder.path());
  ASSERT_EQ(run_scale(open(options), scale()), kScaled);
  const fs::path file = files_in(folder.path()).front();
  const auto size = fs::file_size(file);
  const std::vector<std::function<void()>> damages = {
      [&] { std::ofstream(file) << "garbage"; },
      [&] { std::ofstream(file).close(); },
      [&] { fs::resize_file(file, size / 2); },
      [&] {
        std::fstream stream(file, std::ios::in | std::ios::out | std::ios::binary);
        stream.seekp(static_cast<std::streamoff>(size / 2));
        stream.put('\x5a').put('\x5a').put('\x5a');
      },
  };
  for (const auto& damage : damages) {
    const OpenclCounts before = opencl_counts();
    damage();
    EXPECT_EQ(run_scale(open(options), scale()), kScaled);
    EXPECT_EQ(opencl_counts().damaged, before.damaged + 1);
    EXPECT_EQ(opencl_counts().compiled, before.compiled + 1);
    EXPECT_EQ(fs::file_size(file), size);
  }
}

TEST(opencl_store, DoesWithoutAFolderThatCannotBeWritten) {
  const testing::TemporaryFolder folder;
  std::ofstream(folder.path() / "file") << "x";
  const OpenclCounts before = opencl_counts();
  EXPECT_EQ(run_scale(open(always_in(folder.path() / "file")), scale()), kScaled);
  EXPECT_EQ(opencl_counts().unsaved, before.unsaved + 1);
}

TEST(opencl_faults, ABuildThatTakesTooLongIsGivenUp) {
  const OpenclCounts before = opencl_counts();
  {
    const auto device = open({.build_limit = std::chrono::milliseconds(1)});
    const auto y = run_scale(device, scale());
    ASSERT_FALSE(y);
    EXPECT_EQ(y.error().kind, ErrorKind::backend);
    EXPECT_EQ(
        y.error().message,
        "\"scale\": compiling took longer than 1 ms and was given up; make the kernel smaller "
        "or raise the limit (DeviceOptions::build_limit)");
  }
  for (int k = 0; k < 3000 && opencl_counts().live() != before.live(); ++k) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  EXPECT_EQ(opencl_counts().live(), before.live());
}

// The OpenCL objects of an application that uses OpenCL itself.
struct Application {
  cl_device_id device = nullptr;
  cl_context context = nullptr;
  cl_command_queue queue = nullptr;
  cl_mem x = nullptr;
  cl_mem y = nullptr;

  explicit Application(cl_command_queue_properties properties = CL_QUEUE_PROFILING_ENABLE) {
    cl_int code = CL_SUCCESS;
    device = opencl::opencl_devices().value().front();
    context = opencl::api().clCreateContext(nullptr, 1, &device, nullptr, nullptr, &code);
    queue = opencl::api().clCreateCommandQueue(context, device, properties, &code);
    x = opencl::api().clCreateBuffer(context, CL_MEM_READ_WRITE, 5 * sizeof(double), nullptr,
                                     &code);
    y = opencl::api().clCreateBuffer(context, CL_MEM_READ_WRITE, 5 * sizeof(double), nullptr,
                                     &code);
  }
  ~Application() {
    opencl::api().clReleaseMemObject(x);
    opencl::api().clReleaseMemObject(y);
    opencl::api().clReleaseCommandQueue(queue);
    opencl::api().clReleaseContext(context);
  }
  Application(const Application&) = delete;
  Application& operator=(const Application&) = delete;

  OpenclHandles handles() const { return {context, device, queue}; }
};

TEST(opencl_adoption, RunsOnTheApplicationsOwnQueueAndMemory) {
  const Application app;
  const std::vector<double> x{1, 2, 3, 4.5, -1};
  opencl::api().clEnqueueWriteBuffer(app.queue, app.x, CL_TRUE, 0, 40, x.data(), 0, nullptr,
                                     nullptr);
  const std::int64_t live = opencl_counts().live();
  {
    const auto device = adopt_opencl(app.handles());
    ASSERT_TRUE(device) << device.error().message;
    auto in = adopt_opencl_buffer(**device, app.x);
    auto out = adopt_opencl_buffer(**device, app.y);
    ASSERT_TRUE(in && out);
    EXPECT_EQ((*in)->size(), 40U);
    const ir::Sequence sequence = scale();
    auto kernel =
        (*device)->compile(sequence, 0, {.symbols = {0, 0, 0, 8}, .workgroup = {8, 1, 1}});
    ASSERT_TRUE(kernel) << kernel.error().message;
    const std::vector<Buffer*> buffers{in->get(), out->get()};
    const std::vector<std::uint64_t> symbols{5, std::bit_cast<std::uint64_t>(2.5), 3, 8};
    ASSERT_TRUE((*kernel)->launch({.buffers = buffers, .symbols = symbols}));
    ASSERT_TRUE((*device)->finish());
  }
  std::vector<double> y(5);
  ASSERT_EQ(opencl::api().clEnqueueReadBuffer(app.queue, app.y, CL_TRUE, 0, 40, y.data(), 0,
                                              nullptr, nullptr),
            CL_SUCCESS);
  EXPECT_EQ(y, kScaled);
  EXPECT_EQ(opencl_counts().live(), live);
}

TEST(opencl_adoption, RefusesWhatDoesNotFit) {
  const Application app;
  const Application other;
  const auto message = [](const auto& result) {
    return result ? std::string() : result.error().message;
  };
  EXPECT_EQ(message(adopt_opencl({})),
            "an OpenCL context, device or queue is null; hand in all three");
  EXPECT_EQ(message(adopt_opencl({app.context, app.device, other.queue})),
            "the OpenCL queue is not of that context and device; hand in one that is");
  const auto device = adopt_opencl(app.handles());
  ASSERT_TRUE(device);
  EXPECT_EQ(message(adopt_opencl_buffer(**device, other.x)),
            "the OpenCL memory object is of another context; adopt the device with that context");
  EXPECT_EQ(message(adopt_opencl_buffer(**device, nullptr)),
            "the OpenCL memory object is null or not valid; hand in one that is alive");
  EXPECT_EQ(message(adopt_opencl_buffer(*open_reference(), app.x)),
            "interpreter is no OpenCL device; adopt the memory on one");
}

TEST(opencl_adoption, TimesByTheHostsClockOnQueuesThatDoNotProfile) {
  const Application app(0);
  const auto device = adopt_opencl(app.handles());
  ASSERT_TRUE(device);
  const ir::Sequence sequence = scale();
  auto kernel = (*device)->compile(sequence, 0, {.symbols = {0, 0, 0, 8}, .workgroup = {8, 1, 1}});
  auto x = (*device)->allocate(8);
  auto y = (*device)->allocate(8);
  const std::vector<Buffer*> buffers{x->get(), y->get()};
  const std::vector<std::uint64_t> symbols{1, 0, 0, 8};
  auto timer = (*device)->make_timer();
  ASSERT_TRUE(timer);
  ASSERT_TRUE((*kernel)->launch({.buffers = buffers, .symbols = symbols, .timer = timer->get()}));
  EXPECT_GT((*timer)->elapsed_ns().value(), 0U);
}

TEST(opencl_leaks, ManyRoundsOfBuildRunReleaseKeepTheCountsFlat) {
  const OpenclCounts before = opencl_counts();
  for (std::size_t round = 0; round < testing::cases(300, 10'000); ++round) {
    ASSERT_EQ(run_scale(open(), scale(), block(round % 2 == 0 ? 8 : 64)), kScaled);
    ASSERT_EQ(opencl_counts().live(), before.live()) << "after round " << round;
  }
}

}  // namespace
}  // namespace vyre::backend
