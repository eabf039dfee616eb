#include "cli/help_format.h"

#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <sstream>

#include "cli/table.h"

namespace vyre::cli {
namespace {

std::string broken(const std::string& text, std::size_t width) {
  std::istringstream lines(text);
  std::vector<std::string> out;
  for (std::string line; std::getline(lines, line);) {
    const auto parts = broken_at(line, width);
    if (parts.empty()) out.emplace_back();
    out.insert(out.end(), parts.begin(), parts.end());
  }
  return fmt::format("{}", fmt::join(out, "\n"));
}

class HelpFormat final : public CLI::Formatter {
 public:
  std::string make_option_desc(const CLI::Option* option) const override {
    return broken(option->get_description(), right_column());
  }
  std::string make_subcommand(const CLI::App* command) const override {
    std::ostringstream out;
    CLI::detail::format_help(out, command->get_display_name(true),
                             broken(command->get_description(), right_column()), column_width_);
    return out.str();
  }
  std::string make_description(const CLI::App* command) const override {
    return broken(command->get_description(), kTerminalWidth) + "\n";
  }
  std::string make_footer(const CLI::App* command) const override {
    const std::string footer = broken(command->get_footer(), kTerminalWidth);
    return footer.empty() ? footer : footer + "\n";
  }

 private:
  std::size_t right_column() const { return kTerminalWidth - column_width_; }
};

}  // namespace

std::shared_ptr<CLI::Formatter> help_format() { return std::make_shared<HelpFormat>(); }

}  // namespace vyre::cli
