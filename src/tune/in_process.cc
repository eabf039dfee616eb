#include "tune/in_process.h"

#include <chrono>
#include <deque>

#include "base/error.h"
#include "tune/problem_runner.h"

namespace vyre {
namespace {

using Clock = std::chrono::steady_clock;

class InProcess final : public DeviceEvaluator {
 public:
  InProcess(std::shared_ptr<Device> device, const Problem& problem, ConfigOf config_of)
      : config_of_(std::move(config_of)), runner_(std::move(device), problem) {
    runner_.on_launch([this] { launched_ = now_seconds(); });
  }

  bool is_warm() const override { return true; }
  Expected<void> start(const Work& work) override {
    waiting_.push_back(work);
    return {};
  }

  // Does the work itself: nothing goes on between two calls.
  Expected<std::optional<Answer>> next(double until) override {
    if (waiting_.empty() || now_seconds() >= until) return std::nullopt;
    Answer answer{.work = waiting_.front()};
    waiting_.pop_front();
    const double begin = now_seconds();
    launched_ = 0;
    VYRE_TRY(answer.result, perform(answer.work));
    answer.seconds = now_seconds();
    double& seconds =
        answer.work.step == Step::admit ? answer.result.compile_seconds : answer.result.run_seconds;
    seconds = answer.seconds - begin;
    if (answer.work.step == Step::admit && launched_ > 0) {
      answer.result.verify_seconds = answer.seconds - launched_;
    }
    if (answer.result.status != Status::ok) answer.why = runner_.why();
    return answer;
  }

  void give_up() override { waiting_.clear(); }
  double now_seconds() const override {
    return std::chrono::duration<double>(Clock::now() - start_).count();
  }
  double kernel_seconds() const override { return runner_.kernel_seconds(); }
  std::vector<KernelFacts> facts(std::uint64_t index) override {
    give_up();
    return runner_.facts(config_of_(index)).value_or(std::vector<KernelFacts>());
  }

 private:
  Expected<Result> perform(const Work& work) {
    const Config config = config_of_(work.index);
    if (work.step != Step::admit) return runner_.sample(config, work.step != Step::sample);
    VYRE_TRY(const Status status, runner_.admit(config));
    return Result{.status = status};
  }

  ConfigOf config_of_;
  ProblemRunner runner_;
  std::deque<Work> waiting_;
  double launched_ = 0;  // the last first run; 0: none
  Clock::time_point start_ = Clock::now();
};

}  // namespace

std::unique_ptr<DeviceEvaluator> evaluate_in_process(std::shared_ptr<Device> device,
                                                     const Problem& problem, ConfigOf config_of) {
  if (!config_of) config_of = configs_of(problem.space);
  return std::make_unique<InProcess>(std::move(device), problem, std::move(config_of));
}

}  // namespace vyre
