// Command: the options and words that a subcommand takes. Only options.cc, command.cc and
// command_help.cc include CLI11, whose headers are heavy.

#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli/command_help.h"

namespace vyre::cli {

// Conditions for an option beyond its type.
struct Rules {
  bool required = false;
  bool shows_default = false;                           // in the help
  std::optional<std::pair<double, double>> range = {};  // of a number
  std::vector<std::string> one_of = {};
  bool has_commas = false;      // "a,b" is two values
  std::size_t most_values = 0;  // of a list; 0: any number
  bool one_word_each = false;   // of a list: the next word is not part of it
};

class Command {
 public:
  explicit Command(CLI::App& app) : app_(&app) {}

  Command add(const std::string& name, const std::string& what);  // a subcommand
  void require_subcommand();
  void footer(const std::string& text);

  void flag(const std::string& name, bool& value, const std::string& help);
  // T: a string, a number, or a vector of either. `name` is "--name", or that of a word without
  // one. The value is set before the callback runs, and must live until then.
  template <class T>
  void option(const std::string& name, T& value, const std::string& help, const Rules& rules = {});
  bool was_given(const std::string& name) const;
  // As of now: of this command and of all that were added to it.
  CommandHelp help() const;

  // Called if this command is the one on the command line.
  void callback(std::function<void()> callback);

 private:
  CLI::App* app_;
};

extern template void Command::option(const std::string&, std::string&, const std::string&,
                                     const Rules&);
extern template void Command::option(const std::string&, double&, const std::string&, const Rules&);
extern template void Command::option(const std::string&, std::uint32_t&, const std::string&,
                                     const Rules&);
extern template void Command::option(const std::string&, std::uint64_t&, const std::string&,
                                     const Rules&);
extern template void Command::option(const std::string&, std::vector<std::string>&,
                                     const std::string&, const Rules&);
extern template void Command::option(const std::string&, std::vector<std::uint32_t>&,
                                     const std::string&, const Rules&);

}  // namespace vyre::cli
