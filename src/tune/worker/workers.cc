#include "tune/worker/workers.h"

#include <fmt/format.h>
#include <poll.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <deque>
#include <thread>

#include "base/error.h"
#include "base/memory.h"
#include "tune/exceeded_limit.h"
#include "tune/problem_call.h"
#include "tune/worker/blame.h"
#include "tune/worker/work_queue.h"

namespace vyre {
namespace worker {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::uint32_t kMostWorkers = 4;  // each has its own copy of all inputs
constexpr double kMessageSeconds = 10;     // for the rest of a message that has begun
constexpr double kWaitSeconds = 0.1;       // how often the caller is asked whether to go on
constexpr std::uint64_t kCopies = 4;  // of a candidate's buffers that a worker may make meanwhile
constexpr std::uint32_t kMostFalseStarts = 3;
constexpr const char* kStopped = "stopped";

double seconds_of(std::chrono::milliseconds time) {
  return std::chrono::duration<double>(time).count();
}

// Some drivers compile at the first launch, so this ends only when a run has begun.
bool is_compiling(const Member& member) { return member.task && member.build_left > 0; }

class Workers final : public Evaluator {
 public:
  Workers(const InWorkersOptions& options, const DeviceInfo& device, const Problem& problem,
          FileDescriptor job, FileDescriptor reference)
      : options_(options),
        device_(fingerprint(device)),
        shares_cores_(device.shares_host_cores),
        most_growth_(
            saturating_sum(options.build_memory,
                           saturating_product(kCopies, buffer_bytes(problem, device.limits)))),
        name_(problem.name),
        space_(problem.space),
        default_index_(problem.default_index),
        job_(std::move(job)),
        reference_(std::move(reference)),
        members_(count(options)) {}

  Expected<void> begin() {
    for (Member& member : members_) VYRE_TRY_VOID(ensure_process(member));
    return {};
  }

  std::size_t workers() const override { return members_.size(); }
  bool is_disturbed_by_caller() const override { return shares_cores_; }
  bool is_warm() const override { return true; }

  Expected<void> start(const Work& work) override {
    queue_.add(work);
    return hand_out();
  }

  // What is held stays so until it is known whether another run is to be timed.
  Expected<std::optional<Answer>> next(double until) override {
    for (;;) {
      if (!answers_.empty()) {
        Answer answer = std::move(answers_.front());
        answers_.pop_front();
        return answer;
      }
      VYRE_TRY_VOID(hand_out());
      const bool is_busy =
          std::ranges::any_of(members_, [](const Member& m) { return !m.is_idle(); });
      if (!answers_.empty()) continue;
      if (!is_busy && queue_.is_empty()) return std::nullopt;
      if (now_seconds() >= until) return std::nullopt;
      VYRE_TRY_VOID(wait(until));
    }
  }

  void give_up() override {
    queue_.clear();
    answers_.clear();
    for (Member& member : members_) {
      if (member.is_idle()) continue;
      if (&member == reference_maker_) reference_maker_ = nullptr;
      member.work.reset();
      member.forget_process();
    }
    let_go();
  }

  double now_seconds() const override {
    return std::chrono::duration<double>(Clock::now() - start_).count();
  }
  double kernel_seconds() const override { return kernel_seconds_; }

 private:
  static std::size_t count(const InWorkersOptions& options) {
    const std::uint32_t cores = std::max(1U, std::thread::hardware_concurrency());
    return std::clamp(options.workers.value_or(std::min(cores, kMostWorkers)), 1U, 64U);
  }

  double build_limit() const { return seconds_of(options_.device_options.build_limit); }
  double run_limit() const { return seconds_of(options_.run_limit); }

  // ---- Who does what

  Expected<void> ensure_process(Member& member) {
    if (member.process) return {};
    VYRE_TRY(member.process, Process::start(options_.executable, job_.get(), reference_.get()));
    member.has_greeted = false;
    member.deadline = now_seconds() + Process::kStartSeconds;
    return {};
  }

  Member* timing() {
    const auto found =
        std::ranges::find_if(members_, [](const Member& m) { return m.work && is_timed(*m.work); });
    return found == members_.end() ? nullptr : &*found;
  }

