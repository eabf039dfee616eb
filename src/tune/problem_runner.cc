#include "tune/problem_runner.h"

#include <algorithm>
#include <chrono>

#include "base/error.h"
#include "tune/compare.h"
#include "tune/problem_call.h"

namespace vyre {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kCanaryBytes = 4096;

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

// A fault of the candidate is a status; a fault of the caller is an error.
Expected<Status> status_of(const Error& error) {
  if (error.kind == ErrorKind::bad_inputs) return std::unexpected(error);
  return error.kind == ErrorKind::rejected ? Status::compile : Status::runtime;
}

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

Expected<Status> ProblemRunner::compile(const Config& config) {
  const auto candidate = ready(config);
  if (!candidate) return status_of(candidate.error());
  return Status::ok;
}

Expected<Status> ProblemRunner::rehearse(const Config& config) {
  const auto candidate = ready(config);
  if (!candidate) return status_of(candidate.error());
  if (auto done = run_afresh(**candidate); !done) return status_of(done.error());
  return Status::ok;
}

Expected<Status> ProblemRunner::prepare(const Config& config) {
  VYRE_TRY(const Status compiled, compile(config));
  if (compiled != Status::ok) return compiled;
  return rehearse(config);
}

Expected<Status> ProblemRunner::verify(const Config& config) {
  VYRE_TRY_VOID(make_reference());
  has_damage_ = false;
  const auto found = ready(config);
  if (!found) return status_of(found.error());
  Ready& candidate = **found;
  if (auto done = run_afresh(candidate); !done) return status_of(done.error());
  VYRE_TRY_VOID(candidate.call->read_outputs(outputs_));
  VYRE_TRY(const auto damaged, candidate.call->damaged_canary());
  has_damage_ = damaged.has_value();
  const bool is_right = !damaged && !first_difference(problem_, outputs_, reference_);
  return is_right ? Status::ok : Status::correctness;
}

Expected<Result> ProblemRunner::sample(const Config& config) {
  std::uint64_t elapsed_ns = 0;
  const auto candidate = ready(config);
  const auto done = candidate ? run_afresh(**candidate, &elapsed_ns)
                              : Expected<void>(std::unexpected(candidate.error()));
  if (!done) {
    VYRE_TRY(const Status status, status_of(done.error()));
    return Result{status, 0};
  }
  // A clock that does not tick during a launch still says that it was short.
  return Result{Status::ok, static_cast<double>(std::max<std::uint64_t>(elapsed_ns, 1)) / 1e6};
}

void ProblemRunner::forget(const Config& config) {
  std::erase_if(ready_, [&](const Ready& r) { return r.config == config; });
}

Expected<ProblemRunner::Ready*> ProblemRunner::ready(const Config& config) {
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
  if (ready.has_run && ready.call->changes_inputs()) {
    VYRE_TRY_VOID(ready.call->restore_inputs(inputs_));
  }
  ready.has_run = true;
  const Stopwatch stopwatch(kernel_seconds_);
  return ready.call->run(elapsed_ns);
}

}  // namespace vyre
