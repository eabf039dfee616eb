// Entry points about modules and functions.

#include <algorithm>
#include <cstdio>
#include <cstring>

#include "fake_cuda/driver/limits.h"
#include "fake_cuda/driver/load.h"

using namespace fake_cuda;
namespace cuda = vyre::backend::cuda;

namespace {

// The options of cuModuleLoadDataEx that ask for the log of errors.
constexpr int kErrorLog = 5;
constexpr int kErrorLogBytes = 6;

void give_log(const std::string& text, unsigned count, const int* options, void** values) {
  char* to = nullptr;
  std::size_t room = 0;
  for (unsigned at = 0; at < count; ++at) {
    if (options[at] == kErrorLog) to = static_cast<char*>(values[at]);
    if (options[at] == kErrorLogBytes) room = reinterpret_cast<std::uintptr_t>(values[at]);
  }
  if (to == nullptr || room == 0) return;
  const std::string line = "fake_cuda error   : " + text + "\n";
  const std::size_t bytes = std::min(line.size(), room - 1);
  std::memcpy(to, line.data(), bytes);
  to[bytes] = '\0';
}

bool is_binary(const char* image) {
  return std::memcmp(image,
                     "\x7F"
                     "ELF",
                     4) == 0 ||
         std::memcmp(image, "\x50\xED\x55\xBA", 4) == 0;
}

}  // namespace

FAKE_CUDA_ENTRY cuModuleLoadDataEx(cuda::DriverModule* module, const void* image, unsigned count,
                                   int* options, void** values) {
  return call_in_context("cuModuleLoadDataEx", [&](State& all, Context& context) -> int {
    if (module == nullptr || image == nullptr) return kInvalidValue;
    note_module();
    const char* text = static_cast<const char*>(image);
    if (std::strlen(text) >= 4 && is_binary(text)) {
      give_log("only PTX can be interpreted, no machine code", count, options, values);
      return kNoBinaryForGpu;
    }
    auto loaded = load_module(context, text);
    if (!loaded) {
      give_log(loaded.error().text, count, options, values);
      all.last_fault = loaded.error().text;
      if (wishes_log()) std::fprintf(stderr, "fake_cuda: %s\n", all.last_fault.c_str());
      return loaded.error().error;
    }
    *module = reinterpret_cast<cuda::DriverModule>(loaded->get());
    context.modules[*module] = *std::move(loaded);
    return kSuccess;
  });
}

FAKE_CUDA_ENTRY cuModuleUnload(cuda::DriverModule module) {
  return call_in_context("cuModuleUnload", [&](State&, Context& context) -> int {
    const auto found = context.modules.find(module);
    if (found == context.modules.end()) return kInvalidHandle;
    unload_module(*found->second);
    context.modules.erase(found);
    return kSuccess;
  });
}

FAKE_CUDA_ENTRY cuModuleGetFunction(cuda::DriverFunction* function, cuda::DriverModule module,
                                    const char* name) {
  return call_in_context("cuModuleGetFunction", [&](State&, Context& context) -> int {
    if (function == nullptr || name == nullptr) return kInvalidValue;
    const auto found = context.modules.find(module);
    if (found == context.modules.end()) return kInvalidHandle;
    const auto known = found->second->functions.find(name);
    if (known == found->second->functions.end()) return kNotFound;
    *function = reinterpret_cast<cuda::DriverFunction>(known->second.get());
    return kSuccess;
  });
}

FAKE_CUDA_ENTRY cuModuleGetGlobal_v2(cuda::DriverPointer* pointer, std::size_t* bytes,
                                     cuda::DriverModule module, const char* name) {
  return call_in_context("cuModuleGetGlobal_v2", [&](State&, Context& context) -> int {
    if (name == nullptr) return kInvalidValue;
    const auto found = context.modules.find(module);
    if (found == context.modules.end()) return kInvalidHandle;
    for (const auto& [variable, address] : found->second->addresses) {
      if (variable->name != name) continue;
      if (pointer != nullptr) *pointer = address;
      if (bytes != nullptr) *bytes = variable->bytes;
      return kSuccess;
    }
    return kNotFound;
  });
}

namespace {

// Registers are PTX's, of which there are as many as values: the number says nothing of a card.
int function_attribute(const Kernel& kernel, const Module& module, int attribute) {
  const auto& most = kernel.entry().max_threads;
  switch (attribute) {
    case 0:
      return static_cast<int>(most[0] != 0 ? most[0] * most[1] * most[2] : kMostThreads);
    case 1:
      return static_cast<int>(kernel.static_shared);
    case 2:
      return static_cast<int>(kernel.constant_bytes);
    case 3:
      return static_cast<int>(kernel.local_bytes);
    case 4:
      return std::min(kMostRegisters, static_cast<int>(kernel.entry().registers));
    case 5:
      return static_cast<int>(module.version);
    case 6:
      return wished_architecture();
    case 8:
      return static_cast<int>(kernel.most_dynamic != 0 ? kernel.most_dynamic
                                                       : kMostShared - kernel.static_shared);
    default:
      return 0;
  }
}

}  // namespace

FAKE_CUDA_ENTRY cuFuncGetAttribute(int* value, int attribute, cuda::DriverFunction function) {
  return call_in_context("cuFuncGetAttribute", [&](State& all, Context& context) -> int {
    const LoadedFunction* found = all.find_function(context, function);
    if (found == nullptr) return kInvalidHandle;
    if (value == nullptr || attribute < 0 || attribute > 15) return kInvalidValue;
    *value = function_attribute(*found->kernel, *found->module->ptx, attribute);
    return kSuccess;
  });
}

FAKE_CUDA_ENTRY cuFuncSetAttribute(cuda::DriverFunction function, int attribute, int value) {
  return call_in_context("cuFuncSetAttribute", [&](State& all, Context& context) -> int {
    const LoadedFunction* found = all.find_function(context, function);
    if (found == nullptr) return kInvalidHandle;
    constexpr int kDynamicBytes = 8, kCarveout = 9;
    if (attribute == kCarveout) return kSuccess;  // a hint
    if (attribute != kDynamicBytes || value < 0) return kInvalidValue;
    const auto bytes = static_cast<std::uint64_t>(value);
    if (bytes + found->kernel->static_shared > kMostSharedAsked) return kInvalidValue;
    found->kernel->most_dynamic = bytes;
    return kSuccess;
  });
}
