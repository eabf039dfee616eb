#include "testing/every_device.h"

#include <map>

#include "base/check.h"

namespace vyre::testing {

std::vector<std::string> every_device() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> out;
    for (const Backend& known : backends()) {
      const auto device = open_device(known.name);
      if (device && (*device)->info().executes) out.emplace_back(known.name);
    }
    return out;
  }();
  return names;
}

Dispatcher& dispatcher_on(const std::string& device) {
  static std::map<std::string, std::unique_ptr<Dispatcher>> opened;
  auto& dispatcher = opened[device];
  if (!dispatcher) {
    auto found = open_device(device);
    VYRE_CHECK(found.has_value());
    dispatcher = make_dispatcher(*std::move(found));
  }
  return *dispatcher;
}

}  // namespace vyre::testing
