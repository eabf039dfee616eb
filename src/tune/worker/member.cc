#include "tune/worker/member.h"

#include <algorithm>

#include "tune/problem_runner.h"

namespace vyre::worker {

bool Member::has_compiled(std::uint64_t index) const {
  return std::ranges::find(recent, index) != recent.end();
}

void Member::note_compiled(std::uint64_t index) {
  std::erase(recent, index);
  recent.push_back(index);
  // One place less than it has: the default may take one without being asked for.
  if (recent.size() == ProblemRunner::kMostReady) recent.pop_front();
}

void Member::take_up(const Work& given, double now) {
  work = given;
  began = now;
  launched = 0;
  build_left = 0;
  failures = 0;
  suspected.reset();
  failed_probes = 0;
}

void Member::forget_process() {
  process.reset();
  has_greeted = false;
  task.reset();
  held_at.reset();
  recent.clear();
}

bool Member::hold(double now) {
  if (held_at) return true;
  held_at = now;
  return process->hold();
}

void Member::go_on(double now) {
  if (!held_at) return;
  const double held = now - *held_at;
  held_at.reset();
  began += held;
  if (launched > 0) launched += held;
  compiling_since += held;
  deadline += held;
  process->go_on();
}

}  // namespace vyre::worker
