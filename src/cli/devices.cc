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

std::string_view kind_text(DeviceKind kind) {
  constexpr std::array<std::string_view, 4> kNames{"gpu", "accelerator", "cpu", "interpreter"};
  return kNames[static_cast<std::size_t>(kind)];
}

Json to_json(const DeviceList::Entry& entry) {
  const DeviceInfo& info = entry.device->info();
  return {{"selector", info.selector},
          {"backend", info.backend},
          {"kind", kind_text(info.kind)},
          {"name", info.name},
          {"platform", info.platform},
          {"driver", info.driver},
          {"language", info.language},
          {"layered", info.is_layered},
          {"uuid", info.hardware.uuid},
          {"pci", info.hardware.pci},
          {"same_as", entry.same_as},
          {"executes", info.executes},
          {"shares_host_cores", info.shares_host_cores},
          {"clock_step_ns", info.clock_step_ns},
          {"untried", info.untried},
          {"fingerprint", fingerprint(info)},
          {"safe_name", safe_name(info)},
          {"limits",
           {{"workgroup_items", info.limits.workgroup_items},
            {"workgroup_size", info.limits.workgroup_size},
            {"buffer_bytes", info.limits.buffer_bytes},
            {"local_bytes", info.limits.local_bytes},
            {"memory_bytes", info.limits.memory_bytes},
            {"compute_units", info.limits.compute_units}}}};
}

// Names come from drivers and need not be UTF-8.
std::string dump(const Json& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace);
}

// The implementation without its version: "Portable Computing Language".
std::string implementation_of(const DeviceInfo& info) {
  return info.platform.empty() ? info.backend : info.platform.substr(0, info.platform.find(','));
}

std::string table_of(const DeviceList& list) {
  Table table({{"device"},
               {"kind"},
               {"name"},
               {"through"},
               {"units", Align::right},
               {"workgroup", Align::right},
               {"local", Align::right},
               {"buffer", Align::right},
               {"memory", Align::right},
               {"clock"},
               {"driver"}});
  for (const auto& entry : list.devices) {
    const DeviceInfo& info = entry.device->info();
    const DeviceLimits& limits = info.limits;
    table.add({info.selector, std::string(info.executes ? kind_text(info.kind) : "nothing"),
               info.name, implementation_of(info), std::to_string(limits.compute_units),
               std::to_string(limits.workgroup_items), bytes_text(limits.local_bytes),
               bytes_text(limits.buffer_bytes),
               limits.memory_bytes == 0 ? "-" : bytes_text(limits.memory_bytes),
               info.clock_step_ns == 0 ? "host's" : fmt::format("{} ns", info.clock_step_ns),
               info.driver});
  }
  return table.text();
}

// A line for each thing that the table has no column for.
std::string notes_of(const DeviceList& list) {
  std::string out;
  for (const auto& entry : list.devices) {
    const DeviceInfo& info = entry.device->info();
    if (!entry.same_as.empty()) {
      out += fmt::format("{} is the same hardware as {}\n", info.selector, entry.same_as);
    }
    if (!info.untried.empty()) out += fmt::format("{}: {}\n", info.selector, info.untried);
  }
  for (const auto& [backend, why] : list.missing) {
    out += fmt::format("{}: {}\n", backend, why.message);
  }
  return out;
}

std::string json_of(const DeviceList& list) {
  Json json{{"devices", Json::array()}, {"unavailable", Json::array()}};
  for (const auto& entry : list.devices) json["devices"].push_back(to_json(entry));
  for (const auto& [backend, why] : list.missing) {
    json["unavailable"].push_back({{"backend", backend}, {"reason", why.message}});
  }
  return dump(json);
}

Expected<void> print_devices(bool as_json) {
  const DeviceList list = list_devices(device_options());
  if (as_json) {
    fmt::print("{}\n", json_of(list));
    return {};
  }
  const std::string notes = notes_of(list);
  fmt::print("{}{}{}", table_of(list), notes.empty() ? "" : "\n", notes);
  return {};
}

}  // namespace

DeviceOptions device_options() { return vyre::device_options(from_env().files); }

Expected<std::chrono::milliseconds> limit_of(const char* option, double seconds) {
  if (!(seconds > 0)) return bad_inputs("{}: give seconds above 0", option);
  return std::chrono::ceil<std::chrono::milliseconds>(
      std::chrono::duration<double>(std::min(seconds, 1e6)));
}

void add_devices(Command& vyre, Context& context) {
  auto as_json = std::make_shared<bool>(false);
  Command command = vyre.add(
      "devices", "List the devices that kernels can run on, the best first, and what each can do");
  command.flag("--json", *as_json, "Print everything that is known, as JSON");
  command.callback(
      [&context, as_json] { context.action = [as_json] { return print_devices(*as_json); }; });
}

}  // namespace vyre::cli
