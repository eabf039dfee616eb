#include "tune/problem_runner.h"

#include <algorithm>
#include <chrono>
#include <ranges>
#include <utility>

#include "base/error.h"
#include "base/text.h"
#include "ir/ops.h"
#include "tune/compare.h"
#include "tune/problem_call.h"
#include "tune/stopwatch.h"
#include "tune/trial_data.h"

namespace vyre {
namespace {

using Clock = std::chrono::steady_clock;

// Not a power of two: buffers as large as one would else begin at the same sets of a cache.
constexpr std::size_t kGapBytes = (std::size_t{256} + 4) << 10U;
// A run that takes longer is timed the first time: a cold start is a small part of it, and a step
// of any clock, too.
constexpr std::uint64_t kLongNs = 20'000'000;
// Outputs of so many bytes are compared within a few milliseconds.
constexpr std::size_t kFewBytes = std::size_t{8} << 20U;
// The default runs behind every sample only if it is as short as this: it is to cost less than the
// compilation that came before.
constexpr std::uint64_t kShortDefaultNs = 4'000'000;
constexpr double kSecondsOfDefault = 4e-3;
constexpr std::size_t kRunsOfDefault = 3;
// Of a finalist, once: as many runs as this, in about this time.
constexpr std::size_t kRunsToConfirm = 16;
constexpr double kSecondsToConfirm = 0.05;

std::size_t bytes_of(const Outputs& outputs) {
  std::size_t bytes = 0;
  for (const auto& output : outputs) bytes += output.size();
  return bytes;
}

}  // namespace

ProblemRunner::ProblemRunner(std::shared_ptr<Device> device, const Problem& problem)
    : device_(std::move(device)), problem_(problem), first_(first_data(problem_)) {}

Expected<void> ProblemRunner::make_reference() {
  if (has_reference_) return {};
  VYRE_TRY(Ready * standard, ready(problem_.space.config_at(problem_.default_index)));
  std::uint64_t elapsed_ns = 0;
  Outputs& made = first_.reference.outputs;
  VYRE_TRY_VOID(run_afresh(*standard, first_, &elapsed_ns));
  VYRE_TRY_VOID(standard->call->read_outputs(made));
  VYRE_TRY(first_.reference.is_repeatable, is_repeatable(*standard, elapsed_ns));
  first_.reference.elapsed_ns = elapsed_ns;
  has_reference_ = true;
  if (problem_.reference == nullptr) return {};
  for (std::size_t k = 0; k < std::min(made.size(), problem_.reference->size()); ++k) {
    const auto& wanted = (*problem_.reference)[k];
    if (wanted.empty()) continue;
    if (wanted.size() != made[k].size()) {
      return bad_inputs("output {} has {} bytes, its reference {}", quote(output_name(k)),
                        made[k].size(), wanted.size());
    }
    made[k] = wanted;
  }
  return {};
}

const std::string& ProblemRunner::output_name(std::size_t place) const {
  auto outputs = problem_.sequence.def().buffers |
                 std::views::filter([](const ir::Buffer& b) { return ir::gives_output(b.access); });
  return std::ranges::next(outputs.begin(), static_cast<std::ptrdiff_t>(place))->name;
}

// Programs of the language find their outputs cleared. What runs long is never run in a row.
Expected<bool> ProblemRunner::is_repeatable(Ready& standard, std::uint64_t elapsed_ns) {
  const auto& programs = problem_.sequence.def().programs;
  const auto has_source = [](const ir::Program& p) { return p.source.has_value(); };
  if (std::ranges::none_of(programs, has_source)) return true;
  if (elapsed_ns >= kLongNs) return false;
  std::uint64_t ignored_ns = 0;
  VYRE_TRY_VOID(restore(standard, first_));
  VYRE_TRY_VOID(standard.call->run_again(&ignored_ns));
  VYRE_TRY_VOID(standard.call->read_outputs(outputs_));
  return !first_difference(problem_, outputs_, first_.reference.outputs);
}

void ProblemRunner::set_reference(Reference reference) {
  first_.reference = std::move(reference);
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
  if (auto done = run_afresh(**candidate, first_); !done) return status_of(done.error());
  VYRE_TRY(const Status status, check(**candidate, first_));
  if (status != Status::ok) return status;
  VYRE_TRY(const Status checked, check_inputs(**candidate, first_));
  // It is compiled here, where a compilation is expected, and not beside a sample.
  if (checked == Status::ok && has_short_default()) {
    VYRE_TRY_VOID(ready(problem_.space.config_at(problem_.default_index)));
    VYRE_TRY_VOID(ready(config));
  }
  return checked;
}

Expected<Status> ProblemRunner::admit(const Config& config) {
  VYRE_TRY(const Status compiled, compile(config));
  return compiled == Status::ok ? verify(config) : compiled;
}

// What its last run has left.
Expected<Status> ProblemRunner::check(const Ready& ready, const TrialData& data) {
  VYRE_TRY_VOID(ready.call->read_outputs(outputs_));
  VYRE_TRY(const auto damaged, ready.call->damaged_gap());
  has_damage_ = damaged.has_value();
  if (damaged) {
    why_ = "it writes " + *damaged;
    return Status::correctness;
  }
  auto difference = first_difference(problem_, outputs_, data.reference.outputs);
  if (!difference) return Status::ok;
  why_ = *std::move(difference);
  return Status::correctness;
}

Expected<Status> ProblemRunner::check_inputs(const Ready& ready, const TrialData& data) {
  VYRE_TRY(const auto changed, ready.call->changed_input(data.inputs));
  if (!changed) return Status::ok;
  why_ = "it writes to " + *changed + ", which it may only read";
  return Status::correctness;
}

Expected<Result> ProblemRunner::failure(const Error& error) {
  VYRE_TRY(const Status status, status_of(error));
  return Result{.status = status};
}

Expected<Result> ProblemRunner::sample(const Config& config, bool is_finalist) {
  VYRE_TRY_VOID(make_reference());
  const bool is_new = is_finalist && !is_confirmed(config);
  if (is_new) {
    VYRE_TRY(const Status status, confirm(config));
    if (status != Status::ok) return Result{.status = status};
  }
  const auto candidate = ready(config);
  if (!candidate) return failure(candidate.error());
  VYRE_TRY(Result result, time_runs(**candidate, is_finalist, is_new));
  if (result.status != Status::ok || !has_short_default()) return result;
  VYRE_TRY(const double default_ns, time_default());
  result.default_ms = default_ns / 1e6;
  return result;
}

Expected<Result> ProblemRunner::time_runs(Ready& ready, bool is_finalist, bool is_new) {
  std::uint64_t elapsed_ns = 0;
  if (const auto done = run_afresh(ready, first_, &elapsed_ns, is_new); !done) {
    return failure(done.error());
  }
  clock_.note(elapsed_ns);
  const bool is_long = elapsed_ns >= kLongNs && !clock_.uses_host();
  auto time_ns = static_cast<double>(elapsed_ns);
  if (!is_long) {
    if (is_finalist) {
      VYRE_TRY(const Status status, check(ready, first_));
      if (status != Status::ok) return Result{.status = status};
    }
    const auto timed = time_in_a_row(ready);
    if (!timed) return failure(timed.error());
    time_ns = *timed;
  }
  const bool is_comparable = is_long || first_.reference.is_repeatable;
  if (is_comparable && (is_finalist || bytes_of(first_.reference.outputs) <= kFewBytes)) {
    VYRE_TRY(const Status status, check(ready, first_));
    if (status != Status::ok) return Result{.status = status};
  }
  return Result{.time_ms = time_ns / 1e6,
                .is_host_time = clock_.uses_host() || device_->info().clock_step_ns == 0};
}

Expected<Outputs> ProblemRunner::outputs_of(const Config& config) {
  VYRE_TRY(Ready * candidate, ready(config));
  VYRE_TRY_VOID(run_afresh(*candidate, first_));
  Outputs outputs;
  VYRE_TRY_VOID(candidate->call->read_outputs(outputs));
  return outputs;
}

Expected<std::vector<KernelFacts>> ProblemRunner::facts(const Config& config) {
  VYRE_TRY(const Ready* candidate, ready(config));
  return candidate->call->facts();
}

// ---- Finalists

bool ProblemRunner::is_confirmed(const Config& config) const {
  return std::ranges::find(confirmed_, config) != confirmed_.end();
}

// The second set waits for the default, whose outputs are its reference: the campaign runs the
// default beside every winner, and gives it the time that it needs.
Expected<Status> ProblemRunner::confirm(const Config& config) {
  const auto candidate = ready(config);
  if (!candidate) return status_of(candidate.error());
  if (!has_second_data(problem_)) {
    VYRE_TRY(const Status status, run_often(**candidate, first_));
    if (status == Status::ok) confirmed_.push_back(config);
    return status;
  }
  const bool is_default = config == problem_.space.config_at(problem_.default_index);
  if (!second_ && !is_default) return Status::ok;
  auto status = confirm_on_second(**candidate);
  if (auto done = (*candidate)->call->replace_inputs(first_.inputs); !done) {
    ready_.clear();  // some may share inputs with it
    return status_of(done.error());
  }
  if (status && *status == Status::ok) confirmed_.push_back(config);
  return status;
}

Expected<Status> ProblemRunner::confirm_on_second(Ready& ready) {
  const bool makes_reference = !second_;
  TrialData made;
  if (makes_reference) made = second_data(problem_);
  const TrialData& data = makes_reference ? made : *second_;
  auto done = ready.call->replace_inputs(data.inputs);
  if (done && makes_reference) done = run_afresh(ready, data, nullptr, true);
  if (done && makes_reference) done = ready.call->read_outputs(made.reference.outputs);
  if (!done) return status_of(done.error());
  if (makes_reference) second_ = std::move(made);
  return run_often(ready, *second_);
}

Expected<Status> ProblemRunner::run_often(Ready& ready, const TrialData& data) {
  double seconds = 0;
  for (std::size_t k = 0; k < kRunsToConfirm && seconds < kSecondsToConfirm; ++k) {
    const Stopwatch stopwatch(seconds);
    if (auto done = run_afresh(ready, data, nullptr, true); !done) return status_of(done.error());
    VYRE_TRY(const Status status, check(ready, data));
    if (status != Status::ok) return status;
  }
  return check_inputs(ready, data);
}

// ---- Runs

Expected<ProblemRunner::Ready*> ProblemRunner::ready(const Config& config) {
  has_damage_ = false;
  const auto known = std::ranges::find(ready_, config, &Ready::config);
  if (known != ready_.end()) {
    std::rotate(known, known + 1, ready_.end());
    return &ready_.back();
  }
  if (ready_.size() == kMostReady) ready_.pop_front();  // before the new one needs its memory
  VYRE_TRY(auto call, make(config));
  VYRE_TRY_VOID(call->write_inputs(first_.inputs));
  ready_.push_back({.config = config, .call = std::move(call)});
  return &ready_.back();
}

Expected<std::unique_ptr<backend::OwnedCall>> ProblemRunner::make(const Config& config) {
  const Stopwatch stopwatch(kernel_seconds_);
  backend::Slots slots(problem_.sequence);
  VYRE_TRY_VOID(place(problem_, slots));
  return backend::OwnedCall::make(
      device_, problem_.sequence, slots, options_for(config),
      {.gap_bytes = kGapBytes, .shares_with = ready_.empty() ? nullptr : ready_[0].call.get()});
}

Expected<void> ProblemRunner::run_afresh(Ready& ready, const TrialData& data,
                                         std::uint64_t* elapsed_ns, bool announces) {
  VYRE_TRY_VOID(restore(ready, data));
  const bool is_first = !std::exchange(ready.has_run, true);
  const Stopwatch stopwatch(kernel_seconds_);
  return ready.call->run(elapsed_ns, is_first || announces ? on_launch_ : std::function<void()>());
}

Expected<void> ProblemRunner::restore(Ready& ready, const TrialData& data) {
  if (!ready.has_run || !ready.call->changes_inputs()) return {};
  return ready.call->restore_inputs(data.inputs);
}

bool ProblemRunner::has_short_default() const {
  return compares_speed_ && has_reference_ && !clock_.uses_host() &&
         first_.reference.elapsed_ns > 0 && first_.reference.elapsed_ns <= kShortDefaultNs;
}

// The first run finds other data in the caches. Whatever disturbs a run makes it longer.
Expected<double> ProblemRunner::time_default() {
  VYRE_TRY(Ready * standard, ready(problem_.space.config_at(problem_.default_index)));
  std::uint64_t least = 0;
  double seconds = 0;
  for (std::size_t run = 0; run < kRunsOfDefault; ++run) {
    if (least > 0 && seconds >= kSecondsOfDefault) break;
    const Stopwatch whole(seconds);
    std::uint64_t elapsed_ns = 0;
    VYRE_TRY_VOID(run_afresh(*standard, first_, &elapsed_ns));
    if (run > 0 && (least == 0 || elapsed_ns < least)) least = elapsed_ns;
  }
  return static_cast<double>(least);
}

Expected<double> ProblemRunner::time_in_a_row(Ready& ready) {
  std::vector<RunClock::Run> runs;
  double seconds = 0;
  // Every other sample has one run less: a kernel that is wrong in every second or fourth run is
  // then wrong at the end of some sample.
  const std::size_t most = RunClock::kRuns - rows_++ % 2;
  while (clock_.wants_more(runs, seconds, most)) {
    const Stopwatch whole(seconds);
    VYRE_TRY_VOID(restore(ready, first_));
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
