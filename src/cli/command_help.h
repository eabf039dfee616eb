// CommandHelp: what a command says about itself, as data. The manual page and the completions of
// shells are made from it, so they name exactly the options that the command takes.

#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace vyre::cli {

struct OptionHelp {
  std::string name;        // "--budget", or "KERNEL" for a word without a name
  std::string value = {};  // "FLOAT"; empty: a flag
  std::string help = {};
  std::string default_text = {};          // empty: none is shown
  std::vector<std::string> choices = {};  // all values that are taken; empty: any
  bool is_word = false;                   // stands without a name
  bool repeats = false;
};

struct CommandHelp {
  std::string path;  // "vyre cache list"
  std::string what = {};
  std::string footer = {};
  std::vector<OptionHelp> options = {};
  std::vector<CommandHelp> commands = {};

  std::string name() const { return path.substr(path.rfind(' ') + 1); }
};

// Of the command and all below it.
CommandHelp help_of(const CLI::App& app, const std::string& path);

// Calls f with the command and all below it, a command before those below it.
template <class F>
void for_each_command(const CommandHelp& command, const F& f) {
  f(command);
  for (const CommandHelp& c : command.commands) for_each_command(c, f);
}

}  // namespace vyre::cli
