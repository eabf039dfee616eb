// vyre_record KERNEL OUT_T4.json.gz [NAME=SIZE...]: measures every configuration of a kernel, in
// this process, and writes the recording, compile times included. Plans of chains are recorded by
// vyre_record_chain (record_chain.cc), without compile times.
//
// `vyre tune --strategy exhaustive --out` records a space, too, but as a campaign does: it compiles
// ahead and shares what it compiled, so its times of compiling are of no use. Here each
// configuration is compiled once, from nothing: give PoCL an empty POCL_CACHE_DIR. PoCL compiles
// most of a kernel at its first launch, so the compile time is that of everything up to the first
// result, less one run.

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <ctime>

#include "tune/problem_runner.h"
#include "vyre/problem.h"
#include "vyre/recording.h"

namespace {

using namespace vyre;
using Clock = std::chrono::steady_clock;

constexpr std::size_t kFewestRuns = 5;
constexpr std::size_t kMostRuns = 11;
constexpr double kEnoughMs = 50;  // of runs, beyond the fewest

// Time that has passed since, without the time in which this process was kept from running: it
// works on one core or more, so it cannot take less processor time than it was running.
class Stopwatch {
 public:
  double ms() const {
    const double wall = std::chrono::duration<double, std::milli>(Clock::now() - start_).count();
    const double processor = 1e3 * static_cast<double>(std::clock() - processor_start_) /
                             static_cast<double>(CLOCKS_PER_SEC);
    return std::min(wall, processor);
  }

 private:
  Clock::time_point start_ = Clock::now();
  std::clock_t processor_start_ = std::clock();
};

double median_of(std::vector<double> values) {
  std::ranges::nth_element(values, values.begin() + static_cast<long>(values.size() / 2));
  return values[values.size() / 2];
}

Expected<Status> sample(ProblemRunner& runner, const Config& config, std::vector<double>& run_ms) {
  double sum = 0;
  while (run_ms.size() < kFewestRuns || (run_ms.size() < kMostRuns && sum < kEnoughMs)) {
    auto run = runner.sample(config);
    if (!run) return std::unexpected(run.error());
    if (run->status != Status::ok) return run->status;
    run_ms.push_back(run->time_ms);
    sum += run->time_ms;
  }
  return Status::ok;
}

Expected<recording::Row> measure(ProblemRunner& runner, const Problem& problem,
                                 std::uint64_t index) {
  recording::Row row;
  row.point = problem.space.at(index);
  const Config config = problem.space.config_at(index);
  const Stopwatch stopwatch;
  auto status = runner.admit(config);
  const double prepared_ms = stopwatch.ms();
  if (status && *status == Status::ok) status = sample(runner, config, row.run_ms);
  if (!status) return std::unexpected(status.error());
  row.status = *status;
  row.compile_ms = prepared_ms;
  if (row.status != Status::ok) return row;
  row.time_ms = median_of(row.run_ms);
  row.compile_ms = std::max(0.0, prepared_ms - *row.time_ms);
  return row;
}

recording::Recording empty_recording(const Problem& problem, const DeviceInfo& device) {
  recording::Recording out;
  out.parameters = problem.space.parameters();
  out.metadata.set("kernel", problem.name);
  for (const auto& [name, size] : problem.sizes) {
    out.metadata.set(name, static_cast<std::int64_t>(size));
  }
  out.metadata.set("device", device.name);
  out.metadata.set("driver", fmt::format("{} {}", device.backend, device.driver));
  return out;
}

// The default is the first row: replays begin there, and the others are compared with it.
Expected<recording::Recording> record(const std::shared_ptr<Device>& device,
                                      const Problem& problem) {
  recording::Recording out = empty_recording(problem, device->info());
  ProblemRunner runner(device, problem);
  for (std::uint64_t k = 0; k < problem.space.size(); ++k) {
    const std::uint64_t index =
        k == 0 ? problem.default_index : k - (k <= problem.default_index ? 1 : 0);
    auto row = measure(runner, problem, index);
    if (!row) return std::unexpected(row.error());
    out.rows.push_back(*std::move(row));
    if (k % 50 == 0) fmt::print(stderr, "{}: {} of {}\n", problem.name, k, problem.space.size());
  }
  return out;
}

ProblemSizes sizes_of(int argc, char** argv) {
  ProblemSizes out;
  for (int k = 3; k < argc; ++k) {
    const std::string_view text = argv[k];
    const std::size_t equals = std::min(text.find('='), text.size() - 1);
    out[std::string(text.substr(0, equals))] = std::strtoull(argv[k] + equals + 1, nullptr, 10);
  }
  return out;
}

Expected<Problem> problem_of(const std::string& kernel, const ProblemSizes& sizes) {
  return kernel.ends_with(".json") ? load_problem(kernel, sizes) : bundled_problem(kernel, sizes);
}

Expected<void> run(const std::string& kernel, const char* file, const ProblemSizes& sizes) {
  auto problem = problem_of(kernel, sizes);
  if (!problem) return std::unexpected(problem.error());
  auto device = open_best_device();  // without a store for compiled kernels
  if (!device) return std::unexpected(device.error());
  auto recorded = record(*device, *problem);
  if (!recorded) return std::unexpected(recorded.error());
  return recording::write_t4(file, *recorded);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) {
    fmt::print(stderr, "usage: vyre_record KERNEL OUT_T4.json.gz [NAME=SIZE...]\n");
    return 2;
  }
  const auto done = run(argv[1], argv[2], sizes_of(argc, argv));
  if (done) return 0;
  fmt::print(stderr, "vyre_record: {}\n", done.error().message);
  return 1;
}
