// Contexts, streams and memory of an application, over a scripted driver; and users' kernels with
// dynamic shared memory and constants.

#include <gtest/gtest.h>

#include <bit>

#include "backend/cuda/devices.h"
#include "testing/scripted_device.h"
#include "vyre/builder.h"

namespace vyre::backend::cuda {
namespace {

using testing::CudaScript;
using testing::new_cuda_script;
using testing::open_scripted;
using testing::run_filter;

void* handle(std::uintptr_t number) { return std::bit_cast<void*>(number); }

Expected<std::shared_ptr<Device>> adopt_scripted(const CudaHandles& handles) {
  auto compilers = testing::scripted_compilers();
  if (!compilers) return std::unexpected(compilers.error());
  return adopt(testing::scripted_driver(), *compilers, handles, {});
}

TEST(cuda_adoption, UsesTheApplicationsContextAndStream) {
  CudaScript& script = new_cuda_script();
  const auto device = adopt_scripted({.context = handle(5), .stream = handle(6)});
  ASSERT_TRUE(device) << device.error().message;
  EXPECT_EQ((*device)->info().selector, "") << "no other process has the context";
  ASSERT_TRUE((*device)->finish());
  const auto context = context_of(**device);
  ASSERT_TRUE(context);
  EXPECT_EQ(static_cast<void*>((*context)->handle()), handle(5));
  EXPECT_EQ(static_cast<void*>((*context)->stream()), handle(6));
  EXPECT_EQ(script.count("primary_context_retain"), 0U);
  EXPECT_EQ(script.count("stream_create"), 0U);
  EXPECT_EQ(cuda_counts().live(), 0);
}

TEST(cuda_adoption, OfNothingIsRefused) {
  CudaScript& script = new_cuda_script();
  const auto none = adopt_scripted({});
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().kind, ErrorKind::bad_inputs);
  EXPECT_EQ(none.error().message,
            "the context is null; hand in the one that the stream belongs to");
  script.fails["context_set"] = 201;
  const auto dead = adopt_scripted({.context = handle(5)});
  ASSERT_FALSE(dead);
  EXPECT_EQ(dead.error().message,
            "the context is not alive (CUDA_ERROR_INVALID_CONTEXT (201)); hand in one that is");
}

TEST(cuda_adoption, OfMemoryIsChecked) {
  CudaScript& script = new_cuda_script();
  const auto device = adopt_scripted({.context = handle(5)});
  ASSERT_TRUE(device) << device.error().message;
  const auto owner = (*device)->allocate(256);
  ASSERT_TRUE(owner);
  const std::uint64_t address = script.memory.begin()->first;
  const auto message = [&](std::uint64_t at, std::size_t bytes) {
    const auto buffer = adopt_cuda_buffer(**device, at, bytes);
    return buffer ? std::string() : buffer.error().message;
  };
  EXPECT_EQ(message(0, 4), "the address 0x0 is not memory of the device; hand in one that is");
  EXPECT_EQ(message(16, 4), "the address 0x10 is not memory of the device; hand in one that is");
  EXPECT_EQ(message(address, 0), "a buffer of 0 bytes; give at least one");
  EXPECT_TRUE(message(address + 200, 57).ends_with("are more than the 56 that are allocated there"))
      << message(address + 200, 57);
  {
    auto buffer = adopt_cuda_buffer(**device, address + 200, 56);
    ASSERT_TRUE(buffer) << buffer.error().message;
    ASSERT_TRUE((*buffer)->write(0, std::vector<std::byte>{std::byte{3}}));
  }
  std::vector<std::byte> bytes(256);
  ASSERT_TRUE((*owner)->read(0, bytes));
  EXPECT_EQ(bytes[200], std::byte{3}) << "and the application still has it";
  const auto reference = open_reference();
  const auto other = adopt_cuda_buffer(*reference, address, 4);
  ASSERT_FALSE(other);
  EXPECT_EQ(other.error().message,
            "interpreter is no device of CUDA or HIP; adopt the memory on one");
}

// --- Users' kernels ---

TEST(cuda_sources, HaveDynamicSharedMemoryConstantsAndNameExpressions) {
  CudaScript& script = new_cuda_script();
  script.ptx = ".entry mine::filter<float>(.param .u64 y)";
  script.constant_bytes = 16;
  const auto device = open_scripted();
  const auto done = run_filter(*device, 2048);
  ASSERT_TRUE(done) << done.error().message;
  EXPECT_EQ(script.names, (std::vector<std::string>{"mine::filter<float>", "&d_weights"}));
  EXPECT_EQ(script.launches.at(0).shared_bytes, 2048U);
  EXPECT_EQ(script.asked_shared_bytes, std::vector<int>{});
  EXPECT_EQ(script.count("copy_within"), 1U);
  EXPECT_EQ(script.options, (std::vector<std::string>{
                                "-w", "-Dname=a b", "-DVYRE_WORKGROUP_X=64", "-DVYRE_WORKGROUP_Y=1",
                                "-DVYRE_WORKGROUP_Z=1", "--gpu-architecture=sm_80"}));
}

TEST(cuda_sources, AskForMuchSharedMemory) {
  CudaScript& script = new_cuda_script();
  script.constant_bytes = 16;
  const auto device = open_scripted();
  ASSERT_TRUE(run_filter(*device, 65536));
  EXPECT_EQ(script.asked_shared_bytes, std::vector<int>{65536});
  const auto too_much = run_filter(*device, 101377);
  ASSERT_FALSE(too_much);
  EXPECT_EQ(too_much.error().kind, ErrorKind::rejected);
  EXPECT_EQ(too_much.error().message,
            "\"filtering\": 101377 bytes of shared memory are more than the 101376 of the device; "
            "use less");
  script.fails["function_set_attribute"] = 1;
  const auto refused = run_filter(*device, 65537);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message,
            "\"filtering\": asking for 65537 bytes of shared memory: CUDA_ERROR_INVALID_VALUE (1)");
}

TEST(cuda_sources, ConstantsMustFit) {
  CudaScript& script = new_cuda_script();
  script.constant_bytes = 12;
  const auto device = open_scripted();
  const auto done = run_filter(*device, 64);
  ASSERT_FALSE(done);
  EXPECT_EQ(
      done.error().message,
      "launch of \"filtering\": 16 bytes do not fit the constant \"d_weights\", which has 12; "
      "make them agree");
  script.fails["module_global"] = 500;
  const auto missing = run_filter(*device, 65);
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().message, "constant \"&d_weights\": CUDA_ERROR_NOT_FOUND (500)");
}

TEST(cuda_sources, InAnotherLanguageAreRefused) {
  new_cuda_script();
  const auto device = open_scripted();
  auto program = ir::from_source(
      "old", {.text = "kernel void old(global uint* y) {}", .entry = "old", .arguments = {{"y"}}},
      [](ir::Builder& b) { b.write(ir::u32, "y", 64); });
  ASSERT_TRUE(program);
  const auto kernel = device->compile(*ir::Sequence::make(*program), 0, {});
  ASSERT_FALSE(kernel);
  EXPECT_EQ(kernel.error().kind, ErrorKind::rejected);
  EXPECT_TRUE(kernel.error().message.starts_with("\"old\" is written in OpenCL C"))
      << kernel.error().message;
}

}  // namespace
}  // namespace vyre::backend::cuda
