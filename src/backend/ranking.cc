#include "backend/ranking.h"

#include <algorithm>
#include <tuple>

namespace vyre::backend {
namespace {

auto rank_of(const DeviceInfo& d) { return std::tuple(!d.executes, d.kind, d.is_layered); }

const DeviceInfo& info_of(const DeviceList::Entry& entry) { return entry.device->info(); }

bool is_known_and_equal(const std::string& a, const std::string& b) { return !a.empty() && a == b; }

}  // namespace

bool is_better(const DeviceInfo& a, const DeviceInfo& b) { return rank_of(a) < rank_of(b); }

bool is_of_the_best_kind(const DeviceInfo& device) {
  return rank_of(device) == std::tuple(false, DeviceKind::gpu, false);
}

// UUIDs may differ where PCI addresses agree: AMD's interfaces make them differently.
bool is_same_hardware(const DeviceInfo& a, const DeviceInfo& b) {
  if (a.backend == b.backend && a.platform == b.platform) return false;
  return is_known_and_equal(a.hardware.uuid, b.hardware.uuid) ||
         is_known_and_equal(a.hardware.pci, b.hardware.pci);
}

DeviceList list_devices_of(std::span<const Backend> backends, const DeviceOptions& options) {
  DeviceList out;
  for (const Backend& row : backends) {
    auto devices = row.open(options);
    if (!devices) {
      out.missing.push_back({row.name, std::move(devices.error())});
      continue;
    }
    for (auto& device : *devices) {  // behind those that are as good
      const auto place = std::ranges::upper_bound(out.devices, device->info(), is_better, info_of);
      out.devices.insert(place, {std::move(device)});
    }
  }
  for (std::size_t k = 1; k < out.devices.size(); ++k) {
    const auto earlier = std::span(out.devices).first(k);
    const auto same = std::ranges::find_if(earlier, [&](const DeviceList::Entry& entry) {
      return is_same_hardware(info_of(entry), info_of(out.devices[k]));
    });
    if (same != earlier.end()) out.devices[k].same_as = info_of(*same).selector;
  }
  return out;
}

}  // namespace vyre::backend
