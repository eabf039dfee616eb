// BoundCall: a sequence with its plan and its compiled kernels, for one shape and one
// configuration. Only memory and the numbers that decide no size are missing; each run brings them.
//
// Immutable, so any number of threads may run it at once. It keeps its device and its kernels
// alive.

#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "backend/plan.h"

namespace vyre::backend {

// Gives the kernel of a step, compiled or found.
using KernelSource = std::function<Expected<std::shared_ptr<Kernel>>(const StepPlan& step)>;

class BoundCall {
 public:
  static Expected<std::shared_ptr<const BoundCall>> make(std::shared_ptr<Device> device,
                                                         const ir::Sequence& sequence, Plan plan,
                                                         const KernelSource& kernels);

  const ir::Sequence& sequence() const { return sequence_; }
  const Plan& plan() const { return plan_; }
  std::size_t bytes_of(std::size_t buffer) const;
  // False: scratch that no step of the plan binds. A run takes no memory for it.
  bool has_memory(std::size_t buffer) const { return plan_.has_memory[buffer]; }
  // Whether the buffer must be zeros before the first step. The others are inputs, or a step clears
  // or covers them before they are used.
  bool starts_as_zeros(std::size_t buffer) const { return starts_as_zeros_[buffer]; }

  // Memory of one buffer for one run.
  struct Memory {
    Buffer* buffer = nullptr;
    // The caller's own: what a source program's `write` buffer holds is left as it is.
    bool is_callers = false;
  };

  // Enqueues all steps; waits only where the sequence repeats until a flag is set. `memory`: one
  // per buffer of the sequence, null where has_memory says no. `symbols`: as in Slots. Fills with
  // zeros count for the timer, but not those for source programs, which run on memory as the
  // application left it. `on_launched` is called once: when all is enqueued, or before the first
  // wait.
  Expected<void> run(std::span<const Memory> memory,
                     std::span<const std::optional<std::uint64_t>> symbols, Timer* timer = nullptr,
                     const std::function<void()>& on_launched = {}) const;

 private:
  struct Cleared {
    std::uint32_t buffer = 0;
    bool by_source = false;  // the program that declares it as `write` is a source program
  };
  // A symbol of the step's program that takes the value of a symbol of the sequence.
  struct Passed {
    std::uint32_t to = 0;
    std::uint32_t from = 0;
  };
  struct Step {
    std::shared_ptr<Kernel> kernel;
    std::vector<Cleared> cleared;
    std::vector<Passed> passed;
  };
  struct Run;

  BoundCall(std::shared_ptr<Device> device, const ir::Sequence& sequence, Plan plan)
      : device_(std::move(device)), sequence_(sequence), plan_(std::move(plan)) {}

  // Steps are counted as in the plan.
  const ir::Step& declared(std::size_t step) const {
    return sequence_.def().steps[plan_.steps[step].step];
  }
  void find_cleared(std::size_t step);
  void find_passed(std::size_t step);
  void find_starting_zeros();
  std::size_t first_from(std::uint32_t step) const;
  Expected<void> run_steps(const Run& run, std::size_t first, std::size_t last) const;
  Expected<void> run_step(const Run& run, std::size_t step) const;

  std::shared_ptr<Device> device_;
  ir::Sequence sequence_;
  Plan plan_;
  std::vector<Step> steps_;            // those of the plan
  std::vector<bool> starts_as_zeros_;  // by buffer
};

}  // namespace vyre::backend
