// `vyre devices`: what there is to run on.

#include "cli/devices.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "cli/command.h"
#include "cli/table.h"
#include "vyre/config.h"

namespace vyre::cli {
namespace {

using Json = nlohmann::ordered_json;

std::string bytes_text(std::uint64_t bytes) {
  constexpr std::array kUnits{"B", "KiB", "MiB", "GiB", "TiB"};
  std::size_t unit = 0;
  auto value = static_cast<double>(bytes);
  for (; value >= 1024 && unit + 1 < kUnits.size(); ++unit) value /= 1024;
  return fmt::format("{:.4g} {}", value, kUnits[unit]);
}

Json to_json(const std::string& selector, const DeviceInfo& info) {
  return {{"selector", selector},
          {"backend", info.backend},
          {"name", info.name},
          {"platform", info.platform},
          {"driver", info.driver},
          {"language", info.language},
          {"executes", info.executes},
          {"shares_host_cores", info.shares_host_cores},
          {"fingerprint", fingerprint(info)},
          {"safe_name", safe_name(info)},
          {"limits",
           {{"workgroup_items", info.limits.workgroup_items},
            {"workgroup_size", info.limits.workgroup_size},
            {"buffer_bytes", info.limits.buffer_bytes},
            {"local_bytes", info.limits.local_bytes},
            {"compute_units", info.limits.compute_units}}}};
}

// Names come from drivers and need not be UTF-8.
std::string dump(const Json& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace);
}

Expected<void> list_devices(bool as_json) {
  Json json{{"devices", Json::array()}, {"unavailable", Json::array()}};
  Table table({{"device"},
               {"name"},
               {"units", Align::right},
               {"workgroup", Align::right},
               {"local", Align::right},
               {"buffer", Align::right},
               {"driver"}});
  std::string unavailable;
  for (const Backend& backend : backends()) {
    const auto devices = backend.open(device_options());
    if (!devices) {
      unavailable += fmt::format("{}: {}\n", backend.name, devices.error().message);
      json["unavailable"].push_back(
          {{"backend", backend.name}, {"reason", devices.error().message}});
      continue;
    }
    for (std::size_t k = 0; k < devices->size(); ++k) {
      const DeviceInfo& info = (*devices)[k]->info();
      const std::string selector = fmt::format("{}:{}", backend.name, k);
      const DeviceLimits& limits = info.limits;
      json["devices"].push_back(to_json(selector, info));
      table.add({selector, info.name, std::to_string(limits.compute_units),
                 std::to_string(limits.workgroup_items), bytes_text(limits.local_bytes),
                 bytes_text(limits.buffer_bytes), info.driver});
    }
  }
  if (as_json) {
    fmt::print("{}\n", dump(json));
  } else {
    fmt::print("{}{}{}", table.text(), unavailable.empty() ? "" : "\n", unavailable);
  }
  return {};
}

}  // namespace

DeviceOptions device_options() { return vyre::device_options(from_env().files); }

void add_devices(Command& vyre, Context& context) {
  auto as_json = std::make_shared<bool>(false);
  Command command = vyre.add(
      "devices", "List the devices that kernels can run on, the best first, with their limits");
  command.flag("--json", *as_json, "Print everything that is known, as JSON");
  command.callback(
      [&context, as_json] { context.action = [as_json] { return list_devices(*as_json); }; });
}

}  // namespace vyre::cli
