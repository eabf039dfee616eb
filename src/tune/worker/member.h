// Member: one worker process and what it is busy with.

#pragma once

#include <deque>
#include <optional>
#include <string>

#include "tune/worker/process.h"

namespace vyre::worker {

// A failure that counts if the machine is in order.
struct Suspected {
  Result result = {};
  std::string why = {};
};

struct Member {
  std::optional<Process> process = {};
  bool has_greeted = false;
  std::optional<Work> work = {};      // at hand
  std::optional<Task> task = {};      // of it, sent and not answered
  double began = 0;                   // with the work; later by as long as it was held
  double launched = 0;                // its first run, all being compiled; 0: not yet
  double deadline = 0;                // of the greeting or of the task
  double compiling_since = 0;         // as `began`
  double build_left = 0;              // seconds that its work may still take to compile
  std::uint64_t resident_before = 0;  // bytes, when it began to compile
  std::optional<double> held_at = {};
  std::deque<std::uint64_t> recent = {};  // configurations that it has compiled, as far as is known
  std::uint32_t failures = 0;             // of the work at hand, which may be the machine's
  std::optional<Suspected> suspected = {};  // while it is found out whether they are
  std::uint32_t failed_probes = 0;
  std::uint32_t false_starts = 0;  // processes in a row that ended before they greeted

  bool is_idle() const { return !work; }
  // Something goes on there, or will as soon as it is up.
  bool is_active() const { return process && (!has_greeted || task); }

  bool has_compiled(std::uint64_t index) const;
  void note_compiled(std::uint64_t index);
  void take_up(const Work& given, double now);
  // The process and all that it knew is gone.
  void forget_process();

  // Neither time limits nor costs go on meanwhile. False: it does not stand still.
  bool hold(double now);
  void go_on(double now);
};

}  // namespace vyre::worker
