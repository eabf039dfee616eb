#include "cli/command.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <new>
#include <stdexcept>
#include <string_view>
#include <system_error>

#include "base/error.h"
#include "base/text.h"
#include "cli/help_format.h"

namespace vyre::cli {
namespace {

constexpr const char* kFooter =
    "Exit codes: 0 done, 1 an error (one line on stderr says which), 2 a wrong command line.\n"
    "`vyre help COMMAND` says more about a command.";

constexpr const char* kNoMemory = "out of memory; use smaller sizes or files";

int complain(std::string_view message, ExitCode code) {
  // If standard error is full too, nothing more can be done.
  std::fputs(fmt::format("vyre: {}\n", escaped(message)).c_str(), stderr);
  return code;
}

void add_commands(CLI::App& app, Context& context) {
  app.formatter(help_format());
  app.footer(kFooter);
  app.set_version_flag("--version", std::string("vyre ") + VYRE_VERSION);
  app.require_subcommand(1);
  Command vyre(app);
  add_tune(vyre, context);
  add_run(vyre, context);
  add_devices(vyre, context);
  add_explain(vyre, context);
  add_report(vyre, context);
  add_cache(vyre, context);
  add_replay(vyre, context);
  add_space(vyre, context);
  add_convert(vyre, context);
  add_fuse(vyre, context);
  add_ops(vyre, context);
  add_manual(vyre, context);
  add_completion(vyre, context);
}

std::vector<std::string> command_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands(nullptr)) names.push_back(command->get_name());
  return names;
}

// The words that a command knows: its own commands and its options.
std::vector<std::string> words_of(const CLI::App& app) {
  std::vector<std::string> names = command_names(app);
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

// `vyre help tune` is `vyre tune --help`.
std::vector<std::string> without_help(std::vector<std::string> arguments) {
  if (arguments.empty() || arguments.front() != "help") return arguments;
  arguments.erase(arguments.begin());
  arguments.emplace_back("--help");
  return arguments;
}

// CLI11 stops at the first unknown word with a general message; ours names the nearest command.
Expected<void> check_command_name(const CLI::App& app, const std::vector<std::string>& arguments) {
  if (arguments.empty()) return bad_inputs("no command given; see vyre --help");
  const std::string& name = arguments.front();
  const auto names = command_names(app);
  if (name.starts_with('-') || std::ranges::find(names, name) != names.end()) return {};
  return bad_inputs("unknown command {}{}; see vyre --help", quote(name),
                    did_you_mean(name, names));
}

// The mistake of the command line in one line, with the help page to look at.
std::string describe(const CLI::App& app, const CLI::ParseError& error) {
  const CLI::App* command = &app;
  std::string name = "vyre";
  for (auto parsed = app.get_subcommands(); !parsed.empty(); parsed = command->get_subcommands()) {
    command = parsed.front();
    name += " " + command->get_name();
  }
  const auto names = command_names(*command);
  // A surplus word may show up as another error (a missing command), but is its cause.
  if (const auto extras = app.remaining(true); !extras.empty()) {
    if (!names.empty() && !extras.front().starts_with('-')) {
      return fmt::format("unknown command {}{}; there are {}; see {} --help", quote(extras.front()),
                         did_you_mean(extras.front(), names), fmt::join(names, ", "), name);
    }
    return fmt::format("unexpected argument {}{}; see {} --help", quote_path(extras.front()),
                       did_you_mean(extras.front(), words_of(*command)), name);
  }
  if (!names.empty()) {
    return fmt::format("no command given; there are {}; see {} --help", fmt::join(names, ", "),
                       name);
  }
  std::string message = error.what();
  std::ranges::replace_if(message, [](unsigned char c) { return c < 0x20 || c == 0x7f; }, ' ');
  return fmt::format("{}; see {} --help", message, name);
}

// A full disk or a closed pipe shows only when the buffer is written out.
int finish_output(int code) {
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return code;
  return complain(kNoOutput, kFailed);
}

int run_action(const Context& context) {
  if (!context.action) return complain("this command does nothing yet", kFailed);
  const auto result = context.action();
  if (!result) {
    std::fflush(stdout);
    complain(result.error().message, kFailed);
    return context.exit_code != 0 ? context.exit_code : kFailed;
  }
  return finish_output(context.exit_code);
}

}  // namespace

int run(std::vector<std::string> arguments) {
  CLI::App app{"Finds, proves, remembers and serves the fastest launch configuration of a kernel.",
               "vyre"};
  Context context;
  add_commands(app, context);
  arguments = without_help(std::move(arguments));
  if (const auto known = check_command_name(app, arguments); !known) {
    return complain(known.error().message, kUsage);
  }
  std::ranges::reverse(arguments);  // CLI11 takes them from the back
  try {
    app.parse(arguments);
  } catch (const CLI::Success& asked) {  // --help, --version
    app.exit(asked);
    return finish_output(kOk);
  } catch (const CLI::ParseError& error) {
    return complain(describe(app, error), kUsage);
  }
  try {
    return run_action(context);
  } catch (const std::system_error&) {  // of fmt::print
    return complain(kNoOutput, kFailed);
  } catch (const std::bad_alloc&) {
    return complain(kNoMemory, kFailed);
  } catch (const std::length_error&) {  // of a container, for a size that no memory has
    return complain(kNoMemory, kFailed);
  }
}

}  // namespace vyre::cli
