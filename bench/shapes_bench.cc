// A few sizes of a kernel are tuned, others served from them: how near to their own tuned speed
// those come. Really tunes, on an OpenCL device: takes minutes.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/check.h"
#include "testing/bench.h"
#include "tune/in_process.h"
#include "tune/problem_call.h"
#include "vyre/opencl.h"
#include "vyre/tune.h"

namespace vyre::testing {
namespace {

// Of each campaign. Not in seconds: the first one ever compiles a hundred times longer than the
// next ones, for which the driver remembers.
constexpr std::uint64_t kEvaluations = 40;
constexpr std::uint32_t kSamples = 21;  // of each of the two that are compared

using Sizes = std::vector<ProblemSizes>;

class Shapes {
 public:
  Shapes(std::shared_ptr<Device> device, std::string kernel)
      : device_(device),
        kernel_(std::move(kernel)),
        cache_(DecisionCache::open({.identity = identity_of(device_->info())})) {}

  void tune_and_remember(const ProblemSizes& sizes) {
    const Problem problem = problem_of(sizes);
    VYRE_CHECK(tuned(problem, &cache_).is_kept);
  }

  struct Comparison {
    double served_over_own = 0;  // speed
    bool is_doubted = false;
  };
  Comparison compare(const ProblemSizes& sizes) {
    const Problem problem = problem_of(sizes);
    const auto is_valid = [&](const Config& config) { return problem.space.contains(config); };
    const Neighbourly served =
        cache_.from_neighbours(problem.sequence.fingerprint(), shape_of(problem), is_valid);
    if (!served.decision) return {side_by_side(problem, problem.default_index, best_of(problem))};
    const Config config = cache_.read(served.decision).config;
    return {side_by_side(problem, *problem.space.find(config), best_of(problem)),
            !served.doubt.empty()};
  }

 private:
  Problem problem_of(const ProblemSizes& sizes) const {
    auto problem = bundled_problem(kernel_, sizes);
    VYRE_CHECK(problem.has_value());
    return *std::move(problem);
  }

  // `cache`: where it is remembered; null: nowhere.
  Tuned tuned(const Problem& problem, DecisionCache* cache) const {
    auto apart = DecisionCache::open({.identity = identity_of(device_->info())});
    auto out = tune(device_, problem,
                    {.seconds = 0,
                     .evaluations = kEvaluations,
                     .workers = {.isolation = Isolation::in_process},
                     .cache = cache == nullptr ? &apart : cache});
    VYRE_CHECK(out.has_value());
    return *std::move(out);
  }
  std::uint64_t best_of(const Problem& problem) const {
    return tuned(problem, nullptr).report.best;
  }

  std::vector<std::uint64_t> shape_of(const Problem& problem) const {
    auto shape = vyre::shape_of(problem, device_->info().limits);
    VYRE_CHECK(shape.has_value());
    return *std::move(shape);
  }

  // How many times as fast the first is, from alternating runs.
  double side_by_side(const Problem& problem, std::uint64_t first, std::uint64_t second) const {
    if (first == second) return 1;
    const auto evaluator = evaluate_in_process(device_, problem);
    const auto run_ms = [&](Step step, std::uint64_t index) {
      const auto answer = answer_of(*evaluator, {step, index});
      VYRE_CHECK(answer && answer->result.status == Status::ok);
      return answer->result.time_ms;
    };
    std::vector<double> ns[2];
    for (const std::uint64_t index : {first, second}) {
      run_ms(Step::admit, index);
    }
    for (std::uint32_t k = 0; k < kSamples; ++k) {
      ns[0].push_back(run_ms(Step::sample, first));
      ns[1].push_back(run_ms(Step::sample, second));
    }
    for (auto& times : ns) std::ranges::nth_element(times, times.begin() + kSamples / 2);
    return ns[1][kSamples / 2] / ns[0][kSamples / 2];
  }

  std::shared_ptr<Device> device_;
  std::string kernel_;
  DecisionCache cache_;
};

std::string to_text(const ProblemSizes& sizes) {
  std::string out;
  for (const auto& [name, size] : sizes) out += fmt::format("{}{}", out.empty() ? "" : " x ", size);
  return out;
}

void add_rows(Report& report, const std::string& kernel, const Sizes& tuned, const Sizes& others) {
  auto device = open_device("opencl");
  if (!device) return;
  Shapes shapes(*device, kernel);
  for (const ProblemSizes& sizes : tuned) shapes.tune_and_remember(sizes);
  double log_sum = 0;
  for (const ProblemSizes& sizes : others) {
    const Shapes::Comparison result = shapes.compare(sizes);
    log_sum += std::log(result.served_over_own);
    report.add({.name = fmt::format("{} {}, served over own tuned speed", kernel, to_text(sizes)),
                .value = result.served_over_own,
                .unit = "x",
                .note = result.is_doubted ? "tuning was advised" : ""});
  }
  report.add({.name = fmt::format("{}: {} sizes served from {}, over their own tuned speed", kernel,
                                  others.size(), tuned.size()),
              .value = std::exp(log_sum / static_cast<double>(others.size())),
              .unit = "x",
              .goal = at_least(0.9)});
}

ProblemSizes product(std::uint64_t m, std::uint64_t n, std::uint64_t k) {
  return {{"m", m}, {"n", n}, {"k", k}};
}
ProblemSizes image(std::uint64_t width, std::uint64_t height) {
  return {{"width", width}, {"height", height}};
}

VYRE_BENCHMARK(shapes_gemm) {
  add_rows(
      report, "gemm",
      {product(64, 64, 64), product(96, 96, 96), product(160, 160, 160), product(256, 256, 256),
       product(256, 64, 128)},
      {product(128, 128, 128), product(192, 160, 128), product(192, 192, 192),
       product(224, 224, 224), product(320, 320, 320), product(128, 256, 64), product(64, 256, 128),
       product(256, 64, 192), product(192, 96, 288), product(320, 160, 96)});
}

VYRE_BENCHMARK(shapes_conv2d) {
  add_rows(report, "conv2d", {image(256, 256), image(768, 512), image(1536, 1024), image(512, 128)},
           {image(320, 240), image(384, 384), image(640, 480), image(800, 600), image(1024, 768),
            image(1280, 720), image(300, 200), image(511, 257), image(1000, 500), image(960, 540)});
}

}  // namespace
}  // namespace vyre::testing
