#include "vyre/device.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "backend/ranking.h"
#include "base/blake3.h"
#include "base/byte_writer.h"
#include "base/error.h"
#include "base/files/paths.h"
#include "base/hex.h"
#include "base/text.h"
#include "vyre/cuda.h"
#include "vyre/opencl.h"
#include "vyre/vulkan.h"

namespace vyre {
namespace {

using Devices = std::vector<std::shared_ptr<Device>>;

// One row per backend. A vendor's own interface stands before one that many vendors share.
constexpr std::array kBackends{
    Backend{"cuda", "NVIDIA's devices, through libcuda.so.1 and NVRTC", open_cuda},
    Backend{"hip", "AMD's devices, through libamdhip64.so and hipRTC", open_hip},
    Backend{"opencl", "any OpenCL 1.2 device, through the installed drivers", open_opencl},
    Backend{"vulkan", "any Vulkan 1.1 device, through libvulkan.so.1", open_vulkan},
    Backend{"reference", "the interpreter, on the host's cores",
            [](const DeviceOptions&) -> Expected<Devices> { return Devices{open_reference()}; }},
    Backend{"null", "compiles and launches, computes nothing",
            [](const DeviceOptions&) -> Expected<Devices> { return Devices{open_null()}; }},
};

Expected<std::size_t> parse_index(std::string_view text, std::string_view selector) {
  std::size_t index = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), index);
  if (error != std::errc() || end != text.data() + text.size()) {
    return bad_inputs(
        "device {}: what follows the colon is not a number; write for example "
        "\"reference:0\"",
        quote(selector));
  }
  return index;
}

Hash hash_of(const Identity& identity) {
  ByteWriter bytes;
  for (const std::string* text : {&identity.backend, &identity.platform, &identity.device,
                                  &identity.driver, &identity.language}) {
    bytes.text(*text);
  }
  for (const std::int64_t limit : identity.limits) bytes.u64(static_cast<std::uint64_t>(limit));
  return blake3(bytes.bytes());
}

}  // namespace

Expected<std::unique_ptr<Buffer>> Buffer::part(std::size_t, std::size_t) {
  return backend_error("buffers of this device have no parts; allocate one for each part");
}

Identity identity_of(const DeviceInfo& info) {
  const DeviceLimits& limits = info.limits;
  return {.backend = info.backend,
          .platform = info.platform,
          .device = info.name,
          .driver = info.driver,
          .language = info.language,
          .limits = {limits.workgroup_items, limits.workgroup_size[0], limits.workgroup_size[1],
                     limits.workgroup_size[2], static_cast<std::int64_t>(limits.local_bytes),
                     limits.compute_units}};
}

std::string id_of(const Identity& identity) {
  constexpr std::size_t kIdDigits = 16;
  return to_hex(hash_of(identity)).substr(0, kIdDigits);
}

std::string fingerprint(const DeviceInfo& info) { return to_hex(hash_of(identity_of(info))); }

std::string safe_name(const DeviceInfo& info) {
  constexpr std::size_t kMostBytes = 64;
  std::string out;
  for (const char c : info.backend + "-" + info.name) {
    const bool safe = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                      c == '.' || c == '-';
    if (safe) {
      out += c;
    } else if (!out.ends_with('_')) {
      out += '_';
    }
  }
  out.resize(std::min(out.size(), kMostBytes));
  return out;
}

DeviceOptions device_options(const Files& files) { return {.binary_store = kernels_folder(files)}; }

std::span<const Backend> backends() { return kBackends; }

Expected<std::shared_ptr<Device>> open_device(std::string_view selector,
                                              const DeviceOptions& options) {
  if (selector == "best") return open_best_device(options);
  const std::size_t colon = selector.find(':');
  const std::string_view name = selector.substr(0, colon);
  std::vector<std::string> known{"best"};
  for (const Backend& backend : kBackends) {
    known.emplace_back(backend.name);
    if (backend.name != name) continue;
    std::size_t index = 0;
    if (colon != std::string_view::npos) {
      VYRE_TRY(index, parse_index(selector.substr(colon + 1), selector));
    }
    VYRE_TRY(Devices devices, backend.open(options));
    if (index < devices.size()) return devices[index];
    return bad_inputs("device {}: backend \"{}\" has {} device(s), numbered from 0",
                      quote(selector), name, devices.size());
  }
  std::string list;
  for (const std::string& k : known) list += (list.empty() ? "" : ", ") + k;
  return bad_inputs("there is no backend {}; use one of: {}{}; `vyre devices` lists the devices",
                    quote(name), list, did_you_mean(name, known));
}

DeviceList list_devices(const DeviceOptions& options) {
  return backend::list_devices_of(kBackends, options);
}

// A backend that comes later is not opened where none of its devices could be better.
Expected<std::shared_ptr<Device>> open_best_device(const DeviceOptions& options) {
  std::shared_ptr<Device> best;
  for (const Backend& row : kBackends) {
    if (best != nullptr && backend::is_of_the_best_kind(best->info())) break;
    const auto devices = row.open(options);
    if (!devices) continue;
    for (const auto& device : *devices) {
      if (best == nullptr || backend::is_better(device->info(), best->info())) best = device;
    }
  }
  if (best == nullptr) return backend_error("no backend has a device");
  return best;
}

}  // namespace vyre
