#include "tune/worker/workers.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>

#include "base/error.h"
#include "tune/default_code.h"
#include "tune/exceeded_limit.h"
#include "tune/worker/blame.h"
#include "tune/worker/crew.h"
#include "tune/worker/work_queue.h"

namespace vyre {
namespace worker {
namespace {

class Workers final : public DeviceEvaluator {
 public:
  Workers(const InWorkersOptions& options, const DeviceInfo& device, const Problem& problem,
          FileDescriptor job, FileDescriptor reference, ConfigOf config_of)
      : name_(problem.name),
        config_of_(std::move(config_of)),
        default_index_(problem.default_index),
        crew_(options, device, problem, std::move(job), std::move(reference)) {}

  Expected<void> begin() {
    for (Member& member : members()) VYRE_TRY_VOID(crew_.ensure_process(member));
    return {};
  }

  std::size_t workers() const override { return crew_.members().size(); }
  bool is_disturbed_by_caller() const override { return crew_.shares_cores(); }
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
          std::ranges::any_of(members(), [](const Member& m) { return !m.is_idle(); });
      if (!answers_.empty()) continue;
      if (!is_busy && queue_.is_empty()) return std::nullopt;
      if (now_seconds() >= until) return std::nullopt;
      VYRE_TRY_VOID(wait(until));
    }
  }

  void give_up() override {
    queue_.clear();
    answers_.clear();
    for (Member& member : members()) {
      if (member.is_idle()) continue;
      if (&member == reference_maker_) reference_maker_ = nullptr;
      member.work.reset();
      member.forget_process();
    }
    crew_.let_go();
  }

  // The worker that has compiled it last still has it; any other takes it from the binary store or
  // compiles it again.
  std::vector<KernelFacts> facts(std::uint64_t index) override {
    give_up();
    const auto has_it = [&](const Member& m) { return m.has_greeted && m.has_compiled(index); };
    auto member = std::ranges::find_if(members(), has_it);
    if (member == members().end()) member = members().begin();
    auto reply = crew_.answer_now(*member, Task::facts, config_of_(index));
    return reply ? std::move(reply->kernels) : std::vector<KernelFacts>();
  }

  double now_seconds() const override { return crew_.now_seconds(); }
  double kernel_seconds() const override { return kernel_seconds_; }

 private:
  std::vector<Member>& members() { return crew_.members(); }

  // ---- Who does what

  Member* timing() {
    const auto found = std::ranges::find_if(
        members(), [](const Member& m) { return m.work && is_timed(*m.work); });
    return found == members().end() ? nullptr : &*found;
  }

  Expected<void> hand_out() {
    if (timing() == nullptr) {
      if (const auto next = queue_.take_timed()) VYRE_TRY_VOID(assign(*next));
    }
    const bool is_timing = timing() != nullptr;
    if (!is_timing) {
      crew_.let_go();
      VYRE_TRY_VOID(go_on_verifying());
    }
    if (is_timing && crew_.shares_cores()) return {};
    while (const auto next = queue_.take_admit()) VYRE_TRY_VOID(assign(*next));
    return {};
  }

  Expected<void> assign(const Assignment& next) {
    Member& member = *next.member;
    VYRE_TRY_VOID(crew_.ensure_process(member));
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
    VYRE_TRY_VOID(crew_.hold_others(member));
    return send(member, member.work->step == Step::sample ? Task::sample : Task::race, index);
  }

  // Nothing else runs on a device of its own while a run is timed there.
  bool is_quiet() { return crew_.shares_cores() || timing() == nullptr; }

  Expected<void> go_on_verifying() {
    for (Member& member : members()) VYRE_TRY_VOID(proceed(member));
    return {};
  }

  Expected<void> send(Member& member, Task task, std::uint64_t index) {
    if (crew_.send(member, task, config_of_(index))) return {};
    return lost(member, member.process->how_it_ended());
  }

  // ---- Waiting, and what comes

  // What is done about one of them may change another.
  Expected<void> wait(double until) {
    VYRE_TRY(const auto watched, crew_.wait(until));
    for (const Crew::Watched& one : watched) {
      Member& member = *one.member;
      if (!member.is_active()) continue;
      if (one.has_message) {
        VYRE_TRY_VOID(member.has_greeted ? take_reply(member) : greet(member));
      } else if (crew_.is_late(member)) {
        VYRE_TRY_VOID(timed_out(member));
      } else if (crew_.takes_too_much(member)) {
        VYRE_TRY_VOID(grown_too_large(member));
      }
    }
    return {};
  }

  Expected<void> greet(Member& member) {
    VYRE_TRY(const bool is_up, crew_.greet(member));
    if (!is_up) return {};
    if (member.work) member.began = now_seconds();
    member.launched = 0;
    return proceed(member);
  }

  Expected<void> take_reply(Member& member) {
    auto reply = Crew::receive(member);
    if (!reply) return lost(member, reply.error().what);
    if (reply->is_launched) {
      member.build_left = 0;
      member.launched = now_seconds();
      member.deadline = member.launched + crew_.run_limit();
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
      return compiled(member, member.work->index);
    }
    answer(member, reply->result, std::move(reply->why));
    return reply->has_damage ? crew_.start_anew(member) : Expected<void>();
  }

