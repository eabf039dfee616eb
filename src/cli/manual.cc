// `vyre manual`: the manual page, in the language of man(7).

#include <fmt/format.h>

#include "cli/command.h"

namespace vyre::cli {
namespace {

// Text as roff takes it for text: a dot or a quote at the start of a line would be a request, and a
// plain hyphen would be printed as another character than the one that a user has to type.
std::string roff(std::string_view text) {
  std::string out;
  bool starts_line = true;
  for (const char c : text) {
    if (starts_line && (c == '.' || c == '\'')) out += "\\&";
    starts_line = c == '\n';
    if (c == '\\') {
      out += "\\e";
    } else if (c == '-') {
      out += "\\-";
    } else {
      out += c;
    }
  }
  return out;
}

std::string heading(const OptionHelp& option) {
  std::string out = fmt::format("\\fB{}\\fR", roff(option.name));
  if (option.is_word)
    return fmt::format("\\fI{}\\fR{}", roff(option.name), option.repeats ? " ..." : "");
  if (!option.value.empty()) out += fmt::format(" \\fI{}\\fR", roff(option.value));
  return option.repeats ? out + " ..." : out;
}

void append(std::string& out, const OptionHelp& option) {
  out += fmt::format(".TP\n{}\n{}", heading(option), roff(option.help));
  if (!option.choices.empty()) {
    out += fmt::format("\nOne of: {}.", roff(fmt::format("{}", fmt::join(option.choices, ", "))));
  }
  if (!option.default_text.empty()) out += fmt::format("\nDefault: {}.", roff(option.default_text));
  out += "\n";
}

// A list in a footer, such as that of the bundled kernels, keeps its lines.
void append_footer(std::string& out, const std::string& footer) {
  if (!footer.empty()) out += fmt::format(".PP\n.nf\n{}\n.fi\n", roff(footer));
}

// The options that every command has are told once, for all.
void append(std::string& out, const CommandHelp& command) {
  out += fmt::format(".SS {}\n{}.\n", roff(command.path), roff(command.what));
  for (const OptionHelp& option : command.options) {
    if (option.name != "--help") append(out, option);
  }
  append_footer(out, command.footer);
}

std::string page_of(const CommandHelp& vyre) {
  std::string out = fmt::format(".TH VYRE 1 \"\" \"vyre {}\" \"User Commands\"\n", VYRE_VERSION);
  out += ".SH NAME\nvyre \\- tunes compute kernels\n";
  out += ".SH SYNOPSIS\n.B vyre\n.I COMMAND\n.RI [ OPTION ...]\n";
  out += fmt::format(".SH DESCRIPTION\n{}\n", roff(vyre.what));
  append_footer(out, vyre.footer);
  out += ".SH OPTIONS\n";
  for (const OptionHelp& option : vyre.options) append(out, option);
  out += ".SH COMMANDS\n";
  for (const CommandHelp& top : vyre.commands) {
    for_each_command(top, [&](const CommandHelp& command) { append(out, command); });
  }
  out += ".SH ENVIRONMENT\n";
  out += ".TP\n\\fBXDG_CACHE_HOME\\fR, \\fBHOME\\fR\n";
  out += "Where decisions, journals and compiled kernels are kept.\n";
  return out;
}

}  // namespace

void add_manual(Command& vyre, Context& context) {
  Command command = vyre.add("manual", "Print the manual page, for man(1)");
  command.callback([&context, vyre] {
    context.action = [vyre]() -> Expected<void> {
      fmt::print("{}", page_of(vyre.help()));
      return {};
    };
  });
}

}  // namespace vyre::cli
