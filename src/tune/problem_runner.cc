#include "tune/problem_runner.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "base/error.h"
#include "tune/compare.h"
#include "tune/problem_call.h"

namespace vyre {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kCanaryBytes = 4096;
// A run that takes longer is timed the first time: a cold start is a small part of it, and a step
// of any clock, too.
constexpr std::uint64_t kLongNs = 20'000'000;

std::vector<backend::InputContent> contents_of(const Problem& problem) {
  std::vector<backend::InputContent> out;
  for (const Input& input : inputs_of(problem)) out.push_back({.host = input});
  for (std::size_t k = 0; k < problem.device_inputs.size(); ++k) {
    if (k == out.size()) out.emplace_back();
    out[k].device = problem.device_inputs[k].get();
  }
  return out;
}

// Adds the time of its own life to a sum.
class Stopwatch {
 public:
  explicit Stopwatch(double& seconds) : seconds_(seconds) {}
  ~Stopwatch() { seconds_ += std::chrono::duration<double>(Clock::now() - start_).count(); }
  Stopwatch(const Stopwatch&) = delete;
  Stopwatch& operator=(const Stopwatch&) = delete;

 private:
  double& seconds_;
  Clock::time_point start_ = Clock::now();
};

}  // namespace

ProblemRunner::ProblemRunner(std::shared_ptr<Device> device, const Problem& problem)
    : device_(std::move(device)), problem_(problem), inputs_(contents_of(problem_)) {}

Expected<void> ProblemRunner::make_reference() {
  if (has_reference_) return {};
  VYRE_TRY(Ready * standard, ready(problem_.space.config_at(problem_.default_index)));
  VYRE_TRY_VOID(run_afresh(*standard));
  VYRE_TRY_VOID(standard->call->read_outputs(reference_));
  has_reference_ = true;
  if (problem_.reference == nullptr) return {};
  for (std::size_t k = 0; k < std::min(reference_.size(), problem_.reference->size()); ++k) {
    const auto& wanted = (*problem_.reference)[k];
    if (wanted.empty()) continue;
    if (wanted.size() != reference_[k].size()) {
      return bad_inputs("output {} has {} bytes, its reference {}", k, reference_[k].size(),
                        wanted.size());
    }
    reference_[k] = wanted;
  }
  return {};
}

void ProblemRunner::set_reference(Outputs reference) {
  reference_ = std::move(reference);
  has_reference_ = true;
}

// A fault of the candidate is a status; a fault of the caller is an error.
Expected<Status> ProblemRunner::status_of(const Error& error) {
  if (error.kind == ErrorKind::bad_inputs) return std::unexpected(error);
  why_ = error.message;
  return error.kind == ErrorKind::rejected ? Status::compile : Status::runtime;
}

Expected<Status> ProblemRunner::compile(const Config& config) {
  const auto candidate = ready(config);
  if (!candidate) return status_of(candidate.error());
  return Status::ok;
}

Expected<Status> ProblemRunner::verify(const Config& config) {
  VYRE_TRY_VOID(make_reference());
  const auto candidate = ready(config);
  if (!candidate) return status_of(candidate.error());
  if (auto done = run_afresh(**candidate); !done) return status_of(done.error());
  return check(**candidate);
}

Expected<Status> ProblemRunner::admit(const Config& config) {
  VYRE_TRY(const Status compiled, compile(config));
  return compiled == Status::ok ? verify(config) : compiled;
}

// What its last run has left.
Expected<Status> ProblemRunner::check(Ready& ready) {
  VYRE_TRY_VOID(ready.call->read_outputs(outputs_));
  VYRE_TRY(const auto damaged, ready.call->damaged_canary());
  has_damage_ = damaged.has_value();
  if (damaged) {
    why_ = "it writes behind the end of " + *damaged;
    return Status::correctness;
  }
  auto difference = first_difference(problem_, outputs_, reference_);
  if (!difference) return Status::ok;
  why_ = *std::move(difference);
  return Status::correctness;
}

Expected<Result> ProblemRunner::sample(const Config& config, bool checks) {
  std::uint64_t elapsed_ns = 0;
  const auto failure = [&](const Error& error) -> Expected<Result> {
    VYRE_TRY(const Status status, status_of(error));
    return Result{.status = status};
  };
  const auto candidate = ready(config);
  if (!candidate) return failure(candidate.error());
  if (const auto done = run_afresh(**candidate, &elapsed_ns); !done) return failure(done.error());
  if (checks) {
    VYRE_TRY_VOID(make_reference());
    VYRE_TRY(const Status status, check(**candidate));
    if (status != Status::ok) return Result{.status = status};
  }
  clock_.note(elapsed_ns);
  if (elapsed_ns >= kLongNs && !clock_.uses_host()) {
    return Result{.time_ms = static_cast<double>(elapsed_ns) / 1e6};
  }
  const auto timed_ns = time_in_a_row(**candidate);
  if (!timed_ns) return failure(timed_ns.error());
  return Result{.time_ms = *timed_ns / 1e6};
}

Expected<ProblemRunner::Ready*> ProblemRunner::ready(const Config& config) {
  has_damage_ = false;
  const auto known = std::ranges::find(ready_, config, &Ready::config);
  if (known != ready_.end()) {
    std::rotate(known, known + 1, ready_.end());
    return &ready_.back();
  }
  if (ready_.size() == kMostReady) ready_.pop_front();  // before the new one needs its memory
  VYRE_TRY(auto call, make(config));
  VYRE_TRY_VOID(call->write_inputs(inputs_));
  ready_.push_back({.config = config, .call = std::move(call)});
  return &ready_.back();
}

Expected<std::unique_ptr<backend::OwnedCall>> ProblemRunner::make(const Config& config) {
  const Stopwatch stopwatch(kernel_seconds_);
  backend::Slots slots(problem_.sequence);
  VYRE_TRY_VOID(place(problem_, slots));
  return backend::OwnedCall::make(device_, problem_.sequence, slots, options_for(config),
                                  {.canary_bytes = kCanaryBytes,
                                   .shares_with = ready_.empty() ? nullptr : ready_[0].call.get()});
}

Expected<void> ProblemRunner::run_afresh(Ready& ready, std::uint64_t* elapsed_ns) {
  VYRE_TRY_VOID(restore(ready));
  const bool is_first = !std::exchange(ready.has_run, true);
  const Stopwatch stopwatch(kernel_seconds_);
  return ready.call->run(elapsed_ns, is_first ? on_first_launch_ : std::function<void()>());
}

Expected<void> ProblemRunner::restore(Ready& ready) {
  if (!ready.has_run || !ready.call->changes_inputs()) return {};
  return ready.call->restore_inputs(inputs_);
}

Expected<double> ProblemRunner::time_in_a_row(Ready& ready) {
  std::vector<RunClock::Run> runs;
  double seconds = 0;
  while (clock_.wants_more(runs, seconds)) {
    const Stopwatch whole(seconds);
    VYRE_TRY_VOID(restore(ready));
    const Stopwatch stopwatch(kernel_seconds_);
    RunClock::Run& run = runs.emplace_back();
    const Clock::time_point start = Clock::now();
    VYRE_TRY_VOID(ready.call->run_again(&run.device_ns));
    const std::chrono::nanoseconds taken = Clock::now() - start;
    run.host_ns = static_cast<std::uint64_t>(taken.count());
    clock_.note(run.device_ns);
  }
  return clock_.time_ns(runs);
}

}  // namespace vyre
