#include "agent/commands.h"

#include <fmt/format.h>
#include <unistd.h>

#include "agent/schema.h"
#include "agent/serve.h"
#include "agent/tune_wishes.h"
#include "agent/wanted.h"
#include "base/error.h"
#include "base/files/paths.h"
#include "base/files/whole_file.h"
#include "base/text.h"
#include "runtime/wishes.h"

namespace vyre::agent {
namespace {

void print_event(const Event& event) {
  fmt::print(stderr, "vyre-agent: {}\n", escaped(event.message));
}

Milliseconds milliseconds(double seconds) {
  constexpr double kPerSecond = 1000;
  return Milliseconds(static_cast<std::int64_t>(seconds * kPerSecond));
}

Expected<Target> target_of(const AgentOptions& options) {
  VYRE_TRY_VOID(check_target(options.connect));
  const std::string warning = set_safe_defaults(options.connect);
  if (!warning.empty()) print_event({.message = warning});
  return Target{.connect = options.connect};
}

SyncOptions sync_options(const AgentOptions& options) {
  SyncOptions out{.fleet_folder = options.fleet_folder, .wishes_folder = options.wishes_folder};
  if (!options.no_publish) out.local_folder = decisions_folder(from_env().files);
  return out;
}

Expected<void> check_folder(const std::string& option, const std::string& folder) {
  std::error_code error;
  if (std::filesystem::is_directory(folder, error)) return {};
  return bad_inputs("{} {}: there is no such folder; make it", option, quote_path(folder));
}

Expected<std::shared_ptr<Device>> open_named(const AgentOptions& options) {
  return open_device(options.device, device_options(from_env().files));
}

}  // namespace

Expected<void> run_migrate(const AgentOptions& options) {
  VYRE_TRY(const Target target, target_of(options));
  VYRE_TRY(Connection connection, Connection::open(target));
  VYRE_TRY(const Migrated migrated, migrate(connection));
  if (migrated.from == migrated.to) {
    fmt::print("schema {}: nothing to do\n", migrated.to);
  } else {
    fmt::print("schema {}, was {}\n", migrated.to, migrated.from);
  }
  return {};
}

Expected<void> run_sync(const AgentOptions& options) {
  VYRE_TRY_VOID(check_folder("--folder", options.fleet_folder));
  VYRE_TRY(const Target target, target_of(options));
  VYRE_TRY(Store store, Store::open(target));
  Syncer syncer(sync_options(options));
  VYRE_TRY(const Synced synced, syncer.pass(store));
  for (const std::string& message : synced.messages) print_event({.message = message});
  fmt::print("{} decisions pulled into {} new files, {} published, {} wishes posted\n",
             synced.pulled, synced.files, synced.published, synced.posted);
  return {};
}

Expected<void> run_serve(const AgentOptions& options) {
  VYRE_TRY_VOID(check_folder("--folder", options.fleet_folder));
  VYRE_TRY(const Target target, target_of(options));
  const Signals signals;
  return serve({.target = target,
                .sync = sync_options(options),
                .poll = milliseconds(options.poll_seconds),
                .events = print_event},
               signals);
}

Expected<void> run_wish(const AgentOptions& options) {
  VYRE_TRY(const Target target, target_of(options));
  std::vector<Wish> wishes;
  if (!options.wishes_file.empty()) {
    VYRE_TRY(const std::string text, read_named_file(options.wishes_file, kMostWishBytes));
    VYRE_TRY(wishes, parse_wishes(text, options.wishes_file));
  }
  if (!options.wanted.empty()) {
    VYRE_TRY(const auto device, open_named(options));
    VYRE_TRY(const auto wanted,
             wanted_wishes(options.wanted, options.sizes, options.fleet_folder, device->info()));
    wishes.insert(wishes.end(), wanted.begin(), wanted.end());
  }
  if (wishes.empty())
    return bad_inputs("nothing to wish for; name a key, a problem's file or --from");
  VYRE_TRY(Store store, Store::open(target));
  for (const Wish& wish : wishes) {
    VYRE_TRY(const bool is_new, store.post(wish));
    fmt::print("{} {} {}{}\n", to_string(wish.key), escaped(wish.program), shape_text(wish.shape),
               is_new ? "" : " (was there)");
  }
  return {};
}

Expected<void> run_tune(const AgentOptions& options) {
  VYRE_TRY(const Target target, target_of(options));
  if (!(options.seconds > 0) && options.evaluations == 0) {
    return bad_inputs("the budget is empty; give --budget seconds or --evaluations");
  }
  const Signals signals;
  VYRE_TRY(const auto device, open_named(options));
  std::array<char, 256> host{};
  ::gethostname(host.data(), host.size() - 1);
  // The interpreter cannot crash.
  const bool is_safe = device->info().backend == "reference";
  VYRE_TRY(
      const TunedWishes done,
      tune_wishes(
          device,
          {.target = target,
           .problems = options.problems,
           .holder = fmt::format("{}:{}", host.data(), ::getpid()),
           .tune = {.seconds = options.seconds,
                    .evaluations = options.evaluations,
                    .files = from_env().files,
                    .workers = {.isolation = is_safe ? Isolation::automatic : Isolation::workers},
                    .events = print_event},
           .lease = milliseconds(options.lease_seconds),
           .once = options.once,
           .events = print_event},
          signals));
  fmt::print("{} wishes answered, {} taken over by others, {} failed\n", done.answered,
             done.taken_over, done.failed);
  if (done.unsent == 0) return {};
  return backend_error("{} answers did not reach the server; `vyre-agent sync` publishes them",
                       done.unsent);
}

}  // namespace vyre::agent
