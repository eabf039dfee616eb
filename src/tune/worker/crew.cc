#include "tune/worker/crew.h"

#include <poll.h>

#include <algorithm>
#include <cmath>
#include <thread>

#include "base/error.h"
#include "base/memory.h"
#include "tune/problem_call.h"

namespace vyre::worker {
namespace {

constexpr std::uint32_t kMostWorkers = 4;  // each has its own copy of all inputs
constexpr double kMessageSeconds = 10;     // for the rest of a message that has begun
constexpr double kWaitSeconds = 0.1;       // how often the caller is asked whether to go on
constexpr std::uint64_t kCopies = 4;  // of a candidate's buffers that a worker may make meanwhile
constexpr std::uint32_t kMostFalseStarts = 3;

double seconds_of(std::chrono::milliseconds time) {
  return std::chrono::duration<double>(time).count();
}

std::size_t workers_of(const InWorkersOptions& options) {
  const std::uint32_t cores = std::max(1U, std::thread::hardware_concurrency());
  return std::clamp(options.workers.value_or(std::min(cores, kMostWorkers)), 1U, 64U);
}

int poll_for(std::vector<pollfd>& sockets, double seconds) {
  const double left_ms = std::ceil(std::clamp(1000 * seconds, 0.0, 1e6));
  return ::poll(sockets.data(), sockets.size(), static_cast<int>(left_ms));
}

}  // namespace

bool is_compiling(const Member& member) { return member.task && member.build_left > 0; }

Crew::Crew(const InWorkersOptions& options, const DeviceInfo& device, const Problem& problem,
           FileDescriptor job, FileDescriptor reference)
    : options_(options),
      device_(fingerprint(device)),
      shares_cores_(device.shares_host_cores),
      most_growth_(saturating_sum(
          options.build_memory, saturating_product(kCopies, buffer_bytes(problem, device.limits)))),
      job_(std::move(job)),
      reference_(std::move(reference)),
      members_(workers_of(options)) {}

double Crew::build_limit() const { return seconds_of(options_.device_options.build_limit); }
double Crew::run_limit() const { return seconds_of(options_.run_limit); }

// ---- Processes

Expected<void> Crew::ensure_process(Member& member) {
  if (member.process) return {};
  VYRE_TRY(member.process, Process::start(options_.executable, job_.get(), reference_.get()));
  member.has_greeted = false;
  member.deadline = now_seconds() + Process::kStartSeconds;
  return {};
}

Expected<void> Crew::start_anew(Member& member) {
  member.forget_process();
  return ensure_process(member);
}

Expected<bool> Crew::greet(Member& member) {
  if (const auto greeted = member.process->greet(device_); !greeted) {
    const bool has_died = greeted.error().code == Process::kNotUp;
    if (!has_died || ++member.false_starts == kMostFalseStarts) {
      return std::unexpected(greeted.error());
    }
    VYRE_TRY_VOID(start_anew(member));
    return false;
  }
  member.false_starts = 0;
  member.has_greeted = true;
  return true;
}

bool Crew::send(Member& member, Task task, const Config& config) {
  if (task == Task::compile || task == Task::probe || task == Task::facts) {
    member.build_left = build_limit();
    member.compiling_since = now_seconds();
    member.resident_before = member.process->resident_bytes();
  }
  // Until the worker says that a first run is launched, it may still compile.
  const bool runs = task != Task::compile && task != Task::facts;
  member.task = task;
  member.deadline = now_seconds() + member.build_left + (runs ? run_limit() : 0);
  return member.process->send({task, config});
}

std::expected<Reply, NoReply> Crew::receive(Member& member) {
  return member.process->receive(kMessageSeconds);
}

// ---- Holding

Expected<void> Crew::hold_others(const Member& timed) {
  if (!shares_cores_) return {};
  for (Member& member : members_) {
    if (&member == &timed || !member.is_active() || member.held_at) continue;
    if (member.hold(now_seconds())) continue;
    // It cannot be made to stand still: what it does is begun again in another process.
    VYRE_TRY_VOID(start_anew(member));
    member.hold(now_seconds());
  }
  return {};
}

void Crew::let_go() {
  for (Member& member : members_) {
    if (member.process) member.go_on(now_seconds());
  }
}

// ---- Waiting

bool Crew::asks_to_stop() const { return options_.on_wait && !options_.on_wait(now_seconds()); }

Expected<std::vector<Crew::Watched>> Crew::wait(double until) {
  if (asks_to_stop()) {
    return fail(ErrorKind::backend, kStopped, "the campaign was asked to stop");
  }
  std::vector<pollfd> sockets;
  std::vector<Watched> watched;
  double deadline = until;
  for (Member& member : members_) {
    if (!member.is_active()) continue;
    sockets.push_back({member.process->socket(), POLLIN, 0});
    watched.push_back({.member = &member});
    if (!member.held_at) deadline = std::min(deadline, member.deadline);
  }
  if (options_.on_wait || std::ranges::any_of(members_, is_compiling)) {
    deadline = std::min(deadline, now_seconds() + kWaitSeconds);
  }
  poll_for(sockets, deadline - now_seconds());
  for (std::size_t k = 0; k < watched.size(); ++k) {
    watched[k].has_message = sockets[k].revents != 0;
  }
  return watched;
}

bool Crew::is_late(const Member& member) const {
  return !member.held_at && now_seconds() >= member.deadline;
}

bool Crew::takes_too_much(const Member& member) const {
  return options_.build_memory != 0 && is_compiling(member) &&
         member.process->resident_bytes() > saturating_sum(member.resident_before, most_growth_);
}

// ---- One answer, with nothing else under way

// Waits for a message in small steps, within the member's time limit.
bool Crew::has_message_in_time(const Member& member) const {
  while (!is_late(member) && !takes_too_much(member) && !asks_to_stop()) {
    std::vector<pollfd> socket{{member.process->socket(), POLLIN, 0}};
    if (poll_for(socket, std::min(kWaitSeconds, member.deadline - now_seconds())) > 0) return true;
  }
  return false;
}

bool Crew::comes_up(Member& member) {
  if (!ensure_process(member)) return false;
  while (!member.has_greeted) {
    if (!has_message_in_time(member) || !greet(member)) return false;
  }
  return true;
}

std::optional<Reply> Crew::answer_now(Member& member, Task task, const Config& config) {
  if (comes_up(member) && send(member, task, config) && has_message_in_time(member)) {
    auto reply = receive(member);
    member.task.reset();
    if (reply && !reply->error) return *std::move(reply);
  }
  member.forget_process();
  return std::nullopt;
}

}  // namespace vyre::worker
