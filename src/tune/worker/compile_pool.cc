#include "tune/worker/compile_pool.h"

#include <poll.h>

#include <algorithm>

namespace vyre::worker {

void CompilePool::add(std::uint64_t index, Config config) {
  if (is_open(index) || failures_.contains(index)) return;
  waiting_.push_back({index, std::move(config)});
  hand_out();
}

bool CompilePool::is_open(std::uint64_t index) const {
  return std::ranges::any_of(members_,
                             [&](const Member& m) { return m.work && m.work->index == index; }) ||
         std::ranges::any_of(waiting_, [&](const Work& w) { return w.index == index; });
}

bool CompilePool::is_busy() const {
  return std::ranges::any_of(members_, [](const Member& m) { return m.work.has_value(); });
}

void CompilePool::wait_for(std::uint64_t index) {
  while (is_open(index) && is_busy()) take_replies();
}

void CompilePool::wait_for_all() {
  while (is_busy()) take_replies();
}

std::optional<Status> CompilePool::failure_of(std::uint64_t index) const {
  const auto it = failures_.find(index);
  return it == failures_.end() ? std::nullopt : std::optional(it->second);
}

void CompilePool::hand_out() {
  for (Member& member : members_) {
    if (waiting_.empty()) return;
    if (member.work) continue;
    if (!member.process) {
      auto started = options_.start();
      if (!started) break;
      member.process = *std::move(started);
    }
    member.work = std::move(waiting_.front());
    waiting_.pop_front();
    set_task(member, Task::compile);
  }
  if (!is_busy()) waiting_.clear();  // nobody can be started: nothing is done ahead
}

void CompilePool::set_task(Member& member, Task task) const {
  if (!member.process->send({task, member.work->config})) {
    member.process.reset();
    member.work.reset();
    return;
  }
  const double seconds =
      task == Task::rehearse ? options_.rehearse_seconds : options_.compile_seconds;
  member.task = task;
  member.deadline = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                       std::chrono::duration<double>(seconds));
}

// Compiled; then run once, where that is when the better part is compiled; then forgotten.
void CompilePool::go_on(Member& member) {
  if (member.task == Task::compile && options_.rehearse_seconds > 0) {
    set_task(member, Task::rehearse);
  } else if (member.task != Task::forget) {
    set_task(member, Task::forget);
  } else {
    member.work.reset();
  }
}

// Waits until one has replied or is too late.
void CompilePool::take_replies() {
  std::vector<pollfd> sockets;
  auto first = Clock::time_point::max();
  for (const Member& member : members_) {
    if (!member.work) continue;
    sockets.push_back({member.process->socket(), POLLIN, 0});
    first = std::min(first, member.deadline);
  }
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(first - Clock::now()).count();
  ::poll(sockets.data(), sockets.size(), static_cast<int>(std::clamp<long>(left, 0, 1'000'000)));
  std::size_t k = 0;
  for (Member& member : members_) {
    if (!member.work) continue;
    const bool has_reply = sockets[k++].revents != 0;
    if (has_reply || Clock::now() >= member.deadline) take_reply(member);
  }
  hand_out();
}

void CompilePool::take_reply(Member& member) {
  constexpr double kRestOfMessage = 1;  // seconds
  const double wait = Clock::now() >= member.deadline ? 0 : kRestOfMessage;
  const auto reply = member.process->receive(wait);
  const std::uint64_t index = member.work->index;
  if (reply && !reply->error && reply->result.status == Status::ok) return go_on(member);
  member.work.reset();
  if (!reply && reply.error().silence == Silence::timed_out) failures_[index] = Status::timeout;
  if (reply && !reply->error && reply->result.status == Status::compile) {
    failures_[index] = Status::compile;
  } else {
    member.process.reset();  // whatever it was, the next one gets a fresh process
  }
}

}  // namespace vyre::worker
