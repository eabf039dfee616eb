#include "cli/options.h"

#include <CLI/CLI.hpp>

namespace vyre::cli {

Command Command::add(const std::string& name, const std::string& what) {
  return Command(*app_->add_subcommand(name, what));
}

void Command::require_subcommand() { app_->require_subcommand(1); }

void Command::footer(const std::string& text) { app_->footer(text); }

void Command::flag(const std::string& name, bool& value, const std::string& help) {
  app_->add_flag(name, value, help);
}

template <class T>
void Command::option(const std::string& name, T& value, const std::string& help,
                     const Rules& rules) {
  CLI::Option* option = app_->add_option(name, value, help);
  option->required(rules.required);
  if (rules.range) option->check(CLI::Range(rules.range->first, rules.range->second));
  if (!rules.one_of.empty()) option->check(CLI::IsMember(rules.one_of));
  if (rules.has_commas) option->delimiter(',');
  if (rules.most_values > 0) option->expected(1, static_cast<int>(rules.most_values));
  if (rules.one_word_each) option->allow_extra_args(false);
  if (rules.shows_default) option->capture_default_str();
}

template void Command::option(const std::string&, std::string&, const std::string&, const Rules&);
template void Command::option(const std::string&, double&, const std::string&, const Rules&);
template void Command::option(const std::string&, std::uint32_t&, const std::string&, const Rules&);
template void Command::option(const std::string&, std::uint64_t&, const std::string&, const Rules&);
template void Command::option(const std::string&, std::vector<std::string>&, const std::string&,
                              const Rules&);
template void Command::option(const std::string&, std::vector<std::uint32_t>&, const std::string&,
                              const Rules&);

bool Command::was_given(const std::string& name) const { return app_->count(name) > 0; }

void Command::callback(std::function<void()> callback) { app_->callback(std::move(callback)); }

}  // namespace vyre::cli
