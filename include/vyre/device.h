// Device, Buffer, Kernel: what every backend implements, and how to get one.
//
// A backend is a folder under src/backend with one function that opens its devices. `null` is
// the template for a new one; tests/conformance is the suite that each joins.
//
// Threads: a Device and its Kernels may be used by several threads at once. A Buffer belongs to
// one caller at a time. Buffers and Kernels keep what they need of their Device alive.

#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "vyre/config.h"
#include "vyre/error.h"
#include "vyre/program.h"

namespace vyre {

using Extent = std::array<std::uint32_t, 3>;

struct DeviceLimits {
  std::uint32_t workgroup_items = 0;  // invocations of one workgroup
  Extent workgroup_size{};            // each axis
  std::uint64_t buffer_bytes = 0;     // of one buffer
  std::uint64_t local_bytes = 0;      // of one workgroup
  std::uint32_t compute_units = 0;    // 0: not known
  std::uint64_t memory_bytes = 0;     // of the device; 0: not known
};

// What computes, the best first.
enum class DeviceKind : std::uint8_t { gpu, accelerator, cpu, interpreter };

// Names of a piece of hardware that are the same in every interface to it. Empty: not known, or
// the device is no hardware of its own.
struct HardwareId {
  std::string uuid{};  // 32 lower-case hexadecimal digits
  std::string pci{};   // domain:bus:device.function, as in "0000:01:00.0"
};

struct DeviceInfo {
  std::string backend;     // "reference"
  std::string platform{};  // whose implementation it is, with its version and its compiler's
  std::string name;        // of the device, as its driver calls it
  std::string driver;      // version
  std::string language{};  // newest version of the interface and of the kernel language
  DeviceKind kind = DeviceKind::interpreter;
  bool is_layered = false;  // its interface stands on another one, as OpenCL over Vulkan
  HardwareId hardware{};
  bool executes = true;            // false: compiles and launches, computes nothing
  bool shares_host_cores = false;  // a CPU: nothing else should run while it is measured
  // The step of the clock that times launches, as the driver names it. 0: the host's clock does.
  std::uint64_t clock_step_ns = 0;
  // What was never tried with devices like this one, for people; empty: nothing.
  std::string untried{};
  DeviceLimits limits;
  bool tells_facts = false;        // its kernels have facts
  std::size_t part_alignment = 0;  // where parts of a buffer may begin; 0: buffers have no parts
  // The name under which open_device opens it in another process, for example "opencl:0". Empty:
  // the application handed in its own context, which no other process has.
  std::string selector{};
};

// Everything about a device that can change which configuration is fastest, and nothing else. A
// decision holds for one identity, and so do quarantine, journals and workers. Memory is left out:
// the largest buffer follows the free memory on some devices (PoCL), and decides no race.
struct Identity {
  std::string backend = {};
  std::string platform = {};  // whose implementation, with its compiler
  std::string device = {};
  std::string driver = {};
  std::string language = {};
  std::vector<std::int64_t> limits = {};  // as identity_of lists them

  bool operator==(const Identity&) const = default;
};
Identity identity_of(const DeviceInfo& info);
std::string id_of(const Identity& identity);  // 16 hexadecimal digits

// 64 hexadecimal digits over the identity, of which id_of has the first.
std::string fingerprint(const DeviceInfo& info);

// For people and for file names: [A-Za-z0-9._-] only, at most 64 bytes.
std::string safe_name(const DeviceInfo& info);

// The time from the start of the first to the end of the last command that was given to it, by the
// device's own clock where the device has one. One thread uses a Timer for one measurement.
class Timer {
 public:
  virtual ~Timer() = default;
  // Waits for the commands. 0: no command was given, or the clock did not tick.
  virtual Expected<std::uint64_t> elapsed_ns() = 0;
  // Waits until the last command has begun to run, so that all of them are compiled. Does not wait
  // where a command is over when its call returns, or where the device does not tell.
  virtual Expected<void> wait_until_begun() { return {}; }
};

// Device memory. Offsets and sizes in bytes; a range outside is bad_inputs.
class Buffer {
 public:
  virtual ~Buffer() = default;
  virtual std::size_t size() const = 0;
  virtual Expected<void> write(std::size_t offset, std::span<const std::byte> bytes) = 0;
  virtual Expected<void> read(std::size_t offset, std::span<std::byte> bytes) const = 0;
  // The first so many bytes. May return before the work is done, as Kernel::launch.
  virtual Expected<void> fill_zero(std::size_t bytes, Timer* timer = nullptr) = 0;
  // The first so many bytes of a buffer of the same device, without a way through the host.
  virtual Expected<void> copy_from(const Buffer& from, std::size_t bytes) = 0;
  // A buffer that is a part of this one's memory, and keeps it alive. `backend` error: the device
  // has none that begin there (DeviceInfo::part_alignment).
  virtual Expected<std::unique_ptr<Buffer>> part(std::size_t offset, std::size_t bytes);
};

struct Launch {
  std::span<Buffer* const> buffers;        // the program's bound buffers, in declaration order
  std::span<const std::uint64_t> symbols;  // bits of every symbol; those of tunables are ignored
  Extent groups{1, 1, 1};
  Timer* timer = nullptr;  // if given: of the same device
};

// What a compiler made of a kernel, as its driver tells it.
struct KernelFacts {
  std::uint32_t registers = 0;      // of one invocation
  std::uint32_t private_bytes = 0;  // of one invocation in memory: arrays, and registers spilled
  std::uint32_t local_bytes = 0;    // of one workgroup

