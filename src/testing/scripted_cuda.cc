#include "testing/scripted_cuda.h"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <cstring>

namespace vyre::testing {
namespace {

using namespace backend::cuda;

CudaScript& script = *new CudaScript;  // never destroyed: it knows what is allocated
std::mutex script_mutex;
thread_local std::uintptr_t current_context = 0;

constexpr int kInvalidValue = 1;
constexpr int kInvalidContext = 201;

// Notes a call and says what a test wants of it: 0, or a failure.
int noted(const std::string& name) {
  const std::lock_guard lock(script_mutex);
  script.calls.push_back(name);
  const auto it = script.fails.find(name);
  return it == script.fails.end() ? 0 : it->second;
}

// One type per function of the tables, so that overloads tell them apart.
namespace driver_call {
#define VYRE_DRIVER_FUNCTION(member, cuda, hip, parameters) \
  struct member {                                           \
    static constexpr const char* kName = #member;           \
  };
#include "backend/cuda/driver_functions.def"
#undef VYRE_DRIVER_FUNCTION
}  // namespace driver_call
namespace compiler_call {
#define VYRE_COMPILER_FUNCTION(result, member, nvrtc, hiprtc, parameters) \
  struct member {                                                         \
    static constexpr const char* kName = #member;                         \
  };
#include "backend/cuda/compiler_functions.def"
#undef VYRE_COMPILER_FUNCTION
}  // namespace compiler_call

// What a call does where it does not fail; nothing, unless said below.
template <class Call, class... Parameters>
int perform(Call, Parameters...) {
  return 0;
}

int perform(driver_call::driver_version, int* version) {
  *version = script.driver_version;
  return 0;
}
int perform(driver_call::device_count, int* count) {
  *count = script.devices;
  return 0;
}
int perform(driver_call::device_get, int* device, int ordinal) {
  *device = ordinal;
  return 0;
}
int perform(driver_call::device_name, char* name, int length, int) {
  std::strncpy(name, script.device_name.c_str(), static_cast<std::size_t>(length));
  return 0;
}
int perform(driver_call::device_attribute, int* value, int attribute, int) {
  const std::map<int, int> values{{1, 1024},
                                  {2, 1024},
                                  {3, 1024},
                                  {4, 64},
                                  {5, 0x7fffffff},
                                  {6, 65535},
                                  {7, 65535},
                                  {8, 49152},
                                  {97, 101376},
                                  {16, 4},
                                  {75, script.capability / 10},
                                  {76, script.capability % 10},
                                  // HIP's numbers
                                  {56, 1024},
                                  {26, 1024},
                                  {27, 1024},
                                  {28, 1024},
                                  {29, 0x7fffffff},
                                  {30, 65535},
                                  {31, 65535},
                                  {74, 65536},
                                  {63, 60}};
  const auto it = values.find(attribute);
  if (it == values.end()) return kInvalidValue;
  *value = it->second;
  return 0;
}
int perform(driver_call::device_uuid, DriverUuid* uuid, int) {
  for (std::size_t k = 0; k < 16; ++k) uuid->bytes[k] = static_cast<unsigned char>(k * 0x11);
  return 0;
}
int perform(driver_call::device_pci_id, char* id, int length, int) {
  std::strncpy(id, "0000:0A:00.0", static_cast<std::size_t>(length));
  return 0;
}
int perform(driver_call::device_total_memory, std::size_t* bytes, int) {
  *bytes = std::size_t{1} << 30U;
  return 0;
}
int perform(driver_call::device_properties, void* properties, int) {
  std::memcpy(static_cast<char*>(properties) + 1160, script.device_properties.c_str(),
              script.device_properties.size());
  return 0;
}
int perform(driver_call::primary_context_retain, DriverContext* context, int device) {
  *context = std::bit_cast<DriverContext>(std::uintptr_t{1} + static_cast<unsigned>(device));
  return 0;
}
int perform(driver_call::context_set, DriverContext context) {
  current_context = reinterpret_cast<std::uintptr_t>(context);
  return 0;
}
int perform(driver_call::context_get, DriverContext* context) {
  *context = std::bit_cast<DriverContext>(current_context);
  return 0;
}
int perform(driver_call::context_device, int* device) {
  if (current_context == 0) return kInvalidContext;
  *device = 0;
  return 0;
}
int perform(driver_call::module_load, DriverModule* module, const void* image, unsigned count, int*,
            void** values) {
  const bool is_text = std::strncmp(static_cast<const char*>(image), "BINARY", 6) != 0;
  if (!is_text && !script.loads_binaries) return 209;
  if (count > 0) std::strcpy(static_cast<char*>(values[0]), "");
  *module = std::bit_cast<DriverModule>(std::uintptr_t{1});
  return 0;
}
int perform(driver_call::module_function, DriverFunction* function, DriverModule, const char*) {
  *function = std::bit_cast<DriverFunction>(std::uintptr_t{1});
  return 0;
}
int perform(driver_call::module_global, DriverPointer* pointer, std::size_t* bytes, DriverModule,
            const char*) {
  static std::array<char, 256> constant;
  *pointer = reinterpret_cast<DriverPointer>(constant.data());
  *bytes = script.constant_bytes;
  return 0;
}
int perform(driver_call::function_attribute, int* value, int attribute, DriverFunction) {
  *value = script.function_attributes[attribute];
  return 0;
}
int perform(driver_call::function_set_attribute, DriverFunction, int, int value) {
  script.asked_shared_bytes.push_back(value);
  return 0;
}
int perform(driver_call::launch, DriverFunction, unsigned gx, unsigned gy, unsigned gz, unsigned bx,
            unsigned by, unsigned bz, unsigned shared_bytes, DriverStream, void**, void**) {
  const std::lock_guard lock(script_mutex);
  script.launches.push_back({{gx, gy, gz}, {bx, by, bz}, shared_bytes});
  return 0;
}
int perform(driver_call::memory_allocate, DriverPointer* pointer, std::size_t bytes) {
  *pointer = reinterpret_cast<DriverPointer>(std::calloc(bytes, 1));
  const std::lock_guard lock(script_mutex);
  script.memory[*pointer] = bytes;
  return 0;
}
int perform(driver_call::memory_free, DriverPointer pointer) {
  const std::lock_guard lock(script_mutex);
  if (script.memory.erase(pointer) == 0) return kInvalidValue;
  std::free(std::bit_cast<void*>(pointer));
  return 0;
}
int perform(driver_call::copy_in, DriverPointer to, const void* from, std::size_t bytes,
            DriverStream) {
  std::memcpy(std::bit_cast<void*>(to), from, bytes);
  return 0;
}
int perform(driver_call::copy_out, void* to, DriverPointer from, std::size_t bytes, DriverStream) {
  std::memcpy(to, std::bit_cast<const void*>(from), bytes);
  return 0;
}
int perform(driver_call::copy_within, DriverPointer to, DriverPointer from, std::size_t bytes,
            DriverStream) {
  std::memcpy(std::bit_cast<void*>(to), std::bit_cast<const void*>(from), bytes);
  return 0;
}
int perform(driver_call::fill_bytes, DriverPointer to, unsigned char value, std::size_t count,
            DriverStream) {
  std::memset(std::bit_cast<void*>(to), value, count);
  return 0;
}
int perform(driver_call::pointer_attribute, void* value, int attribute, DriverPointer pointer) {
  for (const auto& [address, bytes] : script.memory) {
    if (pointer < address || pointer >= address + bytes) continue;
    if (attribute == 2) *static_cast<unsigned*>(value) = 2;
    if (attribute == 11) *static_cast<DriverPointer*>(value) = address;
    if (attribute == 12) *static_cast<std::size_t*>(value) = bytes;
    return 0;
  }
  return kInvalidValue;
}
int perform(driver_call::stream_create, DriverStream* stream, unsigned) {
  *stream = std::bit_cast<DriverStream>(std::uintptr_t{1});
  return 0;
}
int perform(driver_call::event_create, DriverEvent* event, unsigned) {
  *event = std::bit_cast<DriverEvent>(std::uintptr_t{1});
  return 0;
}
int perform(driver_call::event_elapsed, float* milliseconds, DriverEvent, DriverEvent) {
  *milliseconds = 0.0015F;
  return 0;
}

int perform(compiler_call::version, int* major, int* minor) {
  *major = script.compiler_major;
  *minor = script.compiler_minor;
  return 0;
}
int perform(compiler_call::architecture_count, int* count) {
  *count = static_cast<int>(script.architectures.size());
  return 0;
}
int perform(compiler_call::architectures, int* out) {
  std::ranges::copy(script.architectures, out);
  return 0;
}
int perform(compiler_call::create, CompilerProgram* program, const char*, const char*, int,
            const char* const*, const char* const*) {
  *program = std::bit_cast<CompilerProgram>(std::uintptr_t{1});
  return 0;
}
int perform(compiler_call::add_name, CompilerProgram, const char* expression) {
  script.names.emplace_back(expression);
  return 0;
}
int perform(compiler_call::compile, CompilerProgram, int count, const char* const* options) {
  script.options.assign(options, options + count);
  return 0;
}
int perform(compiler_call::lowered_name, CompilerProgram, const char* expression,
            const char** name) {
  *name = expression;
  return 0;
}
std::string binary_text() { return "BINARY of a kernel"; }
int perform(compiler_call::code_size, CompilerProgram, std::size_t* bytes) {
  *bytes = binary_text().size();
  return 0;
}
int perform(compiler_call::code, CompilerProgram, char* code) {
  std::ranges::copy(binary_text(), code);
  return 0;
}
int perform(compiler_call::ptx_size, CompilerProgram, std::size_t* bytes) {
  *bytes = script.ptx.size() + 1;
  return 0;
}
int perform(compiler_call::ptx, CompilerProgram, char* ptx) {
  std::memcpy(ptx, script.ptx.c_str(), script.ptx.size() + 1);
  return 0;
}
int perform(compiler_call::log_size, CompilerProgram, std::size_t* bytes) {
  *bytes = script.log.size() + 1;
  return 0;
}
int perform(compiler_call::log, CompilerProgram, char* log) {
  std::memcpy(log, script.log.c_str(), script.log.size() + 1);
  return 0;
}

// Functions that need no context, or make one.
bool needs_context(const std::string& name) {
  static const std::set<std::string> kFree{"init",
                                           "driver_version",
                                           "error_name",
                                           "device_count",
                                           "device_get",
                                           "device_name",
                                           "device_attribute",
                                           "device_uuid",
                                           "device_pci_id",
                                           "device_properties",
                                           "device_total_memory",
                                           "context_set",
                                           "context_get",
                                           "context_device",
                                           "primary_context_retain",
                                           "primary_context_release"};
  return !kFree.contains(name);
}

template <class Call, class... Parameters>
void script_driver(int (*&function)(Parameters...)) {
  function = [](Parameters... parameters) -> int {
    if (current_context == 0 && needs_context(Call::kName)) {
      const std::lock_guard lock(script_mutex);
      script.without_context.insert(Call::kName);
    }
    if (const int code = noted(Call::kName); code != 0) return code;
    return perform(Call(), parameters...);
  };
}

template <class Call, class... Parameters>
void script_compiler(int (*&function)(Parameters...)) {
  function = [](Parameters... parameters) -> int {
    if (const int code = noted(Call::kName); code != 0) return code;
    return perform(Call(), parameters...);
  };
}

template <class Call>
void script_compiler(const char* (*&function)(int)) {
  function = [](int) { return "a scripted failure"; };
}

}  // namespace

std::size_t CudaScript::count(const std::string& name) const {
  return static_cast<std::size_t>(std::ranges::count(calls, name));
}

// What is allocated then belonged to devices that were lost.
CudaScript& new_cuda_script() {
  for (const auto& [address, bytes] : script.memory) std::free(std::bit_cast<void*>(address));
  script = {};
  current_context = 0;
  return script;
}

std::shared_ptr<const Driver> scripted_driver(Api api) {
  auto out = std::make_shared<Driver>(Driver{.api = api});
#define VYRE_DRIVER_FUNCTION(member, cuda, hip, parameters) \
  script_driver<driver_call::member>(out->call.member);
#include "backend/cuda/driver_functions.def"
#undef VYRE_DRIVER_FUNCTION
  return out;
}

Expected<Compilers> scripted_compilers(Api api) {
  CompilerFunctions call;
#define VYRE_COMPILER_FUNCTION(result, member, nvrtc, hiprtc, parameters) \
  script_compiler<compiler_call::member>(call.member);
#include "backend/cuda/compiler_functions.def"
#undef VYRE_COMPILER_FUNCTION
  if (api == Api::hip) {
    call.architecture_count = nullptr;
    call.ptx_size = nullptr;
  }
  auto compiler = Compiler::make(api, call);
  if (!compiler) return std::unexpected(compiler.error());
  return Compilers{*compiler};
}

std::uintptr_t current_scripted_context() { return current_context; }
void set_scripted_context(std::uintptr_t context) { current_context = context; }

}  // namespace vyre::testing