  Expected<void> hand_out() {
    if (timing() == nullptr) {
      if (const auto next = queue_.take_timed()) VYRE_TRY_VOID(assign(*next));
    }
    const bool is_timing = timing() != nullptr;
    if (!is_timing) {
      let_go();
      VYRE_TRY_VOID(go_on_verifying());
    }
    if (is_timing && shares_cores_) return {};
    while (const auto next = queue_.take_admit()) VYRE_TRY_VOID(assign(*next));
    return {};
  }

  Expected<void> assign(const Assignment& next) {
    Member& member = *next.member;
    VYRE_TRY_VOID(ensure_process(member));
    member.go_on(now_seconds());  // it may have been held while it started
    member.take_up(next.work, now_seconds());
    return proceed(member);
  }

  // ---- One step further with what a worker has at hand

  Expected<void> proceed(Member& member) {
    if (!member.work || !member.has_greeted || member.task) return {};
    const std::uint64_t index = member.work->index;
    if (!has_reference_ && reference_maker_ == nullptr) reference_maker_ = &member;
    if (!has_reference_ && reference_maker_ == &member) {
      return send(member, member.has_compiled(default_index_) ? Task::begin : Task::compile,
                  default_index_);
    }
    if (member.suspected) {
      const bool has_device = is_quiet() || is_timed(*member.work);
      return has_device ? send(member, Task::probe, default_index_) : Expected<void>();
    }
    if (!member.has_compiled(index)) return send(member, Task::compile, index);
    member.note_compiled(index);
    if (!has_reference_) return {};  // until it is there
    if (!is_timed(*member.work))
      return is_quiet() ? send(member, Task::verify, index) : Expected<void>();
    VYRE_TRY_VOID(hold_others(member));
    return send(member, member.work->step == Step::sample ? Task::sample : Task::race, index);
  }

  // Nothing else runs on a device of its own while a run is timed there.
  bool is_quiet() { return shares_cores_ || timing() == nullptr; }

  Expected<void> go_on_verifying() {
    for (Member& member : members_) VYRE_TRY_VOID(proceed(member));
    return {};
  }

  Expected<void> send(Member& member, Task task, std::uint64_t index) {
    if (task == Task::compile || task == Task::probe) {
      member.build_left = build_limit();
      member.compiling_since = now_seconds();
      member.resident_before = member.process->resident_bytes();
    }
    // Until the worker says that a first run is launched, it may still compile.
    const double limit =
        task == Task::compile ? member.build_left : member.build_left + run_limit();
    member.task = task;
    member.deadline = now_seconds() + limit;
    if (member.process->send({task, space_.config_at(index)})) return {};
    return lost(member, member.process->how_it_ended());
  }

  // ---- Holding

  Expected<void> hold_others(Member& timed) {
    if (!shares_cores_) return {};
    for (Member& member : members_) {
      if (&member == &timed || !member.is_active() || member.held_at) continue;
      if (member.hold(now_seconds())) continue;
      // It cannot be made to stand still: what it does is begun again in another process.
      member.forget_process();
      VYRE_TRY_VOID(ensure_process(member));
      member.hold(now_seconds());
    }
    return {};
  }

  void let_go() {
    for (Member& member : members_) {
      if (member.process) member.go_on(now_seconds());
    }
  }

  // ---- Waiting

  Expected<void> wait(double until) {
    if (options_.on_wait && !options_.on_wait(now_seconds())) {
      return fail(ErrorKind::backend, kStopped, "the campaign was asked to stop");
    }
    std::vector<pollfd> sockets;
    std::vector<Member*> watched;
    double deadline = until;
    for (Member& member : members_) {
      if (!member.is_active()) continue;
      sockets.push_back({member.process->socket(), POLLIN, 0});
      watched.push_back(&member);
      if (!member.held_at) deadline = std::min(deadline, member.deadline);
    }
    if (options_.on_wait || std::ranges::any_of(members_, is_compiling)) {
      deadline = std::min(deadline, now_seconds() + kWaitSeconds);
    }
    const double left_ms = 1000 * std::max(0.0, deadline - now_seconds());
    ::poll(sockets.data(), sockets.size(), static_cast<int>(std::ceil(std::min(left_ms, 1e6))));
    for (std::size_t k = 0; k < watched.size(); ++k) {
      Member& member = *watched[k];
      if (!member.is_active()) continue;
      if (sockets[k].revents != 0) {
        VYRE_TRY_VOID(member.has_greeted ? take_reply(member) : greet(member));
      } else if (!member.held_at && now_seconds() >= member.deadline) {
        VYRE_TRY_VOID(timed_out(member));
      } else if (takes_too_much(member)) {
        VYRE_TRY_VOID(grown_too_large(member));
      }
    }
    return {};
  }