  Expected<void> take_reference(Member& member, Task task, Reply reply) {
    if (reply.error) {
      const bool is_rejected = reply.error->kind == ErrorKind::rejected;
      reply.result.status = is_rejected ? Status::compile : Status::runtime;
      reply.why = reply.error->message;
    }
    if (reply.result.status != Status::ok) {
      const bool may_be_machines = reply.error ? reply.error->kind == ErrorKind::backend
                                               : !is_own_failure(reply.result.status, reply.why);
      if (may_be_machines && ++member.failures < kFailuresToBlame) return crew_.start_anew(member);
      return no_reference(member, reply.result.status, reply.why);
    }
    if (task == Task::begin) {
      has_reference_ = true;
      reference_maker_ = nullptr;
      return go_on_verifying();
    }
    return compiled(member, default_index_);
  }

  // A first run may go on compiling, with what is left of the time.
  Expected<void> compiled(Member& member, std::uint64_t index) {
    const double limit = member.compiling_since + crew_.build_limit();
    member.build_left = std::max(0.0, limit - now_seconds());
    member.note_compiled(index);
    return proceed(member);
  }

  std::unexpected<Error> no_reference(Member& member, Status status, const std::string& why) {
    reference_maker_ = nullptr;
    member.forget_process();
    return fail(ErrorKind::rejected, default_code(status),
                "{}: the default configuration ({}) does not run: {}", name_,
                to_string(config_of_(default_index_)), why);
  }

  // ---- Failures that may be the machine's (blame.h)

  // The process has gone.
  Expected<void> lost(Member& member, const std::string& how) {
    if (&member == reference_maker_) {
      if (++member.failures < kFailuresToBlame) return crew_.start_anew(member);
      return no_reference(member, Status::runtime, how);
    }
    if (member.suspected) return take_probe(member, Status::runtime, how);
    return failed(member, {.status = Status::runtime}, how);
  }

  Expected<void> timed_out(Member& member) {
    if (!member.has_greeted) return backend_error("vyre-worker does not come up: no answer");
    const bool has_compiled = !is_compiling(member);
    std::string why =
        to_string(!has_compiled ? ExceededLimit{ExceededLimit::Kind::build, crew_.build_limit()}
                                : ExceededLimit{ExceededLimit::Kind::run, crew_.run_limit()});
    if (&member == reference_maker_) {
      auto error = no_reference(member, Status::timeout, why);
      if (!has_compiled) error.error().code = kBuildLimitCode;
      return error;
    }
    if (member.suspected) return take_probe(member, Status::timeout, why);
    return failed(member, {.status = Status::timeout}, std::move(why));
  }

  // What a compiler takes for a kernel is the same on any day.
  Expected<void> grown_too_large(Member& member) {
    std::string why =
        fmt::format("compiling took more than {} MiB of memory", crew_.build_memory() >> 20U);
    if (&member == reference_maker_) {
      auto error = no_reference(member, Status::compile, why);
      error.error().code = kBuildMemoryCode;
      return error;
    }
    if (member.suspected) return take_probe(member, Status::runtime, why);
    answer(member, {.status = Status::compile}, std::move(why));
    return crew_.start_anew(member);
  }

  // The first time the same work is done in a fresh process, where it is alone; then it is found
  // out whether the machine is in order.
  Expected<void> failed(Member& member, const Result& result, std::string why) {
    if (++member.failures == kFailuresToBlame) member.suspected = {result, std::move(why)};
    return crew_.start_anew(member);
  }

  // A process that makes a probe may be killed by chance, too.
  Expected<void> take_probe(Member& member, Status status, const std::string& why) {
    if (status == Status::ok) {
      Suspected found = *std::exchange(member.suspected, std::nullopt);
      answer(member, found.result, std::move(found.why));
      return {};
    }
    if (++member.failed_probes < kFailuresToBlame) return crew_.start_anew(member);
    return backend_error(
        "{}: neither a small kernel nor the default runs any more ({}): see whether disk or memory "
        "is full or something kills processes, then run it again",
        name_, why);
  }

  void answer(Member& member, Result result, std::string why) {
    const Work work = *std::exchange(member.work, std::nullopt);
    member.task.reset();
    const double now = now_seconds();
    (is_timed(work) ? result.run_seconds : result.compile_seconds) = now - member.began;
    if (!is_timed(work) && member.launched > 0) result.verify_seconds = now - member.launched;
    answers_.push_back({.work = work, .result = result, .why = std::move(why), .seconds = now});
  }

  std::string name_;
  ConfigOf config_of_;
  std::uint64_t default_index_;
  Crew crew_;
  Member* reference_maker_ = nullptr;
  bool has_reference_ = false;
  WorkQueue queue_{members()};
  std::deque<Answer> answers_;  // not yet told
  double kernel_seconds_ = 0;
};

}  // namespace
}  // namespace worker

bool is_stop(const Error& error) { return error.code == worker::kStopped; }

Expected<std::unique_ptr<DeviceEvaluator>> evaluate_in_workers(const InWorkersOptions& options,
                                                               const DeviceInfo& device,
                                                               const Problem& problem,
                                                               ConfigOf config_of) {
  if (!config_of) config_of = configs_of(problem.space);
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
                                               std::move(reference), std::move(config_of));
  VYRE_TRY_VOID(out->begin());
  return out;
}

}  // namespace vyre
