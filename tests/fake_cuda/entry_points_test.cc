// The driver's interface: what each call gives, and with which error it refuses.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

#include "fake_cuda/card.h"

namespace vyre::fake_cuda_test {
namespace {

using ::testing::IsEmpty;

const std::string kAdd = header() + R"(
.extern .shared .align 16 .b8 dynamic[];
.visible .entry add(.param .u64 data, .param .align 4 .b8 by[12])
.maxntid 128, 1, 1
{
  .reg .b32 %r<9>; .reg .b64 %rd<9>;
  .local .align 16 .b8 d[48];
  .shared .align 4 .b8 fixed[256];
  ld.param.u64 %rd1, [data];
  ld.param.u32 %r1, [by+8];
  red.global.add.u32 [%rd1], %r1;
  mov.u32 %r2, dynamic;
  mov.u32 %r3, fixed;
  ret;
}
.visible .entry exact()
.reqntid 8, 2, 1
{
  ret;
}
)";

int attribute(DriverFunction function, int which) {
  int value = -1;
  EXPECT_EQ(driver().function_attribute(&value, which, function), 0);
  return value;
}

TEST(EntryPoints, AllOfTheBackendsFunctionsAreThere) {
  EXPECT_THAT(missing_functions(), IsEmpty());
}

// In a process of its own, since other tests have called init in this one.
TEST(EntryPointsDeathTest, NothingWorksBeforeInit) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      {
        int count = 0;
        ::_exit(driver().device_count(&count) == 3 ? 7 : 1);
      },
      ::testing::ExitedWithCode(7), "");
}

TEST(EntryPoints, TheDeviceCallsItselfAnInterpreter) {
  Card card;
  std::array<char, 100> name{};
  EXPECT_EQ(driver().device_name(name.data(), 100, 0), 0);
  EXPECT_STREQ(name.data(), "vyre PTX interpreter (no GPU)");
  EXPECT_EQ(driver().device_name(name.data(), 5, 0), 0);
  EXPECT_STREQ(name.data(), "vyre");
  int major = 0, threads = 0, none = 0;
  EXPECT_EQ(driver().device_attribute(&major, 75, 0), 0);
  EXPECT_EQ(driver().device_attribute(&threads, 1, 0), 0);
  EXPECT_EQ(major, 8);
  EXPECT_EQ(threads, 1024);
  EXPECT_EQ(driver().device_attribute(&none, 5000, 0), 1);
  EXPECT_EQ(driver().device_attribute(&none, 1, 3), 101);
}

TEST(EntryPoints, TheEnvironmentSaysHowManyDevicesThereAre) {
  {
    const Wish wish("VYRE_FAKE_CUDA_DEVICES", "0");
    EXPECT_EQ(driver().init(0), 100);
  }
  const Wish wish("VYRE_FAKE_CUDA_DEVICES", "3");
  const Wish version("VYRE_FAKE_CUDA_VERSION", "12020");
  int count = 0, found = 0;
  ASSERT_EQ(driver().init(0), 0);
  EXPECT_EQ(driver().device_count(&count), 0);
  EXPECT_EQ(count, 3);
  EXPECT_EQ(driver().driver_version(&found), 0);
  EXPECT_EQ(found, 12020);
  backend::cuda::DriverUuid first{}, second{};
  EXPECT_EQ(driver().device_uuid(&first, 0), 0);
  EXPECT_EQ(driver().device_uuid(&second, 1), 0);
  EXPECT_NE(first.bytes, second.bytes);
  std::array<char, 20> id{};
  EXPECT_EQ(driver().device_pci_id(id.data(), 20, 2), 0);
  EXPECT_STREQ(id.data(), "0000:F2:00.0");
}

TEST(EntryPoints, AnOlderDriverRefusesNewerPtx) {
  const Wish version("VYRE_FAKE_CUDA_VERSION", "12020");
  Card card;
  DriverModule module = nullptr;
  const std::string newer = ".version 8.3\n.target sm_80\n",
                    known = ".version 8.2\n.target sm_80\n";
  EXPECT_EQ(driver().module_load(&module, newer.c_str(), 0, nullptr, nullptr), 222);
  EXPECT_EQ(driver().module_load(&module, known.c_str(), 0, nullptr, nullptr), 0);
}

TEST(EntryPoints, MachineCodeIsRefused) {
  Card card;
  EXPECT_EQ(card.load("\x7F"
                      "ELF\x02\x01\x01"),
            nullptr);
  EXPECT_THAT(card.log, ::testing::HasSubstr("only PTX can be interpreted"));
  DriverModule module = nullptr;
  EXPECT_EQ(driver().module_load(&module,
                                 "\x7F"
                                 "ELF\x02",
                                 0, nullptr, nullptr),
            209);
}

