// ProblemRunner: configurations of one problem, compiled, checked and timed on one device.
//
// The in-process evaluator and the worker process are both built on it. A configuration that
// misbehaves is a Status; an error means that the problem or the caller is at fault. The last few
// compiled configurations are kept for the next call.

#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "tune/run_clock.h"
#include "tune/trial_data.h"
#include "vyre/problem.h"
#include "vyre/substrate/search.h"

namespace vyre {

class ProblemRunner {
 public:
  // Compiled, with buffers, at a time; those used longest ago are given up. Those in a race
  // alternate; more than a few at once would only hold memory.
  static constexpr std::size_t kMostReady = 7;

  // Of the problem's space only the default configuration is used.
  ProblemRunner(std::shared_ptr<Device> device, const Problem& problem);

  // Runs the default configuration. The other outputs are compared with its output, unless the
  // problem has a reference. `verify` calls this if there is no reference yet.
  Expected<void> make_reference();
  // Null: there is none yet.
  const Reference* reference() const { return has_reference_ ? &first_.reference : nullptr; }
  void set_reference(Reference reference);

  Expected<Status> compile(const Config& config);
  // Runs once and compares the output. Some drivers compile the better part at the first launch.
  Expected<Status> verify(const Config& config);
  Expected<Status> admit(const Config& config);  // both
  // Runs once, then times a few runs in a row, as RunClock does: caches, threads and clocks are
  // then as in an application that launches again and again. A single run where that takes long.
  // What the last run leaves is compared, unless the outputs are large. A finalist's output is
  // always compared, behind the first run too; and once it is run many times, each run compared, on
  // second inputs (trial_data.h) where the default has run on them before.
  Expected<Result> sample(const Config& config, bool is_finalist = false);

  // What one run of a configuration leaves. Nothing is compared.
  Expected<Outputs> outputs_of(const Config& config);

  // From now on the default runs behind every sample, if it is short: Result::default_ms.
  void compare_speed() { compares_speed_ = true; }
  // What the compiler made of a configuration. Compiles it if it is not at hand.
  Expected<std::vector<KernelFacts>> facts(const Config& config);

  // Called when a run is launched that may take as long as any: the first of a configuration, when
  // all that there is to compile is compiled, and those beside a sample.
  void on_launch(std::function<void()> call) { on_launch_ = std::move(call); }

  // Of the last call that gave a status which is not ok, for people.
  const std::string& why() const { return why_; }
  // Whether the last check found memory damaged beside a buffer: then other memory may be too.
  bool has_damage() const { return has_damage_; }
  // Spent on compiling and running kernels so far. All other time is the tuner's own.
  double kernel_seconds() const { return kernel_seconds_; }

 private:
  struct Ready {  // on first_, unless a function that lends it other data is under way
    Config config;
    std::unique_ptr<backend::OwnedCall> call;
    bool has_run = false;  // since its inputs were written
  };

  const std::string& output_name(std::size_t place) const;  // of the buffer
  Expected<Status> status_of(const Error& error);
  Expected<Result> failure(const Error& error);
  Expected<Status> check(const Ready& ready, const TrialData& data);
  Expected<Status> check_inputs(const Ready& ready, const TrialData& data);
  Expected<Status> confirm(const Config& config);
  Expected<Status> confirm_on_second(Ready& ready);
  Expected<Status> run_often(Ready& ready, const TrialData& data);
  Expected<Result> time_runs(Ready& ready, bool is_finalist, bool is_new);
  Expected<Ready*> ready(const Config& config);
  Expected<std::unique_ptr<backend::OwnedCall>> make(const Config& config);
  // Everything is as at the first run, whatever ran before.
  Expected<void> run_afresh(Ready& ready, const TrialData& data,
                            std::uint64_t* elapsed_ns = nullptr, bool announces = false);
  Expected<void> restore(Ready& ready, const TrialData& data);
  Expected<bool> is_repeatable(Ready& standard, std::uint64_t elapsed_ns);
  bool is_confirmed(const Config& config) const;
  // After a run: more of them. Each starts from the same inputs.
  Expected<double> time_in_a_row(Ready& ready);  // in ns, of one
  bool has_short_default() const;
  // The least of one or two runs of the default behind an untimed one, in ns.
  Expected<double> time_default();

  std::function<void()> on_launch_;

  std::shared_ptr<Device> device_;
  Problem problem_;
  TrialData first_;
  std::optional<TrialData> second_;
  bool has_reference_ = false;
  bool has_damage_ = false;
  bool compares_speed_ = false;
  std::string why_;
  Outputs outputs_;
  std::vector<Config> confirmed_;
  std::size_t rows_ = 0;     // of timed runs, so far
  std::deque<Ready> ready_;  // the one used longest ago first
  RunClock clock_;
  double kernel_seconds_ = 0;
};

}  // namespace vyre
