// `vyre completion SHELL`: a script that lets a shell complete commands, options and their values.

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "cli/command.h"

namespace vyre::cli {
namespace {

// Everything that may be typed next: commands below this one, options, and values of a word.
std::string words_of(const CommandHelp& command) {
  std::string out;
  for (const CommandHelp& c : command.commands) out += c.name() + " ";
  for (const OptionHelp& o : command.options) {
    out += o.is_word ? fmt::format("{} ", fmt::join(o.choices, " ")) : o.name + " ";
  }
  return out;
}

// --- bash: one function that follows the words to the command at hand.

std::string bash_of(const CommandHelp& vyre) {
  std::string paths;
  std::string values;
  std::string words;
  for_each_command(vyre, [&](const CommandHelp& command) {
    if (command.path != vyre.path)
      paths += fmt::format("{}\"{}\"", paths.empty() ? "" : " | ", command.path);
    words += fmt::format("    \"{}\") words=\"{}\" ;;\n", command.path, words_of(command));
    for (const OptionHelp& o : command.options) {
      if (o.choices.empty()) continue;
      values += fmt::format("    \"{} {}\") words=\"{}\" ;;\n", command.path, o.name,
                            fmt::join(o.choices, " "));
    }
  });
  return fmt::format(R"(# Completion of vyre for bash.
_vyre() {{
  local word=${{COMP_WORDS[COMP_CWORD]}} last=${{COMP_WORDS[COMP_CWORD-1]}} path=vyre words="" k
  for ((k = 1; k < COMP_CWORD; ++k)); do
    case "$path ${{COMP_WORDS[k]}}" in
    {}) path="$path ${{COMP_WORDS[k]}}" ;;
    esac
  done
  case "$path $last" in
{}    *)
      case "$path" in
{}      esac ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$word"))
}}
complete -o default -F _vyre vyre
)",
                     paths, values, words);
}

// --- zsh: a function per command.

std::string zsh_name(const CommandHelp& command) {
  std::string out = "_" + command.path;
  std::ranges::replace(out, ' ', '_');
  return out;
}

// Inside '...' of the shell, and of _arguments, to which brackets and colons mean something.
std::string zsh_text(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '\'') {
      out += "'\\''";
      continue;
    }
    if (c == '[' || c == ']' || c == ':' || c == '\\') out += '\\';
    out += c == '\n' ? ' ' : c;
  }
  return out;
}

std::string zsh_argument(const OptionHelp& o) {
  const std::string values =
      o.choices.empty() ? "_files" : fmt::format("({})", fmt::join(o.choices, " "));
  if (o.is_word) return fmt::format("'{}:{}:{}'", o.repeats ? "*" : "", zsh_text(o.name), values);
  const std::string name = fmt::format("{}{}[{}]", o.repeats ? "*" : "", o.name, zsh_text(o.help));
  return o.value.empty() ? fmt::format("'{}'", name)
                         : fmt::format("'{}:{}:{}'", name, o.value, values);
}

std::string zsh_function(const CommandHelp& command) {
  std::string arguments;
  for (const OptionHelp& o : command.options) arguments += " \\\n    " + zsh_argument(o);
  if (command.commands.empty()) {
    return fmt::format("{}() {{\n  _arguments{}\n}}\n", zsh_name(command), arguments);
  }
  std::string names;
  std::string cases;
  for (const CommandHelp& c : command.commands) {
    names += fmt::format("    '{}:{}'\n", c.name(), zsh_text(c.what));
    cases += fmt::format("    {}) {} ;;\n", c.name(), zsh_name(c));
  }
  return fmt::format(R"({}() {{
  local curcontext=$curcontext state line
  local -a commands=(
{}  )
  _arguments -C{} \
    '1:command:->command' '*::argument:->argument'
  case $state in
  command) _describe command commands ;;
  argument) case $line[1] in
{}    esac ;;
  esac
}}
)",
                     zsh_name(command), names, arguments, cases);
}

std::string zsh_of(const CommandHelp& vyre) {
  std::string out = "#compdef vyre\n# Completion of vyre for zsh.\n";
  for_each_command(vyre, [&](const CommandHelp& command) { out += zsh_function(command); });
  return out + "compdef _vyre vyre\n";
}

// --- fish: a line per word.

std::string fish_text(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '\'' || c == '\\') out += '\\';
    out += c == '\n' ? ' ' : c;
  }
  return "'" + out + "'";
}

// The words that must stand before, and those that must not: another command would be at hand.
std::string fish_condition(const CommandHelp& command) {
  std::string out;
  for (std::size_t at = command.path.find(' '); at != std::string::npos;) {
    const std::size_t end = command.path.find(' ', at + 1);
    out += fmt::format("__fish_seen_subcommand_from {}; and ",
                       command.path.substr(at + 1, end - at - 1));
    at = end;
  }
  if (command.commands.empty()) return out + "true";
  out += "not __fish_seen_subcommand_from";
  for (const CommandHelp& c : command.commands) out += " " + c.name();
  return out;
}

std::string fish_of(const CommandHelp& vyre) {
  std::string out = "# Completion of vyre for fish.\n";
  for_each_command(vyre, [&](const CommandHelp& command) {
    const std::string start = fmt::format("complete -c vyre -n '{}'", fish_condition(command));
    for (const CommandHelp& c : command.commands) {
      out += fmt::format("{} -f -a {} -d {}\n", start, c.name(), fish_text(c.what));
    }
    for (const OptionHelp& o : command.options) {
      const std::string values =
          o.choices.empty() ? "" : fmt::format(" -x -a '{}'", fmt::join(o.choices, " "));
      if (o.is_word) {
        if (!values.empty()) out += fmt::format("{} -f{}\n", start, values);
        continue;
      }
      out += fmt::format("{} -l {}{}{} -d {}\n", start, o.name.substr(2),
                         o.value.empty() ? "" : " -r", values, fish_text(o.help));
    }
  });
  return out;
}

}  // namespace

void add_completion(Command& vyre, Context& context) {
  auto shell = std::make_shared<std::string>();
  Command command = vyre.add("completion", "Print a script that completes commands in a shell");
  command.footer(
      "bash: source <(vyre completion bash)\n"
      "zsh:  source <(vyre completion zsh)\n"
      "fish: vyre completion fish | source");
  command.option("SHELL", *shell, "The shell that is to complete",
                 {.required = true, .one_of = {"bash", "zsh", "fish"}});
  command.callback([&context, vyre, shell] {
    context.action = [vyre, shell]() -> Expected<void> {
      const CommandHelp help = vyre.help();
      fmt::print("{}", *shell == "bash"  ? bash_of(help)
                       : *shell == "zsh" ? zsh_of(help)
                                         : fish_of(help));
      return {};
    };
  });
}

}  // namespace vyre::cli