TEST(EntryPoints, AContextIsEachThreadsOwn) {
  Card card;
  int in_thread = -1;
  DriverPointer made = 0;
  std::thread([&] { in_thread = driver().memory_allocate(&made, 4); }).join();
  EXPECT_EQ(in_thread, 201);
  EXPECT_EQ(driver().memory_allocate(&made, 4), 0);
  EXPECT_EQ(driver().memory_free(made), 0);
  EXPECT_EQ(driver().memory_free(made), 1);
}

TEST(EntryPoints, AReleasedContextIsGone) {
  DriverContext context = nullptr;
  {
    Card card;
    ASSERT_EQ(driver().context_get(&context), 0);
    ASSERT_EQ(driver().primary_context_release(0), 0);
    DriverPointer made = 0;
    EXPECT_EQ(driver().memory_allocate(&made, 4), 709);
    ASSERT_EQ(driver().primary_context_retain(&context, 0), 0);
  }
  EXPECT_EQ(driver().context_set(reinterpret_cast<DriverContext>(&context)), 201);
}

TEST(EntryPoints, FunctionsTellTheirNeeds) {
  Card card;
  const DriverModule module = card.load(kAdd);
  ASSERT_NE(module, nullptr) << card.log;
  const DriverFunction add = card.function(module, "add");
  EXPECT_EQ(attribute(add, 0), 128);
  EXPECT_EQ(attribute(add, 1), 256);
  EXPECT_EQ(attribute(add, 3), 48);
  EXPECT_EQ(attribute(add, 5), 80);
  DriverFunction none = nullptr;
  EXPECT_EQ(driver().module_function(&none, module, "absent"), 500);
  EXPECT_EQ(driver().function_attribute(nullptr, 0, nullptr), 400);
}

TEST(EntryPoints, LaunchesBeyondTheLimitsAreRefused) {
  Card card;
  const DriverModule module = card.load(kAdd);
  ASSERT_NE(module, nullptr) << card.log;
  const DriverFunction add = card.function(module, "add");
  const DriverPointer data = card.buffer(std::vector<std::uint32_t>{40});
  const std::array<std::uint32_t, 3> by{0, 0, 2};
  EXPECT_EQ(card.launch(add, {}, data, by), 0);
  EXPECT_EQ(card.read<std::uint32_t>(data, 1)[0], 42U);
  EXPECT_EQ(card.launch(add, {{0, 1, 1}, {1, 1, 1}, 0}, data, by), 1);
  EXPECT_EQ(card.launch(add, {{1, 65536, 1}, {1, 1, 1}, 0}, data, by), 1);
  EXPECT_EQ(card.launch(add, {{1, 1, 1}, {129, 1, 1}, 0}, data, by), 1) << "beyond .maxntid";
  EXPECT_EQ(card.launch(card.function(module, "exact"), {{1, 1, 1}, {1, 1, 65}, 0}), 1);
  EXPECT_EQ(card.launch(card.function(module, "exact"), {{1, 1, 1}, {16, 1, 1}, 0}), 1);
  EXPECT_EQ(card.launch(card.function(module, "exact"), {{1, 1, 1}, {8, 2, 1}, 0}), 0);
  EXPECT_EQ(card.launch(add, {{1, 1, 1}, {1, 1, 1}, 48896}, data, by), 0);
  EXPECT_EQ(card.launch(add, {{1, 1, 1}, {1, 1, 1}, 48897}, data, by), 1);
  EXPECT_EQ(driver().function_set_attribute(add, 8, 100000), 0);
  EXPECT_EQ(card.launch(add, {{1, 1, 1}, {1, 1, 1}, 100000}, data, by), 0);
  EXPECT_EQ(driver().function_set_attribute(add, 8, 200000), 1);
  EXPECT_EQ(card.launch(nullptr, {}, data, by), 400);
}

TEST(EntryPoints, CopiesStayWithinAnAllocation) {
  Card card;
  const DriverPointer data = card.buffer(std::vector<std::uint32_t>{1, 2, 3, 4});
  const DriverPointer other = card.buffer(std::vector<std::uint32_t>{0, 0, 0, 0});
  std::array<std::uint32_t, 8> host{};
  EXPECT_EQ(driver().copy_out(host.data(), data, 20, nullptr), 1);
  EXPECT_EQ(driver().copy_in(data + 4, host.data(), 16, nullptr), 1);
  EXPECT_EQ(driver().copy_within(other + 4, data, 12, nullptr), 0);
  EXPECT_EQ(driver().fill_bytes(other + 12, 0xFF, 4, nullptr), 0);
  EXPECT_EQ(card.read<std::uint32_t>(other, 4), (std::vector<std::uint32_t>{0, 1, 2, ~0U}));
  EXPECT_EQ(driver().fill_bytes(other + 12, 0xFF, 5, nullptr), 1);
  std::uint64_t bytes = 0, begin = 0;
  EXPECT_EQ(driver().pointer_attribute(&bytes, 12, data + 3), 0);
  EXPECT_EQ(driver().pointer_attribute(&begin, 11, data + 3), 0);
  EXPECT_EQ(bytes, 16U);
  EXPECT_EQ(begin, data);
  EXPECT_EQ(driver().pointer_attribute(&bytes, 12, 4096), 1);
}

