#include "backend/cuda/describe.h"

#include <algorithm>

#include "backend/cuda/buffer.h"
#include "base/hex.h"
#include "base/text.h"

namespace vyre::backend::cuda {
namespace {

// Asks a driver for facts, and keeps the first failure.
class Questions {
 public:
  Questions(const Driver& driver, int device) : driver_(driver), device_(device) {}

  std::uint32_t attribute(Attribute which) {
    int value = 0;
    note(driver_.call.device_attribute(&value, number_of(driver_.api, which), device_));
    return static_cast<std::uint32_t>(std::max(value, 0));
  }
  std::string name() {
    std::array<char, 256> text{};
    note(driver_.call.device_name(text.data(), static_cast<int>(text.size() - 1), device_));
    return escaped(text.data());
  }
  std::uint64_t memory_bytes() {
    std::size_t bytes = 0;
    note(driver_.call.device_total_memory(&bytes, device_));
    return bytes;
  }
  int driver_version() {
    int version = 0;
    note(driver_.call.driver_version(&version));
    return version;
  }
  // Empty where the driver has none: a device is told from others without it.
  HardwareId hardware() const {
    HardwareId out;
    DriverUuid uuid{};
    if (driver_.call.device_uuid(&uuid, device_) == 0) out.uuid = to_hex(uuid.bytes);
    std::array<char, 64> pci{};
    if (driver_.call.device_pci_id(pci.data(), static_cast<int>(pci.size() - 1), device_) == 0) {
      out.pci = escaped(pci.data());
      std::ranges::transform(out.pci, out.pci.begin(),
                             [](char c) { return c >= 'A' && c <= 'F' ? char(c - 'A' + 'a') : c; });
    }
    return out;
  }
  // "gfx90a:sramecc+:xnack-". The layout of the struct changes with HIP's versions, and its one
  // text that begins so is the architecture.
  std::string hip_architecture() {
    std::vector<char> properties(std::size_t{64} << 10U);
    note(driver_.call.device_properties(properties.data(), device_));
    const std::string_view bytes(properties.data(), properties.size() - 1);
    const std::size_t at = bytes.find("gfx");
    return at == bytes.npos ? std::string() : escaped(properties.data() + at);
  }

  Expected<void> answered() const {
    if (code_ == 0) return {};
    return driver_error(driver_, code_, "the device does not say what it is");
  }

 private:
  void note(int code) {
    if (code_ == 0) code_ = code;
  }

  const Driver& driver_;
  int device_;
  int code_ = 0;
};

// What both interfaces promise of their events.
constexpr std::uint64_t kEventStepNs = 500;

DeviceLimits limits_of(Questions& ask) {
  return {.workgroup_items = ask.attribute(Attribute::block_threads),
          .workgroup_size = {ask.attribute(Attribute::block_x), ask.attribute(Attribute::block_y),
                             ask.attribute(Attribute::block_z)},
          .buffer_bytes = ask.memory_bytes(),
          .local_bytes = ask.attribute(Attribute::block_shared_bytes_opt_in),
          .compute_units = ask.attribute(Attribute::processors),
          .memory_bytes = ask.memory_bytes()};
}

Expected<Target> target_of(const Driver& driver, const Compilers& compilers, Questions& ask) {
  if (driver.api == Api::cuda) {
    const std::uint32_t major = ask.attribute(Attribute::capability_major);
    const std::uint32_t minor = ask.attribute(Attribute::capability_minor);
    const int version = ask.driver_version();
    VYRE_TRY_VOID(ask.answered());
    return choose_target(compilers, static_cast<int>(major * 10 + minor), version);
  }
  Target out{.compiler = compilers.front(), .architecture = ask.hip_architecture()};
  VYRE_TRY_VOID(ask.answered());
  if (!out.architecture.empty()) return out;
  return backend_error(
      "the HIP device does not name its architecture; install AMD's ROCm 5.2 or "
      "newer");
}

}  // namespace

Expected<int> start(const Driver& driver) {
  const std::string_view api = driver.api == Api::cuda ? "CUDA" : "HIP";
  int count = 0;
  int code = driver.call.init(0);
  if (code == 0) code = driver.call.device_count(&count);
  if (code == 0 && count == 0) code = static_cast<int>(Code::no_device);
  // HIP 5.2 says on a machine without a device that device 0 is none.
  if (is(code, Code::no_device) || is(code, Code::invalid_device)) {
    return driver_error(driver, code, fmt::format("there is no {} device", api));
  }
  if (code != 0)
    return driver_error(driver, code, fmt::format("the {} driver does not start", api));
  return count;
}

Expected<int> device_of(const Driver& driver, DriverContext context) {
  const DriverFunctions& call = driver.call;
  DriverContext before = nullptr;
  int device = 0;
  const bool had_one = call.context_get(&before) == 0;
  int code = call.context_set(context);
  if (code == 0) code = call.context_device(&device);
  if (had_one) call.context_set(before);
  if (code == 0) return device;
  return bad_inputs("the context is not alive ({}); hand in one that is",
                    name_of_code(driver, code));
}

Expected<Described> describe(const Driver& driver, const Compilers& compilers, int ordinal) {
  const bool is_cuda = driver.api == Api::cuda;
  Described out;
  int device = 0;
  if (const int code = driver.call.device_get(&device, ordinal); code != 0) {
    return driver_error(driver, code, fmt::format("device {} cannot be found", ordinal));
  }
  Questions ask(driver, device);
  VYRE_TRY(Target target, target_of(driver, compilers, ask));
  const int version = ask.driver_version();
  DeviceInfo& info = out.info;
  info.backend = is_cuda ? "cuda" : "hip";
  info.platform =
      fmt::format("{}, {}", is_cuda ? "NVIDIA CUDA" : "AMD HIP", target.compiler->name());
  info.name = ask.name();
  info.driver = is_cuda ? fmt::format("CUDA {}.{}", version / 1000, version % 1000 / 10)
                        : fmt::format("HIP {}", version);
  info.language = fmt::format("{} C++, {}", is_cuda ? "CUDA" : "HIP", target.architecture);
  // An interpreter of PTX stands in for a device in tests, and says so in its name.
  const bool is_interpreter = info.name.find("PTX interpreter") != info.name.npos;
  info.shares_host_cores = is_interpreter;
  info.kind = is_interpreter ? DeviceKind::interpreter : DeviceKind::gpu;
  if (!is_interpreter) info.hardware = ask.hardware();
  info.clock_step_ns = kEventStepNs;
  info.untried = is_cuda ? "this backend was tested on an interpreter of PTX only, never on a card"
                         : "this backend was tested with a scripted driver only, never on a card";
  info.tells_facts = true;
  info.part_alignment = kPartAlignment;
  info.limits = limits_of(ask);
  out.facts = {.device = device,
               .grid = {ask.attribute(Attribute::grid_x), ask.attribute(Attribute::grid_y),
                        ask.attribute(Attribute::grid_z)},
               .shared_bytes = ask.attribute(Attribute::block_shared_bytes),
               .shared_bytes_limit = ask.attribute(Attribute::block_shared_bytes_opt_in),
               .target = std::move(target)};
  VYRE_TRY_VOID(ask.answered());
  return out;
}

}  // namespace vyre::backend::cuda
