// Member: one worker process and what it is busy with.

#pragma once

#include <deque>
#include <optional>
#include <set>

#include "tune/worker/process.h"

namespace vyre::worker {

struct Member {
  std::optional<Process> process = {};
  bool has_greeted = false;
  std::optional<Work> work = {};  // at hand
  std::optional<Task> task = {};  // of it, sent and not answered
  double began = 0;               // with the work; later by as long as it was held
  double deadline = 0;            // of the greeting or of the task
  double compiling_since = 0;     // as `began`
  double build_left = 0;          // seconds that its work may still take to compile
  std::optional<double> held_at = {};
  std::set<std::uint64_t> seen = {};      // configurations, since the process started
  std::deque<std::uint64_t> recent = {};  // of those, which it has compiled, as far as is known

  bool is_idle() const { return !work; }
  // Something goes on there, or will as soon as it is up.
  bool is_active() const { return process && (!has_greeted || task); }

  bool has_compiled(std::uint64_t index) const;
  void note_compiled(std::uint64_t index);
  // The process and all that it knew is gone.
  void forget_process();

  // Neither time limits nor costs go on meanwhile. False: it does not stand still.
  bool hold(double now);
  void go_on(double now);
};

}  // namespace vyre::worker
