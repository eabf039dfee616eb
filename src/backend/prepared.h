// Prepared: a sequence with its kernels compiled and its buffers on the device, for one shape and
// one configuration. What a dispatch runs, and what is measured again and again.
//
// Belongs to one thread at a time.

#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "backend/plan.h"
#include "vyre/call.h"

namespace vyre::backend {

class Prepared;

struct PrepareOptions {
  // Where a kernel that is compiled already may be found; null if it is not.
  std::function<std::shared_ptr<Kernel>(const StepPlan& step)> find_kernel{};
  // Behind every buffer that a source program writes: so many bytes that it must leave alone.
  std::size_t canary_bytes = 0;
  // Of the same sequence, on the same device, with the same inputs written: what both only read is
  // not written again. Null: there is none. Source programs may write what they do not declare, and
  // share nothing.
  const Prepared* shares_with = nullptr;
};

class Prepared {
 public:
  // Compiles and allocates; writes nothing. Of `call`, the inputs' sizes count, not their bytes.
  static Expected<std::unique_ptr<Prepared>> make(std::shared_ptr<Device> device,
                                                  const ir::Sequence& sequence, const Call& call,
                                                  const PrepareOptions& options = {});

  // Inputs to the device, everything else to zeros.
  Expected<void> write_inputs(std::span<const Input> inputs);

  // The same after a run, as far as the run can have changed anything: what is only read is left as
  // it is.
  Expected<void> restore_inputs(std::span<const Input> inputs);
  // Whether there is any such thing: an input that is written, or what must start as zeros.
  bool changes_inputs() const;

  // All steps, and waits for them. `elapsed_ns`: what the device's clock says, kernels only.
  Expected<void> run(std::uint64_t* elapsed_ns = nullptr);

  // `outputs` is resized to fit.
  Expected<void> read_outputs(Outputs& outputs) const;

  // Whether all canaries are as they were; the name of the first buffer behind which one is not.
  Expected<std::optional<std::string>> damaged_canary() const;

  const ir::Sequence& sequence() const { return sequence_; }
  // The kernel of a step that was compiled for the same program and specialisation.
  std::shared_ptr<Kernel> find_kernel(const StepPlan& step) const;
  // The same for a program of another sequence.
  std::shared_ptr<Kernel> find_kernel(const ir::Program& program,
                                      const Specialisation& specialisation) const;

 private:
  struct Step {
    std::shared_ptr<Kernel> kernel;
    std::vector<Buffer*> bound;
    std::vector<std::uint32_t> zeroed;  // buffers that its program declares as `write`
  };

  Prepared(std::shared_ptr<Device> device, const ir::Sequence& sequence, Plan plan)
      : device_(std::move(device)), sequence_(sequence), plan_(std::move(plan)) {}

  Expected<void> write(std::span<const Input> inputs, bool only_changed);
  Expected<void> allocate(const PrepareOptions& options);
  Expected<void> compile(const PrepareOptions& options);
  Expected<void> run_steps(std::uint32_t first, std::uint32_t last);
  Expected<void> write_canaries();
  std::size_t bytes_of(std::size_t buffer) const;

  std::shared_ptr<Device> device_;
  ir::Sequence sequence_;
  Plan plan_;
  std::vector<std::shared_ptr<Buffer>> buffers_;
  std::vector<bool> is_shared_;        // per buffer: written already, and only read
  std::vector<bool> starts_as_zeros_;  // per buffer: nothing writes or clears it before it is used
  std::vector<Step> steps_;
  std::size_t canary_bytes_ = 0;
  bool timed_ = false;
  std::vector<std::uint64_t> elapsed_ns_;  // of the launches since the last finish
  std::uint64_t total_ns_ = 0;
};

}  // namespace vyre::backend
