#include "fake_cuda/card.h"

#include <dlfcn.h>

#include <bit>
#include <cstdlib>
#include <utility>

namespace vyre::fake_cuda_test {
namespace {

void* library() {
  static void* handle = ::dlopen(VYRE_FAKE_CUDA, RTLD_NOW | RTLD_LOCAL);
  return handle;
}

}  // namespace

const DriverFunctions& driver() {
  static const DriverFunctions functions = [] {
    DriverFunctions found;
#define VYRE_DRIVER_FUNCTION(member, cuda, hip, parameters) \
  found.member = reinterpret_cast<int(*) parameters>(::dlsym(library(), cuda));
    using backend::cuda::DriverEvent;
    using backend::cuda::DriverStream;
    using backend::cuda::DriverUuid;
#include "backend/cuda/driver_functions.def"
#undef VYRE_DRIVER_FUNCTION
    return found;
  }();
  return functions;
}

std::vector<std::string> missing_functions() {
  std::vector<std::string> missing;
#define VYRE_DRIVER_FUNCTION(member, cuda, hip, parameters) \
  if (*cuda != '\0' && driver().member == nullptr) missing.emplace_back(cuda);
#include "backend/cuda/driver_functions.def"
#undef VYRE_DRIVER_FUNCTION
  return missing;
}

std::string last_fault() {
  using Ask = const char* (*)();
  return reinterpret_cast<Ask>(::dlsym(library(), "vyre_fake_cuda_last_fault"))();
}

Card::Card() {
  DriverContext context = nullptr;
  EXPECT_EQ(driver().init(0), 0);
  EXPECT_EQ(driver().primary_context_retain(&context, 0), 0);
  EXPECT_EQ(driver().context_set(context), 0);
}

Card::~Card() {
  driver().context_set(nullptr);
  driver().primary_context_release(0);
}

DriverModule Card::load(const std::string& ptx) {
  std::vector<char> text(1000);
  std::array<int, 2> options{5, 6};
  std::array<void*, 2> values{text.data(), std::bit_cast<void*>(text.size())};
  DriverModule module = nullptr;
  const int error = driver().module_load(&module, ptx.c_str(), 2, options.data(), values.data());
  log = text.data();
  return error == 0 ? module : nullptr;
}

DriverFunction Card::function(DriverModule module, const std::string& name) {
  DriverFunction found = nullptr;
  EXPECT_EQ(driver().module_function(&found, module, name.c_str()), 0) << name;
  return found;
}

int Card::launch_with(DriverFunction kernel, const Size& size, void** parameters) {
  const int launched = driver().launch(kernel, size.blocks[0], size.blocks[1], size.blocks[2],
                                       size.threads[0], size.threads[1], size.threads[2],
                                       size.shared_bytes, nullptr, parameters, nullptr);
  return launched != 0 ? launched : driver().stream_finish(nullptr);
}

DriverPointer Card::copy_in(const void* from, std::size_t bytes) {
  DriverPointer made = 0;
  EXPECT_EQ(driver().memory_allocate(&made, bytes), 0);
  EXPECT_EQ(driver().copy_in(made, from, bytes, nullptr), 0);
  return made;
}

void Card::copy_out(void* to, DriverPointer from, std::size_t bytes) {
  EXPECT_EQ(driver().copy_out(to, from, bytes, nullptr), 0);
}

}  // namespace vyre::fake_cuda_test
