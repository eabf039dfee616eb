// `vyre-agent`: shares the decisions of a fleet through PostgreSQL. docs/fleet.md.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <new>

#include "agent/commands.h"
#include "base/text.h"

namespace {

using vyre::agent::AgentOptions;
using Action = vyre::Expected<void> (*)(const AgentOptions& options);

constexpr int kFailed = 1;
constexpr int kUsage = 2;

CLI::App* add(CLI::App& app, const char* name, const char* what, AgentOptions& options,
              Action action, Action& chosen) {
  CLI::App* command = app.add_subcommand(name, what);
  command->add_option("--connect", options.connect,
                      "libpq's connection string, as service=vyre; else PGSERVICE, PGHOST, ...");
  command->callback([action, &chosen] { chosen = action; });
  return command;
}

void add_folders(CLI::App& command, AgentOptions& options) {
  command.add_option("--folder", options.fleet_folder, "The applications' Files::fleet_folder")
      ->required();
  command.add_option("--wishes", options.wishes_folder, "Where applications leave wishes");
  command.add_flag("--no-publish", options.no_publish, "Pull only: keep what was decided here");
}

void add_device(CLI::App& command, AgentOptions& options) {
  command.add_option("--device", options.device, "As `vyre devices` lists them")
      ->capture_default_str();
}

void add_commands(CLI::App& app, AgentOptions& options, Action& chosen) {
  using namespace vyre::agent;
  add(app, "migrate", "Make or upgrade the schema of the database", options, run_migrate, chosen);
  add_folders(*add(app, "sync", "Pull and publish once", options, run_sync, chosen), options);
  CLI::App* serve =
      add(app, "serve", "Pull and publish until a signal comes", options, run_serve, chosen);
  add_folders(*serve, options);
  serve->add_option("--poll", options.poll_seconds, "Seconds between two looks at the latest")
      ->check(CLI::Range(0.1, 3600.0))
      ->capture_default_str();

  CLI::App* wish =
      add(app, "wish", "Ask the fleet to tune something for a device", options, run_wish, chosen);
  wish->add_option("wanted", options.wanted, "Keys, and files of problems (.json, .vyre)");
  wish->add_option("--size", options.sizes, "NAME=NUMBER: sizes of the problems");
  wish->add_option("--from", options.wishes_file, "File with the wishes of an application");
  wish->add_option("--folder", options.fleet_folder, "Where keys are looked for, too");
  add_device(*wish, options);

  CLI::App* tune = add(app, "tune", "Tune what others wish for", options, run_tune, chosen);
  tune->add_option("--problems", options.problems,
                   "Folder with the problems to tune; no others are")
      ->required();
  add_device(*tune, options);
  tune->add_option("--budget", options.seconds, "Seconds for each wish; 0: no limit")
      ->capture_default_str();
  tune->add_option("--evaluations", options.evaluations, "Configurations for each wish");
  tune->add_option("--lease", options.lease_seconds, "Seconds until a lost agent is taken over")
      ->check(CLI::Range(1.0, 86400.0))
      ->capture_default_str();
  tune->add_flag("--once", options.once, "End when nothing is left to tune");
}

int complain(std::string_view message, int code) {
  std::fputs(fmt::format("vyre-agent: {}\n", vyre::escaped(message)).c_str(), stderr);
  return code;
}

int run(int argc, char** argv) {
  CLI::App app{"Shares the decisions of a fleet through PostgreSQL.", "vyre-agent"};
  app.set_version_flag("--version", std::string("vyre-agent ") + VYRE_VERSION);
  app.require_subcommand(1);
  app.footer("A password belongs into ~/.pgpass or a service file, never into an argument.");
  AgentOptions options;
  Action action = nullptr;
  add_commands(app, options, action);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& asked) {  // --help, --version
    return app.exit(asked);
  } catch (const CLI::ParseError& error) {
    return complain(fmt::format("{}; see vyre-agent --help", error.what()), kUsage);
  }
  const auto done = action(options);
  if (!done) return complain(done.error().message, kFailed);
  return std::fflush(stdout) == 0 ? 0 : complain("cannot write to standard output", kFailed);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const std::bad_alloc&) {
    return complain("out of memory", kFailed);
  } catch (const std::system_error& error) {  // of fmt::print
    return complain(error.what(), kFailed);
  }
}
