#include "backend/ranking.h"

#include <tuple>

namespace vyre::backend {
namespace {

auto rank_of(const DeviceInfo& d) { return std::tuple(!d.executes, d.kind, d.is_layered); }

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

}  // namespace vyre::backend
