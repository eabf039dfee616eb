// CompilePool: processes that compile configurations ahead of their turn, into the binary store.
//
// Nothing runs in the background of this process: requests go out when they are added, and replies
// are taken when the campaign waits. A configuration that a worker could not compile (it crashed,
// the store is full) is not compiled ahead; the worker that measures it compiles it again and
// reports.

#pragma once

#include <chrono>
#include <deque>
#include <functional>
#include <map>
#include <optional>

#include "tune/worker/process.h"

namespace vyre::worker {

class CompilePool {
 public:
  struct Options {
    std::function<Expected<Process>()> start;  // a worker that has greeted
    double compile_seconds = 0;                // at most
    double rehearse_seconds = 0;               // at most; 0: what is compiled is not run here
  };

  CompilePool(Options options, std::size_t processes)
      : options_(std::move(options)), members_(processes) {}

  std::size_t processes() const { return members_.size(); }

  void add(std::uint64_t index, Config config);
  // Until it is compiled, has failed, or was never added.
  void wait_for(std::uint64_t index);
  void wait_for_all();

  // Why the configuration will never run, if that is known.
  std::optional<Status> failure_of(std::uint64_t index) const;

 private:
  using Clock = std::chrono::steady_clock;
  struct Work {
    std::uint64_t index = 0;
    Config config = {};
  };
  struct Member {
    std::optional<Process> process = {};
    std::optional<Work> work = {};  // what it is busy with
    Task task = Task::compile;
    Clock::time_point deadline = {};
  };

  bool is_open(std::uint64_t index) const;
  bool is_busy() const;
  void hand_out();
  void take_replies();
  void take_reply(Member& member);
  void set_task(Member& member, Task task) const;
  void go_on(Member& member);

  Options options_;
  std::vector<Member> members_;
  std::deque<Work> waiting_;
  std::map<std::uint64_t, Status> failures_;
};

}  // namespace vyre::worker