  Expected<void> greet(Member& member) {
    if (const auto greeted = member.process->greet(device_); !greeted) {
      const bool has_died = greeted.error().code == Process::kNotUp;
      if (!has_died || ++member.false_starts == kMostFalseStarts) return greeted;
      return again(member);
    }
    member.false_starts = 0;
    member.has_greeted = true;
    if (member.work) member.began = now_seconds();
    return proceed(member);
  }

  Expected<void> take_reply(Member& member) {
    auto reply = member.process->receive(kMessageSeconds);
    if (!reply) return lost(member, reply.error().what);
    if (reply->is_launched) {
      member.build_left = 0;
      member.deadline = now_seconds() + run_limit();
      return {};
    }
    const Task task = *std::exchange(member.task, std::nullopt);
    if (const auto sound = check_reply(*reply, task); !sound)
      return lost(member, sound.error().message);
    kernel_seconds_ += reply->kernel_seconds;
    if (&member == reference_maker_) return take_reference(member, task, *std::move(reply));
    if (reply->error && reply->error->kind == ErrorKind::bad_inputs) {
      return std::unexpected(*std::move(reply->error));
    }
    if (reply->error) reply->why = reply->error->message;
    const Status status = reply->result.status;
    if (task == Task::probe) return take_probe(member, status, reply->why);
    if (!is_own_failure(status, reply->why) && status != Status::ok) {
      return failed(member, reply->result, std::move(reply->why));
    }
    if (task == Task::compile && status == Status::ok) {
      member.build_left = std::max(0.0, member.compiling_since + build_limit() - now_seconds());
      member.note_compiled(member.work->index);
      return proceed(member);
    }
    answer(member, reply->result, std::move(reply->why));
    return reply->has_damage ? again(member) : Expected<void>();
  }

  Expected<void> take_reference(Member& member, Task task, Reply reply) {
    if (reply.error) {
      reply.result.status = Status::runtime;
      reply.why = reply.error->message;
    }
    if (reply.result.status != Status::ok) {
      const bool may_be_machines = reply.error ? reply.error->kind == ErrorKind::backend
                                               : !is_own_failure(reply.result.status, reply.why);
      if (may_be_machines && ++member.failures < kFailuresToBlame) return again(member);
      return no_reference(member, reply.why);
    }
    if (task == Task::begin) {
      has_reference_ = true;
      reference_maker_ = nullptr;
      return go_on_verifying();
    }
    member.build_left = std::max(0.0, member.compiling_since + build_limit() - now_seconds());
    member.note_compiled(default_index_);
    return proceed(member);
  }

  std::unexpected<Error> no_reference(Member& member, const std::string& why) {
    reference_maker_ = nullptr;
    member.forget_process();
    return rejected("{}: the default configuration ({}) does not run: {}", name_,
                    to_string(space_.config_at(default_index_)), why);
  }

  // ---- Failures that may be the machine's (blame.h)

  // The process has gone.
  Expected<void> lost(Member& member, const std::string& how) {
    if (&member == reference_maker_) {
      if (++member.failures < kFailuresToBlame) return again(member);
      return no_reference(member, how);
    }
    if (member.suspected) return take_probe(member, Status::runtime, how);
    return failed(member, {.status = Status::runtime}, how);
  }

