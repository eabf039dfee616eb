// Crew: the worker processes of a campaign. It starts them, sends them tasks, holds them, and waits
// until something happens to one of them. What the tasks are for is the caller's business
// (workers.cc).
//
// Belongs to one thread.

#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "tune/worker/member.h"
#include "tune/worker/workers.h"

namespace vyre::worker {

// The Error::code of `wait` when the caller does not want to go on.
inline constexpr const char* kStopped = "stopped";

class Crew {
 public:
  // `job`: from write_job; `reference`: from make_reference_file. Starts nothing yet.
  Crew(const InWorkersOptions& options, const DeviceInfo& device, const Problem& problem,
       FileDescriptor job, FileDescriptor reference);

  // As many as there ever are, at places that stay: others point to them.
  std::vector<Member>& members() { return members_; }
  const std::vector<Member>& members() const { return members_; }
  bool shares_cores() const { return shares_cores_; }

  double now_seconds() const {
    return std::chrono::duration<double>(Clock::now() - start_).count();
  }
  double build_limit() const;  // seconds
  double run_limit() const;    // seconds
  std::uint64_t build_memory() const { return options_.build_memory; }

  // Starts a process for the member if it has none. Does not wait until it is up.
  Expected<void> ensure_process(Member& member);
  // In place of the one that it has.
  Expected<void> start_anew(Member& member);
  // Takes the greeting. False: the process has died and another is started in its place.
  Expected<bool> greet(Member& member);
  // Sets the member's task and its time limit. False: the process has gone.
  bool send(Member& member, Task task, const Config& config);
  // Of a member that has a message.
  static std::expected<Reply, NoReply> receive(Member& member);

  // On a device that shares the host's cores: all members but this one stand still, until let_go.
  Expected<void> hold_others(const Member& timed);
  void let_go();

  struct Watched {
    Member* member = nullptr;
    bool has_message = false;  // or it has ended
  };
  // Returns all that are active when a message has come, a time limit has passed or the clock is at
  // `until`; and several times a second while the caller is to be asked whether to go on. An error
  // with the code kStopped: the caller does not want to go on.
  Expected<std::vector<Watched>> wait(double until);
  bool is_late(const Member& member) const;
  // Whether its compiler takes more memory than it may.
  bool takes_too_much(const Member& member) const;

  // The reply to a task of a member that has nothing else to do. None: it has gone, took longer
  // than its limit, or the caller does not want to go on; the process is given up then.
  std::optional<Reply> answer_now(Member& member, Task task, const Config& config);

 private:
  using Clock = std::chrono::steady_clock;

  bool asks_to_stop() const;
  bool has_message_in_time(const Member& member) const;
  bool comes_up(Member& member);

  InWorkersOptions options_;
  std::string device_;  // fingerprint
  bool shares_cores_;
  std::uint64_t most_growth_;  // of a worker that compiles, in bytes
  FileDescriptor job_;
  FileDescriptor reference_;
  std::vector<Member> members_;
  Clock::time_point start_ = Clock::now();
};

// Some drivers compile at the first launch, so this ends only when a run has begun.
bool is_compiling(const Member& member);

}  // namespace vyre::worker
