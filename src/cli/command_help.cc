#include "cli/command_help.h"

#include <CLI/CLI.hpp>

namespace vyre::cli {
namespace {

// CLI11 has the choices of an option in its type only: "TEXT:{v1,json}".
std::vector<std::string> choices_in(const std::string& type) {
  const std::size_t open = type.find('{');
  const std::size_t close = type.find('}', open);
  if (open == std::string::npos || close == std::string::npos) return {};
  return CLI::detail::split(type.substr(open + 1, close - open - 1), ',');
}

OptionHelp help_of(const CLI::Option& option) {
  OptionHelp out;
  out.is_word = option.get_positional();
  out.name = option.get_name(out.is_word);
  if (option.get_type_size() != 0) {  // not a flag
    const std::string type = option.get_type_name();
    out.value = type.substr(0, type.find_first_of(":["));
    out.choices = choices_in(type);
  }
  out.help = option.get_description();
  out.default_text = option.get_default_str();
  out.repeats = option.get_expected_max() > 1;
  return out;
}

}  // namespace

CommandHelp help_of(const CLI::App& app, const std::string& path) {
  CommandHelp out{.path = path, .what = app.get_description()};
  // A command inherits its parent's.
  const CLI::App* parent = app.get_parent();
  if (parent == nullptr || parent->get_footer() != app.get_footer()) out.footer = app.get_footer();
  for (const CLI::Option* option : app.get_options()) out.options.push_back(help_of(*option));
  for (const CLI::App* command : app.get_subcommands(nullptr)) {
    out.commands.push_back(help_of(*command, path + " " + command->get_name()));
  }
  return out;
}

}  // namespace vyre::cli
