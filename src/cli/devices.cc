// `vyre devices`: what there is to run on.

#include "cli/devices.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <nlohmann/json.hpp>

#include "backend/ranking.h"
#include "base/error.h"
#include "base/files/file_descriptor.h"
#include "cli/command.h"
#include "cli/supervised.h"
#include "cli/table.h"
#include "vyre/config.h"

namespace vyre::cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kDriverEnds =
    "a driver ends the process that opens it; in a chroot or a container, mount /proc and /sys";

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

Expected<void> print_list(const DeviceList& list, bool as_json) {
  if (as_json) {
    fmt::print("{}\n", json_of(list));
    return {};
  }
  const std::string notes = notes_of(list);
  fmt::print("{}{}{}", table_of(list), notes.empty() ? "" : "\n", notes);
  return {};
}

// Whether the work was done in a process of its own, or failed there with an error of ours.
bool is_survived(const Expected<void>& done) {
  return done || done.error().kind != ErrorKind::backend;
}

// Each backend is tried in a process of its own; those that survive it are opened here.
DeviceList list_survivors(const DeviceOptions& options) {
  std::vector<Backend> survivors;
  std::vector<DeviceList::Missing> missing;
  for (const Backend& backend : backends()) {
    const auto tried =
        supervised(std::string(backend.name), {}, [&](const Stages&) -> Expected<void> {
          static_cast<void>(backend.open(options));  // it is not there: said below
          return {};
        });
    if (tried) {
      survivors.push_back(backend);
    } else {
      missing.push_back({backend.name, backend_error("{}", kDriverEnds).error()});
    }
  }
  DeviceList out = backend::list_devices_of(survivors, options);
  out.missing.insert(out.missing.end(), missing.begin(), missing.end());
  return out;
}

// A driver may end the process that opens it, as PoCL does where /sys is missing. So another
// process lists the devices; this one looks for the culprit only if that has died.
Expected<void> print_devices(bool as_json) {
  const DeviceOptions options = device_options();
  auto printed = supervised(
      "devices", {}, [&](const Stages&) { return print_list(list_devices(options), as_json); });
  if (is_survived(printed)) return printed;
  return print_list(list_survivors(options), as_json);
}

// Speaks if the process that holds the other end of the pipe ends without a word. Between fork and
// exit only what may be called in a handler of signals.
[[noreturn]] void watch(int pipe) {
  constexpr std::string_view kText =
      "vyre: a driver has ended the process that opened it; `vyre devices` says which, and "
      "--device reference needs none\n";
  char word = 0;
  if (::read(pipe, &word, 1) == 0) {
    static_cast<void>(!::write(STDERR_FILENO, kText.data(), kText.size()));
  }
  ::_exit(0);
}

}  // namespace

Expected<std::shared_ptr<Device>> open_watched(const std::string& selector,
                                               const DeviceOptions& options) {
  std::array<int, 2> ends{-1, -1};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return open_device(selector, options);
  FileDescriptor theirs(ends[0]);
  FileDescriptor ours(ends[1]);
  const pid_t watcher = ::fork();
  if (watcher == 0) {
    ours.close();
    watch(theirs.get());
  }
  auto device = open_device(selector, options);
  static_cast<void>(!::write(ours.get(), "k", 1));
  while (watcher > 0 && ::waitpid(watcher, nullptr, 0) < 0 && errno == EINTR) {
  }
  return device;
}

DeviceOptions device_options() { return vyre::device_options(from_env().files); }

void add_devices(Command& vyre, Context& context) {
  auto as_json = std::make_shared<bool>(false);
  Command command = vyre.add(
      "devices", "List the devices that kernels can run on, the best first, and what each can do");
  command.flag("--json", *as_json, "Print everything that is known, as JSON");
  command.callback(
      [&context, as_json] { context.action = [as_json] { return print_devices(*as_json); }; });
}

}  // namespace vyre::cli
