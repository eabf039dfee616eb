// Benchmarks: functions that add rows to a report. They print numbers and ratios, never assert.
//
//   VYRE_BENCHMARK(find_in_config) {
//     const double ns = median_ns([&] { keep(config.find("tile")); });
//     report.add({.name = "Config::find, 8 entries", .value = ns, .unit = "ns",
//                 .goal = at_most(50)});
//   }

#pragma once

#include <cstdint>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "vyre/error.h"

namespace vyre::testing {

struct Goal {
  double limit = 0;
  bool is_least = true;
};
constexpr Goal at_least(double limit) { return {limit, true}; }
constexpr Goal at_most(double limit) { return {limit, false}; }

struct Row {
  std::string name = {};  // what was measured, with its sizes
  double value = 0;
  std::string unit = {};
  std::optional<double> baseline = {};  // what `value` is compared with, in the same unit
  std::optional<double> ratio = {};     // of an interleaved pair; left out, it is value / baseline
  std::optional<Goal> goal = {};        // for the ratio if there is one, else for the value
  std::string note = {};                // above all: why a goal is not met

  std::optional<double> compared() const;
  std::optional<bool> met() const;  // none without a goal
};

class Report {
 public:
  void add(Row row) { rows_.push_back(std::move(row)); }
  const std::vector<Row>& rows() const { return rows_; }
  std::string text() const;  // an aligned table
  nlohmann::json json() const;

 private:
  std::vector<Row> rows_;
};

struct Timing {
  double batch_ns = 1e6;  // a sample repeats the body until it takes about this long
  std::uint32_t samples = 31;
};

// Time of one call. The median over samples: an interrupt or a neighbour on the machine makes a
// few samples slower and moves it little, while the minimum would hide what is usual.
double median_ns(const std::function<void()>& body, const Timing& timing = {});

// Samples of the two alternate, so that a change of clock speed hits both; `ratio` is the median
// of the ratios of neighbours, not the ratio of the medians.
struct Pair {
  double first_ns = 0;
  double second_ns = 0;
  double ratio = 0;  // first / second
};
Pair compare_ns(const std::function<void()>& first, const std::function<void()>& second,
                const Timing& timing = {});

// Keeps the compiler from dropping a result that nobody uses.
template <class T>
void keep(const T& value) {
  asm volatile("" : : "r"(&value) : "memory");
}

using Benchmark = void (*)(Report& report);
bool register_benchmark(const char* name, Benchmark benchmark);

// All registered ones whose name matches the POSIX extended regular expression, by name; `on_start`
// hears of each first.
Expected<Report> run_benchmarks(const std::string& only,
                                const std::function<void(const char*)>& on_start);

}  // namespace vyre::testing

#define VYRE_BENCHMARK(name)                                \
  static void name(::vyre::testing::Report& report);        \
  [[maybe_unused]] static const bool name##_is_registered = \
      ::vyre::testing::register_benchmark(#name, name);     \
  static void name(::vyre::testing::Report& report)
