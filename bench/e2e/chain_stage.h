// ChainStage: a chain on one device, with memory for all its buffers and with every kernel once.
//
// All configurations run in the same memory, one after the other, so hundreds of them can be ready
// at once, and nothing is allocated or compiled between two runs. Belongs to one thread.

#pragma once

#include <memory>
#include <vector>

#include "backend/bound_call.h"
#include "base/error.h"
#include "ir/ops.h"
#include "tune/problem_call.h"
#include "vyre/problem.h"

namespace vyre {

class ChainStage {
 public:
  static Expected<ChainStage> make(std::shared_ptr<Device> device, Problem problem) {
    ChainStage out(std::move(device), std::move(problem));
    VYRE_TRY_VOID(place(out.problem_, *out.slots_));
    const Config untuned = out.problem_.space.config_at(out.problem_.default_index);
    VYRE_TRY(const backend::Plan plan, out.plan_of(untuned));
    const auto& buffers = out.problem_.sequence.def().buffers;
    for (std::size_t k = 0; k < buffers.size(); ++k) {
      VYRE_TRY(auto memory, out.device_->allocate(plan.lengths[k] * ir::element_bytes(buffers[k])));
      out.memory_.push_back({.buffer = memory.get(), .is_callers = false});
      out.buffers_.push_back(std::move(memory));
    }
    VYRE_TRY_VOID(out.restore());
    return out;
  }

  const Problem& problem() const { return problem_; }
  const std::shared_ptr<Device>& device() const { return device_; }

  // Inputs as they were, everything else as zeros.
  Expected<void> restore() {
    const auto inputs = inputs_of(problem_);
    const auto& buffers = problem_.sequence.def().buffers;
    std::size_t next = 0;
    for (std::size_t k = 0; k < buffers.size(); ++k) {
      VYRE_TRY_VOID(ir::takes_input(buffers[k].access)
                        ? buffers_[k]->write(0, inputs[next++])
                        : buffers_[k]->fill_zero(buffers_[k]->size()));
    }
    return device_->finish();
  }

  // Compiles what is not compiled yet.
  Expected<std::shared_ptr<const backend::BoundCall>> bind(const Config& config) {
    VYRE_TRY(backend::Plan plan, plan_of(config));
    const auto kernels = [&](const backend::StepPlan& step) { return kernel_of(step); };
    return backend::BoundCall::make(device_, problem_.sequence, std::move(plan), kernels);
  }

  // Waits until it is over.
  Expected<void> run(const backend::BoundCall& call, Timer* timer = nullptr) {
    VYRE_TRY_VOID(call.run(memory_, slots_->symbols.view(), timer));
    return device_->finish();
  }

  // On the device's clock, fills with zeros included.
  Expected<double> run_ms(const backend::BoundCall& call) {
    VYRE_TRY(const auto timer, device_->make_timer());
    VYRE_TRY_VOID(run(call, timer.get()));
    VYRE_TRY(const std::uint64_t elapsed_ns, timer->elapsed_ns());
    return static_cast<double>(elapsed_ns) / 1e6;
  }

  Expected<Outputs> outputs() const {
    Outputs out;
    const auto& buffers = problem_.sequence.def().buffers;
    for (std::size_t k = 0; k < buffers.size(); ++k) {
      if (!ir::gives_output(buffers[k].access)) continue;
      VYRE_TRY_VOID(buffers_[k]->read(0, out.emplace_back(buffers_[k]->size())));
    }
    return out;
  }

 private:
  struct Compiled {
    std::uint32_t program = 0;
    Specialisation specialisation;
    std::shared_ptr<Kernel> kernel;
  };

  ChainStage(std::shared_ptr<Device> device, Problem problem)
      : device_(std::move(device)),
        problem_(std::move(problem)),
        slots_(std::make_unique<backend::Slots>(problem_.sequence)) {}

  Expected<backend::Plan> plan_of(const Config& config) const {
    return backend::make_plan(problem_.sequence, *slots_, options_for(config),
                              device_->info().limits);
  }

  Expected<std::shared_ptr<Kernel>> kernel_of(const backend::StepPlan& step) {
    for (const Compiled& one : compiled_) {
      if (one.program == step.program && one.specialisation == step.specialisation) {
        return one.kernel;
      }
    }
    VYRE_TRY(auto kernel, device_->compile(problem_.sequence, step.program, step.specialisation));
    compiled_.push_back({step.program, step.specialisation, kernel});
    return kernel;
  }

  std::shared_ptr<Device> device_;
  Problem problem_;
  std::unique_ptr<backend::Slots> slots_;
  std::vector<std::unique_ptr<Buffer>> buffers_;
  std::vector<backend::BoundCall::Memory> memory_;
  std::vector<Compiled> compiled_;
};

}  // namespace vyre
