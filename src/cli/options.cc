#include "cli/options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>

#include "base/text.h"

namespace vyre::cli {
namespace {

// CLI11 takes -1 for the largest number, and "" for 0. The message; empty: it is one.
template <class T>
std::string check_number(const std::string& text) {
  T value{};
  const char* end = text.data() + text.size();
  const auto [at, error] = std::from_chars(text.data(), end, value);
  if (error == std::errc() && at == end && value == value) return "";
  if constexpr (std::is_unsigned_v<T>) {
    return fmt::format("{} is no whole number from 0 to {}", quote(text),
                       std::numeric_limits<T>::max());
  }
  return quote(text) + " is no number";
}

// The description is what CLI11 writes for its own check of this kind; command_help.cc reads it.
CLI::Validator one_of(const std::vector<std::string>& choices) {
  const auto check = [choices](const std::string& text) -> std::string {
    if (std::ranges::find(choices, text) != choices.end()) return "";
    return fmt::format("{} is none of {}{}", quote(text), fmt::join(choices, ", "),
                       did_you_mean(text, choices));
  };
  return {check, fmt::format("{{{}}}", fmt::join(choices, ","))};
}

}  // namespace

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
  if constexpr (std::is_arithmetic_v<T>) {
    option->check(check_number<T>);
    if (rules.range) {
      auto range =
          CLI::Range(static_cast<T>(rules.range->first), static_cast<T>(rules.range->second));
      option->check(range.description(""));  // help does not name the limits, messages do
    }
  }
  if (!rules.one_of.empty()) option->check(one_of(rules.one_of));
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

CommandHelp Command::help() const { return help_of(*app_, app_->get_name()); }

void Command::callback(std::function<void()> callback) { app_->callback(std::move(callback)); }

}  // namespace vyre::cli
