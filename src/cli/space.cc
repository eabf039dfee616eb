// `vyre space`: the size and shape of a tuning problem's space, and the time to build it.

#include <fmt/format.h>

#include <chrono>

#include "base/error.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/table.h"
#include "vyre/recording.h"

namespace vyre::cli {
namespace {

std::string listed(const std::vector<Value>& values) {
  constexpr std::size_t kMost = 12;
  std::string out;
  for (std::size_t k = 0; k < values.size() && k < kMost; ++k) {
    out += (k == 0 ? "" : " ") + to_string(values[k]);
  }
  return values.size() > kMost ? out + fmt::format(" ... ({} values)", values.size()) : out;
}

void print_parameters(const space::Space& space, const space::Statistics& statistics) {
  Table table({{"parameter"}, {"values", Align::right}, {"in use", Align::right}, {"list"}});
  for (std::size_t p = 0; p < space.dimensions(); ++p) {
    const auto& parameter = space.parameters()[p];
    const auto in_use = std::ranges::count_if(statistics.value_counts[p],
                                              [](std::uint64_t count) { return count > 0; });
    table.add({parameter.name, std::to_string(parameter.values.size()), std::to_string(in_use),
               listed(parameter.values)});
  }
  fmt::print("{}\n", table.text());
}

void print_constraints(const space::Statistics& statistics) {
  if (statistics.constraints.empty()) return;
  Table table({{"constraint"}, {"removals", Align::right}});
  for (const auto& c : statistics.constraints) table.add({c.text, std::to_string(c.removals)});
  fmt::print("{}\n", table.text());
}

Expected<void> print_default(const recording::T1File& problem, const space::Space& space) {
  VYRE_TRY(const auto start, recording::default_of(problem, space));
  if (!start) return {};
  for (const std::string& warning : start->warnings) fmt::print(stderr, "vyre: {}\n", warning);
  fmt::print("default: {}\n", escaped(to_string(space.config_at(start->index))));
  return {};
}

Expected<void> describe(const std::string& file) {
  using Clock = std::chrono::steady_clock;
  VYRE_TRY(const recording::T1File problem, recording::read_t1(file));
  for (const std::string& warning : problem.warnings) {
    fmt::print(stderr, "vyre: {}: {}\n", quote_path(file), warning);
  }
  const auto begin = Clock::now();
  space::Place place;
  auto space = space::Space::build(problem.space, {}, &place);
  const std::chrono::duration<double, std::milli> took = Clock::now() - begin;
  if (!space) {
    // The expression with a caret under the place, then the one line that says what to do.
    if (!place.text.empty()) fmt::print(stderr, "{}\n", space::show(place));
    return std::unexpected(space.error());
  }
  const space::Statistics statistics = space->statistics();
  print_parameters(*space, statistics);
  print_constraints(statistics);
  fmt::print("{} valid of {:.0f} combinations ({:.3g} %), {} independent group(s) of parameters\n",
             statistics.valid, statistics.combinations,
             100 * static_cast<double>(statistics.valid) / statistics.combinations,
             statistics.factors);
  VYRE_TRY_VOID(print_default(problem, *space));
  fmt::print("built in {:.3f} ms\n", took.count());
  return {};
}

}  // namespace

void add_space(Command& vyre, Context& context) {
  auto file = std::make_shared<std::string>();
  Command command = vyre.add("space", "Count and describe the search space of a T1 tuning problem");
  command.option("file", *file, "Problem in the T1 format (JSON)", {.required = true});
  command.callback([&context, file] { context.action = [file] { return describe(*file); }; });
}

}  // namespace vyre::cli
