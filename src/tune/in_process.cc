#include "tune/in_process.h"

#include <chrono>

#include "base/error.h"
#include "tune/problem_runner.h"

namespace vyre {
namespace {

using Clock = std::chrono::steady_clock;

class InProcess final : public Evaluator {
 public:
  InProcess(std::shared_ptr<Device> device, const Problem& problem)
      : space_(problem.space), runner_(std::move(device), problem) {}

  Expected<void> begin() { return runner_.make_reference(); }

  Expected<Status> prepare(std::uint64_t index) override {
    return runner_.prepare(space_.config_at(index));
  }
  Expected<Status> verify(std::uint64_t index) override {
    return runner_.verify(space_.config_at(index));
  }
  Expected<Result> sample(std::uint64_t index) override {
    return runner_.sample(space_.config_at(index));
  }
  double now_seconds() const override {
    return std::chrono::duration<double>(Clock::now() - start_).count();
  }
  double kernel_seconds() const override { return runner_.kernel_seconds(); }

 private:
  space::Space space_;
  ProblemRunner runner_;
  Clock::time_point start_ = Clock::now();
};

}  // namespace

Expected<std::unique_ptr<Evaluator>> evaluate_in_process(std::shared_ptr<Device> device,
                                                         const Problem& problem) {
  auto out = std::make_unique<InProcess>(std::move(device), problem);
  if (auto begun = out->begin(); !begun) {
    return rejected("{}: the default configuration ({}) does not run: {}", problem.name,
                    to_string(problem.space.config_at(problem.default_index)),
                    begun.error().message);
  }
  return out;
}

}  // namespace vyre