  Expected<void> timed_out(Member& member) {
    if (!member.has_greeted) return backend_error("vyre-worker does not come up: no answer");
    const bool has_compiled = !is_compiling(member);
    std::string why =
        to_string(!has_compiled ? ExceededLimit{ExceededLimit::Kind::build, build_limit()}
                                : ExceededLimit{ExceededLimit::Kind::run, run_limit()});
    if (&member == reference_maker_) {
      auto error = no_reference(member, why);
      if (!has_compiled) error.error().code = kBuildLimitCode;
      return error;
    }
    if (member.suspected) return take_probe(member, Status::timeout, why);
    return failed(member, {.status = Status::timeout}, std::move(why));
  }

  bool takes_too_much(const Member& member) const {
    return options_.build_memory != 0 && is_compiling(member) &&
           member.process->resident_bytes() > saturating_sum(member.resident_before, most_growth_);
  }

  // What a compiler takes for a kernel is the same on any day.
  Expected<void> grown_too_large(Member& member) {
    std::string why =
        fmt::format("compiling took more than {} MiB of memory", options_.build_memory >> 20U);
    if (&member == reference_maker_) {
      auto error = no_reference(member, why);
      error.error().code = kBuildMemoryCode;
      return error;
    }
    if (member.suspected) return take_probe(member, Status::runtime, why);
    answer(member, {.status = Status::compile}, std::move(why));
    return again(member);
  }

  // The first time the same work is done in a fresh process, where it is alone; then it is found
  // out whether the machine is in order.
  Expected<void> failed(Member& member, const Result& result, std::string why) {
    if (++member.failures == kFailuresToBlame) member.suspected = {result, std::move(why)};
    return again(member);
  }

  // A process that makes a probe may be killed by chance, too.
  Expected<void> take_probe(Member& member, Status status, const std::string& why) {
    if (status == Status::ok) {
      Suspected found = *std::exchange(member.suspected, std::nullopt);
      answer(member, found.result, std::move(found.why));
      return {};
    }
    if (++member.failed_probes < kFailuresToBlame) return again(member);
    return backend_error(
        "{}: neither a small kernel nor the default runs any more ({}): see whether disk or memory "
        "is full or something kills processes, then run it again",
        name_, why);
  }

  Expected<void> again(Member& member) {
    member.forget_process();
    return ensure_process(member);
  }

  void answer(Member& member, Result result, std::string why) {
    const Work work = *std::exchange(member.work, std::nullopt);
    member.task.reset();
    const double now = now_seconds();
    (is_timed(work) ? result.run_seconds : result.compile_seconds) = now - member.began;
    answers_.push_back({.work = work, .result = result, .why = std::move(why), .seconds = now});
  }

  InWorkersOptions options_;
  std::string device_;
  bool shares_cores_;
  std::uint64_t most_growth_;  // of a worker that compiles, in bytes
  std::string name_;
  space::Space space_;
  std::uint64_t default_index_;
  FileDescriptor job_;
  FileDescriptor reference_;
  std::vector<Member> members_;  // as many as there ever are: others point to them
  Member* reference_maker_ = nullptr;
  bool has_reference_ = false;
  WorkQueue queue_{members_};
  std::deque<Answer> answers_;  // not yet told
  double kernel_seconds_ = 0;
  Clock::time_point start_ = Clock::now();
};

}  // namespace
}  // namespace worker

bool is_stop(const Error& error) { return error.code == worker::kStopped; }

Expected<std::unique_ptr<Evaluator>> evaluate_in_workers(const InWorkersOptions& options,
                                                         const DeviceInfo& device,
                                                         const Problem& problem) {
  // The limit is kept here, where the worker can be ended: a worker that gives up a compilation by
  // itself still has the compiler running, and its driver may be locked.
  DeviceOptions theirs = options.device_options;
  theirs.build_limit += std::chrono::hours(1);
  VYRE_TRY(FileDescriptor job, worker::write_job({.device = options.device,
                                                  .options = theirs,
                                                  .memory_limit = options.memory_limit,
                                                  .problem = problem}));
  VYRE_TRY(FileDescriptor reference, worker::make_reference_file());
  auto out = std::make_unique<worker::Workers>(options, device, problem, std::move(job),
                                               std::move(reference));
  VYRE_TRY_VOID(out->begin());
  return out;
}

}  // namespace vyre
