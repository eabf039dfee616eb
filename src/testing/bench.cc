#include "testing/bench.h"

#include <fmt/format.h>
#include <regex.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/statistics.h"
#include "base/text.h"
#include "cli/table.h"

namespace vyre::testing {
namespace {

using Clock = std::chrono::steady_clock;

std::map<std::string, Benchmark>& registry() {
  static std::map<std::string, Benchmark> benchmarks;
  return benchmarks;
}

double elapsed_ns(const std::function<void()>& body, std::uint64_t calls) {
  const auto start = Clock::now();
  for (std::uint64_t i = 0; i < calls; ++i) body();
  return std::chrono::duration<double, std::nano>(Clock::now() - start).count();
}

// How many calls make a batch; finding it out also warms up.
std::uint64_t calls_per_batch(const std::function<void()>& body, double batch_ns) {
  std::uint64_t calls = 1;
  while (elapsed_ns(body, calls) < batch_ns / 2 && calls < (std::uint64_t{1} << 40)) calls *= 2;
  return calls;
}

std::string number(double value) {
  if (value != 0 && std::abs(value) < 10) return fmt::format("{:.3g}", value);
  return fmt::format("{:.{}f}", value, std::abs(value) < 100 ? 1 : 0);
}

std::string number(const std::optional<double>& value) { return value ? number(*value) : ""; }

std::string goal_text(const Row& row) {
  if (!row.goal) return "";
  return fmt::format("{} {}: {}", row.goal->is_least ? "at least" : "at most",
                     number(row.goal->limit), *row.met() ? "met" : "NOT MET");
}

}  // namespace

std::optional<double> Row::compared() const {
  if (ratio || !baseline || *baseline == 0) return ratio;
  return value / *baseline;
}

std::optional<bool> Row::met() const {
  if (!goal) return std::nullopt;
  const double judged = compared().value_or(value);
  return goal->is_least ? judged >= goal->limit : judged <= goal->limit;
}

std::string Report::text() const {
  using enum cli::Align;
  cli::Table table({{"benchmark"},
                    {"value", right},
                    {"unit"},
                    {"baseline", right},
                    {"ratio", right},
                    {"goal"},
                    {"note"}});
  for (const Row& row : rows_) {
    table.add({row.name, number(row.value), row.unit, number(row.baseline), number(row.compared()),
               goal_text(row), row.note});
  }
  return table.text();
}

nlohmann::json Report::json() const {
  auto out = nlohmann::json::array();
  for (const Row& row : rows_) {
    nlohmann::json entry{{"name", row.name}, {"value", row.value}, {"unit", row.unit}};
    if (row.baseline) entry["baseline"] = *row.baseline;
    if (const auto ratio = row.compared()) entry["ratio"] = *ratio;
    if (row.goal) {
      entry[row.goal->is_least ? "at_least" : "at_most"] = row.goal->limit;
      entry["met"] = *row.met();
    }
    if (!row.note.empty()) entry["note"] = row.note;
    out.push_back(std::move(entry));
  }
  return out;
}

double median_ns(const std::function<void()>& body, const Timing& timing) {
  const auto calls = calls_per_batch(body, timing.batch_ns);
  std::vector<double> samples(timing.samples);
  for (double& sample : samples) sample = elapsed_ns(body, calls) / static_cast<double>(calls);
  return median(samples);
}

Pair compare_ns(const std::function<void()>& first, const std::function<void()>& second,
                const Timing& timing) {
  const auto first_calls = calls_per_batch(first, timing.batch_ns);
  const auto second_calls = calls_per_batch(second, timing.batch_ns);
  std::vector<double> firsts;
  std::vector<double> seconds;
  std::vector<double> ratios;
  for (std::uint32_t i = 0; i < timing.samples; ++i) {
    firsts.push_back(elapsed_ns(first, first_calls) / static_cast<double>(first_calls));
    seconds.push_back(elapsed_ns(second, second_calls) / static_cast<double>(second_calls));
    ratios.push_back(firsts.back() / seconds.back());
  }
  return {median(firsts), median(seconds), median(ratios)};
}

bool register_benchmark(const char* name, Benchmark benchmark) {
  return registry().emplace(name, benchmark).second;
}

Expected<Report> run_benchmarks(const std::string& only,
                                const std::function<void(const char*)>& on_start) {
  regex_t wanted;  // POSIX: std::regex costs seconds to compile in every build
  if (regcomp(&wanted, only.c_str(), REG_EXTENDED | REG_NOSUB) != 0) {
    return bad_inputs("{} is not a regular expression", quote(only));
  }
  Report report;
  for (const auto& [name, benchmark] : registry()) {
    if (regexec(&wanted, name.c_str(), 0, nullptr, 0) != 0) continue;
    on_start(name.c_str());
    benchmark(report);
  }
  regfree(&wanted);
  return report;
}

}  // namespace vyre::testing