  bool operator==(const KernelFacts&) const = default;
};

class Kernel {
 public:
  virtual ~Kernel() = default;
  // None: the driver does not tell (DeviceInfo::tells_facts).
  virtual std::optional<KernelFacts> facts() const { return std::nullopt; }
  // May return before the work is done; Device::finish waits for it and reports its failure.
  virtual Expected<void> launch(const Launch& launch) = 0;
};

// A program with everything that is fixed before compiling.
struct Specialisation {
  std::vector<std::uint64_t> symbols;  // bits of every symbol; only those of tunables are given
  Extent workgroup{1, 1, 1};

  bool operator==(const Specialisation&) const = default;
};

class Device {
 public:
  virtual ~Device() = default;
  virtual const DeviceInfo& info() const = 0;
  virtual Expected<std::unique_ptr<Buffer>> allocate(std::size_t bytes) = 0;  // zeros
  // `rejected` if this device will not run it: too large a workgroup, too much local memory.
  virtual Expected<std::shared_ptr<Kernel>> compile(const ir::Sequence& sequence,
                                                    std::uint32_t program,
                                                    const Specialisation& specialisation) = 0;
  virtual Expected<std::unique_ptr<Timer>> make_timer() = 0;
  // Waits for all that was enqueued, and reports the first failure among it.
  virtual Expected<void> finish() = 0;
};

// The interpreter: the living definition of the language.
struct ReferenceOptions {
  std::uint32_t threads = 0;  // 0: one per core
  // Lane instructions that one launch may take before it is stopped with an error.
  std::uint64_t budget = 200'000'000'000;
  // Report two invocations of a workgroup that touch the same element without a barrier between
  // them, one of them writing. Slow.
  bool detect_races = false;
};
std::shared_ptr<Device> open_reference(const ReferenceOptions& options = {});

// Compiles and launches everything, computes nothing: buffers stay as they are.
std::shared_ptr<Device> open_null();

// On which devices compiled kernels are kept. Some drivers keep them already, and hand them out
// only after compiling them once more.
enum class StoreUse : std::uint8_t { where_cheap, always };

// Options for opening devices. Each backend uses those that concern it.
struct DeviceOptions {
  // A folder where compiled kernels are kept for later processes; empty: none.
  std::filesystem::path binary_store{};
  StoreUse store_use = StoreUse::where_cheap;
  // A kernel that takes longer to compile is given up with an error. Its compiler goes on in a
  // thread of this process, because no driver can be told to stop; PoCL compiles nothing else
  // meanwhile. Only another process can be ended: docs/tuning.md, "Where candidates run".
  std::chrono::milliseconds build_limit{120'000};
  // Buffers of a device that computes on the host's processor lie between so many bytes that nobody
  // may touch: a kernel that does ends the process, so this is for processes that may end, as
  // vyre-worker. 0: none. Vulkan's devices check each access instead (robustBufferAccess).
  std::size_t guard_bytes = 0;
};

// Keeps compiled kernels where the command keeps them, if `files` names a folder.
DeviceOptions device_options(const Files& files);

struct Backend {
  std::string_view name;
  std::string_view what;  // one line for people
  Expected<std::vector<std::shared_ptr<Device>>> (*open)(const DeviceOptions& options);
};
std::span<const Backend> backends();

// "reference", "opencl:1" for the second device of a backend, or "best".
Expected<std::shared_ptr<Device>> open_device(std::string_view selector,
                                              const DeviceOptions& options = {});

// All devices of all backends, the best first: GPUs before accelerators before CPUs before the
// interpreter, and a native interface before a layered one; among equals, in the order of
// `backends` and of each backend's own list. The devices that compute nothing come last.
struct DeviceList {
  struct Entry {
    std::shared_ptr<Device> device;
    // The selector of an earlier entry for the same piece of hardware, through another interface.
    std::string same_as{};
  };
  struct Missing {
    std::string_view backend;
    Error why;
  };
  std::vector<Entry> devices{};
  std::vector<Missing> missing{};  // backends that have no device here
};
DeviceList list_devices(const DeviceOptions& options = {});

// The first of list_devices.
Expected<std::shared_ptr<Device>> open_best_device(const DeviceOptions& options = {});

}  // namespace vyre
