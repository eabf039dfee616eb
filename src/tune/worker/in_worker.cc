#include "tune/worker/in_worker.h"

#include <chrono>
#include <deque>
#include <set>
#include <thread>

#include "base/error.h"
#include "tune/problem_runner.h"
#include "tune/worker/compile_pool.h"

namespace vyre {
namespace worker {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kMostCompilers =
    4;  // larger batches would cost the search more than it gains

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

double seconds_of(std::chrono::milliseconds time) {
  return std::chrono::duration<double>(time).count();
}

class InWorker final : public Evaluator {
 public:
  InWorker(const InWorkerOptions& options, const DeviceInfo& device, const Problem& problem,
           FileDescriptor job)
      : options_(options),
        device_(fingerprint(device)),
        compiles_apart_(device.shares_host_cores),
        name_(problem.name),
        space_(problem.space),
        default_index_(problem.default_index),
        job_(std::move(job)),
        pool_({.start = [this] { return start(); },
               .compile_seconds = seconds_of(options.device_options.build_limit),
               .rehearse_seconds = device.shares_host_cores ? seconds_of(options.run_limit) : 0},
              compilers()) {}

  Expected<void> begin() { return ensure_worker(); }

  std::size_t ahead() const override { return std::max<std::size_t>(1, pool_.processes()); }

  void announce(std::span<const std::uint64_t> indices) override {
    if (pool_.processes() == 0) return;
    const auto start = Clock::now();
    for (const std::uint64_t index : indices) pool_.add(index, space_.config_at(index));
    if (compiles_apart_) pool_.wait_for_all();
    kernel_seconds_ += seconds_since(start);
  }

  Expected<Status> prepare(std::uint64_t index) override {
    const auto start = Clock::now();
    pool_.wait_for(index);
    kernel_seconds_ += seconds_since(start);
    if (const auto failure = pool_.failure_of(index)) return *failure;
    VYRE_TRY(const Result result, ask(Task::rehearse, index));
    return result.status;
  }

  Expected<Status> verify(std::uint64_t index) override {
    VYRE_TRY(const Result result, ask(Task::verify, index));
    return result.status;
  }

  Expected<Result> sample(std::uint64_t index) override { return ask(Task::sample, index); }

  double now_seconds() const override { return seconds_since(start_); }
  double kernel_seconds() const override { return kernel_seconds_; }

 private:
  // Without a store what they compile would be lost with them.
  std::size_t compilers() const {
    if (options_.device_options.binary_store.empty()) return 0;
    const std::size_t cores = std::max(1U, std::thread::hardware_concurrency());
    return std::min<std::size_t>(options_.compilers.value_or(static_cast<std::uint32_t>(cores)),
                                 kMostCompilers);
  }

  Expected<Process> start() const {
    VYRE_TRY(Process process, Process::start(options_.executable, job_.get()));
    VYRE_TRY_VOID(process.greet(device_));
    return process;
  }

  // A fresh worker knows what the default configuration gives before it sees any other.
  Expected<void> ensure_worker() {
    if (process_) return {};
    VYRE_TRY(process_, start());
    seen_ = {};
    recent_ = {};
    // As any other it may take so long to compile, and so long to run.
    const Config standard = space_.config_at(default_index_);
    auto begun =
        process_->ask({Task::compile, standard}, seconds_of(options_.device_options.build_limit));
    if (begun && !begun->error) {
      kernel_seconds_ += begun->kernel_seconds;
      begun = process_->ask({Task::begin, {}}, seconds_of(options_.run_limit));
    }
    if (begun && !begun->error) {
      kernel_seconds_ += begun->kernel_seconds;
      return {};
    }
    process_.reset();
    return rejected("{}: the default configuration ({}) does not run: {}", name_,
                    to_string(space_.config_at(default_index_)),
                    begun ? begun->error->message : begun.error().what);
  }

  // A worker that dies, or whose device is lost, may have been damaged by an earlier candidate: the
  // one at hand is to blame if it fails in a fresh one.
  Expected<Result> ask(Task task, std::uint64_t index) {
    for (;;) {
      VYRE_TRY_VOID(ensure_worker());
      seen_.insert(index);
      const bool is_alone = seen_.size() == 1;
      auto reply = is_ready(index) ? exchange(task, index) : exchange_first(task, index);
      if (reply && (is_alone || reply->result.status != Status::runtime)) {
        return take(*std::move(reply));
      }
      process_.reset();
      if (reply) continue;
      if (reply.error().silence == Silence::timed_out) return Result{Status::timeout, 0};
      if (is_alone) return Result{Status::runtime, 0};
    }
  }

  // Whether the worker has it compiled, as far as is known here; from now on it has.
  bool is_ready(std::uint64_t index) {
    const auto erased = std::erase(recent_, index);
    recent_.push_back(index);
    // One place less than it has: the default may take one without being asked for.
    if (recent_.size() == ProblemRunner::kMostReady) recent_.pop_front();
    return erased > 0;
  }

  // Compiling has a time limit of its own.
  std::expected<Reply, NoReply> exchange_first(Task task, std::uint64_t index) {
    auto compiled = exchange(Task::compile, index);
    if (!compiled || compiled->error || compiled->result.status != Status::ok) return compiled;
    kernel_seconds_ += compiled->kernel_seconds;
    return exchange(task, index);
  }

  std::expected<Reply, NoReply> exchange(Task task, std::uint64_t index) {
    const auto start = Clock::now();
    auto reply =
        process_->ask({task, space_.config_at(index)},
                      seconds_of(task == Task::compile ? options_.device_options.build_limit
                                                       : options_.run_limit));
    if (!reply) kernel_seconds_ += seconds_since(start);
    return reply;
  }

  Expected<Result> take(Reply reply) {
    kernel_seconds_ += reply.kernel_seconds;
    if (reply.error) return std::unexpected(*std::move(reply.error));
    // Its context or its memory may be lost: the next candidate gets a fresh one.
    if (reply.has_damage || reply.result.status == Status::runtime) process_.reset();
    return reply.result;
  }

  InWorkerOptions options_;
  std::string device_;
  bool compiles_apart_;  // never while something is measured: both use the same cores
  std::string name_;
  space::Space space_;
  std::uint64_t default_index_;
  FileDescriptor job_;
  CompilePool pool_;
  std::optional<Process> process_;
  std::set<std::uint64_t> seen_;      // by the process
  std::deque<std::uint64_t> recent_;  // of those, the last few
  double kernel_seconds_ = 0;
  Clock::time_point start_ = Clock::now();
};

}  // namespace
}  // namespace worker

Expected<std::unique_ptr<Evaluator>> evaluate_in_worker(const InWorkerOptions& options,
                                                        const DeviceInfo& device,
                                                        const Problem& problem) {
  VYRE_TRY(FileDescriptor job, worker::write_job({.device = options.device,
                                                  .options = options.device_options,
                                                  .memory_limit = options.memory_limit,
                                                  .problem = problem}));
  auto out = std::make_unique<worker::InWorker>(options, device, problem, std::move(job));
  VYRE_TRY_VOID(out->begin());
  return out;
}

}  // namespace vyre