TEST(EntryPoints, MemoryEnds) {
  const Wish wish("VYRE_FAKE_CUDA_MEMORY", "1000");
  Card card;
  DriverPointer made = 0;
  EXPECT_EQ(driver().memory_allocate(&made, 600), 0);
  EXPECT_EQ(driver().memory_allocate(&made, 600), 2);
  EXPECT_EQ(driver().memory_allocate(&made, 400), 0);
}

TEST(EntryPoints, StreamsAndEvents) {
  Card card;
  backend::cuda::DriverStream stream = nullptr;
  std::array<backend::cuda::DriverEvent, 3> events{};
  ASSERT_EQ(driver().stream_create(&stream, 1), 0);
  for (auto& event : events) ASSERT_EQ(driver().event_create(&event, 0), 0);
  float milliseconds = -1;
  EXPECT_EQ(driver().event_record(events[0], stream), 0);
  EXPECT_EQ(driver().event_elapsed(&milliseconds, events[0], events[1]), 400);
  EXPECT_EQ(driver().event_record(events[1], stream), 0);
  EXPECT_EQ(driver().event_finish(events[1]), 0);
  EXPECT_EQ(driver().event_elapsed(&milliseconds, events[0], events[1]), 0);
  EXPECT_GE(milliseconds, 0.0F);
  EXPECT_EQ(driver().stream_finish(stream), 0);
  EXPECT_EQ(driver().stream_destroy(stream), 0);
  EXPECT_EQ(driver().stream_destroy(stream), 400);
  EXPECT_EQ(driver().stream_finish(stream), 400);
  EXPECT_EQ(driver().event_destroy(events[2]), 0);
  EXPECT_EQ(driver().event_record(events[2], nullptr), 400);
}

TEST(EntryPoints, ErrorsHaveCudasNames) {
  const char* text = nullptr;
  EXPECT_EQ(driver().error_name(700, &text), 0);
  EXPECT_STREQ(text, "CUDA_ERROR_ILLEGAL_ADDRESS");
  EXPECT_EQ(driver().error_name(12345, &text), 1);
}

TEST(InjectedFailures, HappenAtTheirCall) {
  Card card;
  const Wish wish("VYRE_FAKE_CUDA_FAIL", "cuMemAlloc_v2:2:3,cuMemFree_v2:1:2+");
  DriverPointer made = 0;
  EXPECT_EQ(driver().memory_allocate(&made, 4), 0);
  EXPECT_EQ(driver().memory_allocate(&made, 4), 0);
  EXPECT_EQ(driver().memory_allocate(&made, 4), 2);
  EXPECT_EQ(driver().memory_allocate(&made, 4), 0);
  EXPECT_EQ(driver().memory_free(made), 0);
  EXPECT_EQ(driver().memory_free(0), 1);
  EXPECT_EQ(driver().memory_free(0), 1);
}

TEST(InjectedFailures, StayWhereCudasDo) {
  DriverPointer made = 0;
  {
    Card card;
    const Wish wish("VYRE_FAKE_CUDA_FAIL", "cuStreamSynchronize:719");
    EXPECT_EQ(driver().stream_finish(nullptr), 719);
    EXPECT_EQ(driver().stream_finish(nullptr), 719);
    EXPECT_EQ(driver().memory_allocate(&made, 4), 719);
  }
  Card card;
  EXPECT_EQ(driver().memory_allocate(&made, 4), 0) << "a new context is whole again";
}

// Each entry point can be made to fail.
TEST(InjectedFailures, ReachEveryEntryPoint) {
  Card card;
  const Wish wish("VYRE_FAKE_CUDA_FAIL",
                  "cuInit:999,cuDeviceGetCount:3,cuModuleLoadDataEx:218,"
                  "cuLaunchKernel:701,cuEventRecord:400");
  int count = 0;
  DriverModule module = nullptr;
  EXPECT_EQ(driver().init(0), 999);
  EXPECT_EQ(driver().device_count(&count), 3);
  EXPECT_EQ(driver().module_load(&module, kAdd.c_str(), 0, nullptr, nullptr), 218);
  EXPECT_EQ(card.launch(nullptr, {}), 701);
  EXPECT_EQ(driver().event_record(nullptr, nullptr), 400);
  EXPECT_EQ(driver().init(0), 0);
}

}  // namespace
}  // namespace vyre::fake_cuda_test
