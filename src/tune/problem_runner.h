// ProblemRunner: configurations of one problem, compiled, checked and timed on one device.
//
// The in-process evaluator and the worker process are both built on it. A configuration that
// misbehaves is a Status; an error means that the problem or the caller is at fault. The last few
// compiled configurations are kept for the next call.

#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <vector>

#include "backend/owned_call.h"
#include "tune/run_clock.h"
#include "vyre/problem.h"
#include "vyre/substrate/search.h"

namespace vyre {

class ProblemRunner {
 public:
  // Compiled, with buffers, at a time; those used longest ago are given up. Those in a race
  // alternate; more than a few at once would only hold memory.
  static constexpr std::size_t kMostReady = 6;

  // Of the problem's space only the default configuration is used.
  ProblemRunner(std::shared_ptr<Device> device, const Problem& problem);

  // Runs the default configuration. The other outputs are compared with its output, unless the
  // problem has a reference. `verify` calls this if there is no reference yet.
  Expected<void> make_reference();
  // Null: there is none yet.
  const Outputs* reference() const { return has_reference_ ? &reference_ : nullptr; }
  void set_reference(Outputs reference);

  Expected<Status> compile(const Config& config);
  // Runs once and compares the output. Some drivers compile the better part at the first launch.
  Expected<Status> verify(const Config& config);
  Expected<Status> admit(const Config& config);  // both
  // Runs, with `checks` compares the output, then times a few runs in a row, as RunClock does:
  // caches, threads and clocks are then as in an application that launches again and again. A
  // single run where that takes long.
  Expected<Result> sample(const Config& config, bool checks = false);

  // Called when the first run of a configuration is launched, and all that there is to compile is
  // compiled.
  void on_first_launch(std::function<void()> call) { on_first_launch_ = std::move(call); }

  // Of the last call that gave a status which is not ok, for people.
  const std::string& why() const { return why_; }
  // Whether the last check found memory damaged behind a buffer: then other memory may be too.
  bool has_damage() const { return has_damage_; }
  // Spent on compiling and running kernels so far. All other time is the tuner's own.
  double kernel_seconds() const { return kernel_seconds_; }

 private:
  struct Ready {
    Config config;
    std::unique_ptr<backend::OwnedCall> call;
    bool has_run = false;  // since its inputs were written
  };

  Expected<Status> status_of(const Error& error);
  Expected<Status> check(Ready& ready);
  Expected<Ready*> ready(const Config& config);
  Expected<std::unique_ptr<backend::OwnedCall>> make(const Config& config);
  // Everything is as at the first run, whatever ran before.
  Expected<void> run_afresh(Ready& ready, std::uint64_t* elapsed_ns = nullptr);
  Expected<void> restore(Ready& ready);
  // After a run: more of them. Each starts from the same inputs.
  Expected<double> time_in_a_row(Ready& ready);  // in ns, of one

  std::function<void()> on_first_launch_;

  std::shared_ptr<Device> device_;
  Problem problem_;
  std::vector<backend::InputContent> inputs_;
  bool has_reference_ = false;
  bool has_damage_ = false;
  std::string why_;
  Outputs reference_;
  Outputs outputs_;
  std::deque<Ready> ready_;  // the one used longest ago first
  RunClock clock_;
  double kernel_seconds_ = 0;
};

}  // namespace vyre
