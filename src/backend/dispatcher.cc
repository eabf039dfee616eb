#include <algorithm>
#include <mutex>
#include <new>
#include <string>

#include "backend/plan.h"
#include "base/error.h"
#include "ir/ops.h"
#include "vyre/dispatch.h"

namespace vyre::backend {
namespace {

constexpr std::size_t kMostPrepared = 32;

// Everything about a call that decides its plan: equal calls need no planning again.
struct CallShape {
  ir::Sequence sequence;  // keeps the identity taken
  Config config;
  std::vector<std::pair<std::string, std::uint64_t>> arguments;
  std::vector<std::size_t> input_bytes;
  std::optional<Extent> grid;
  std::optional<Extent> workgroup;

  CallShape(const ir::Sequence& s, const Call& call)
      : sequence(s),
        config(call.config == nullptr ? Config() : *call.config),
        grid(call.grid),
        workgroup(call.workgroup) {
    for (const Argument& a : call.arguments) arguments.emplace_back(a.name, a.bits);
    for (const Input& i : call.inputs) input_bytes.push_back(i.size());
  }

  bool fits(const ir::Sequence& s, const Call& call) const {
    const bool same_config = call.config == nullptr ? config.empty() : config == *call.config;
    return s.identity() == sequence.identity() && same_config && grid == call.grid &&
           workgroup == call.workgroup &&
           std::ranges::equal(call.arguments, arguments,
                              [](const Argument& a, const auto& b) {
                                return a.name == b.first && a.bits == b.second;
                              }) &&
           std::ranges::equal(call.inputs, input_bytes, {}, &Input::size);
  }
};

// A call with its kernels compiled and its buffers allocated.
struct Prepared {
  CallShape shape;
  Plan plan;
  std::vector<std::unique_ptr<Buffer>> buffers;
  std::vector<std::shared_ptr<Kernel>> kernels;  // per step
  std::vector<std::vector<Buffer*>> bound;       // per step
  std::vector<std::vector<Buffer*>> zeroed;      // per step: what its program declares as `write`
  std::uint64_t last_used = 0;
};

class DeviceDispatcher final : public Dispatcher {
 public:
  explicit DeviceDispatcher(std::shared_ptr<Device> device) : device_(std::move(device)) {}

  using Dispatcher::dispatch;
  Expected<void> dispatch(const ir::Sequence& sequence, const Call& call,
                          Outputs& outputs) override {
    const std::lock_guard lock(mutex_);
    try {
      VYRE_TRY(Prepared * prepared, find_or_prepare(sequence, call));
      VYRE_TRY_VOID(write_inputs(*prepared, call));
      VYRE_TRY_VOID(run(*prepared));
      return read_outputs(*prepared, outputs);
    } catch (const std::bad_alloc&) {
      return backend_error("out of memory while dispatching \"{}\"; use smaller inputs",
                           sequence.def().name);
    }
  }

 private:
  Expected<Prepared*> find_or_prepare(const ir::Sequence& sequence, const Call& call) {
    for (const auto& p : prepared_) {
      if (!p->shape.fits(sequence, call)) continue;
      p->last_used = ++clock_;
      return p.get();
    }
    VYRE_TRY(auto fresh, prepare(sequence, call));
    if (prepared_.size() == kMostPrepared) {
      prepared_.erase(std::ranges::min_element(prepared_, {}, &last_use));
    }
    fresh->last_used = ++clock_;
    prepared_.push_back(std::move(fresh));
    return prepared_.back().get();
  }

  static std::uint64_t last_use(const std::unique_ptr<Prepared>& p) { return p->last_used; }

  Expected<std::unique_ptr<Prepared>> prepare(const ir::Sequence& sequence, const Call& call) {
    VYRE_TRY(Plan plan, make_plan(sequence, call, device_->info().limits));
    auto out = std::make_unique<Prepared>(
        Prepared{CallShape(sequence, call), std::move(plan), {}, {}, {}, {}});
    const ir::SequenceDef& def = sequence.def();
    for (std::size_t k = 0; k < def.buffers.size(); ++k) {
      const std::uint64_t bytes = out->plan.lengths[k] * ir::element_bytes(def.buffers[k]);
      VYRE_TRY(auto buffer, device_->allocate(bytes));
      out->buffers.push_back(std::move(buffer));
    }
    for (std::size_t k = 0; k < def.steps.size(); ++k) {
      const StepPlan& step = out->plan.steps[k];
      VYRE_TRY(auto kernel, find_or_compile(sequence, step, *out));
      out->kernels.push_back(std::move(kernel));
      std::vector<Buffer*>& bound = out->bound.emplace_back();
      for (const std::uint32_t b : def.steps[k].buffers) bound.push_back(out->buffers[b].get());
      out->zeroed.push_back(written_anew(def.programs[step.program], bound));
    }
    return out;
  }

  // The same kernel serves all shapes.
  Expected<std::shared_ptr<Kernel>> find_or_compile(const ir::Sequence& sequence,
                                                    const StepPlan& step, const Prepared& fresh) {
    const auto find_in = [&](const Prepared& p) -> std::shared_ptr<Kernel> {
      if (p.shape.sequence.identity() != sequence.identity()) return nullptr;
      for (std::size_t k = 0; k < p.kernels.size(); ++k) {
        const StepPlan& other = p.plan.steps[k];
        if (other.program == step.program && other.specialisation == step.specialisation) {
          return p.kernels[k];
        }
      }
      return nullptr;
    };
    if (auto kernel = find_in(fresh)) return kernel;
    for (const auto& p : prepared_) {
      if (auto kernel = find_in(*p)) return kernel;
    }
    return device_->compile(sequence, step.program, step.specialisation);
  }

  static std::vector<Buffer*> written_anew(const ir::Program& program,
                                           std::span<Buffer* const> bound) {
    std::vector<Buffer*> out;
    std::size_t next = 0;
    for (const ir::Buffer& b : program.buffers) {
      if (!ir::is_bound(b.access)) continue;
      if (b.access == ir::Access::write) out.push_back(bound[next]);
      ++next;
    }
    return out;
  }

  static Expected<void> write_inputs(const Prepared& p, const Call& call) {
    std::size_t next = 0;
    const ir::SequenceDef& def = p.shape.sequence.def();
    for (std::size_t k = 0; k < def.buffers.size(); ++k) {
      if (ir::takes_input(def.buffers[k].access)) {
        VYRE_TRY_VOID(p.buffers[k]->write(0, call.inputs[next++]));
      } else {
        VYRE_TRY_VOID(p.buffers[k]->fill_zero());
      }
    }
    return {};
  }

  Expected<void> run(const Prepared& p) {
    const ir::SequenceDef& def = p.shape.sequence.def();
    const auto steps = static_cast<std::uint32_t>(def.steps.size());
    if (!def.repeat) return run_steps(p, 0, steps);
    const ir::Repeat& repeat = *def.repeat;
    VYRE_TRY_VOID(run_steps(p, 0, repeat.first));
    for (std::uint32_t round = 0; round < repeat.limit; ++round) {
      VYRE_TRY_VOID(run_steps(p, repeat.first, repeat.last));
      std::array<std::byte, 4> flag{};
      VYRE_TRY_VOID(p.buffers[repeat.until]->read(0, flag));
      if (flag != std::array<std::byte, 4>{}) break;
    }
    return run_steps(p, repeat.last, steps);
  }

  Expected<void> run_steps(const Prepared& p, std::uint32_t first, std::uint32_t last) {
    for (std::uint32_t k = first; k < last; ++k) {
      const StepPlan& step = p.plan.steps[k];
      for (Buffer* buffer : p.zeroed[k]) VYRE_TRY_VOID(buffer->fill_zero());
      VYRE_TRY_VOID(p.kernels[k]->launch(
          {.buffers = p.bound[k], .symbols = step.symbols, .groups = step.groups}));
    }
    return device_->finish();
  }

  static Expected<void> read_outputs(const Prepared& p, Outputs& outputs) {
    const ir::SequenceDef& def = p.shape.sequence.def();
    std::size_t next = 0;
    for (std::size_t k = 0; k < def.buffers.size(); ++k) {
      if (!ir::gives_output(def.buffers[k].access)) continue;
      if (outputs.size() <= next) outputs.emplace_back();
      outputs[next].resize(p.buffers[k]->size());
      VYRE_TRY_VOID(p.buffers[k]->read(0, outputs[next]));
      ++next;
    }
    outputs.resize(next);
    return {};
  }

  std::shared_ptr<Device> device_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<Prepared>> prepared_;
  std::uint64_t clock_ = 0;
};

}  // namespace

Expected<Outputs> Dispatcher::dispatch(const ir::Sequence& sequence, const Call& call) {
  Outputs outputs;
  VYRE_TRY_VOID(dispatch(sequence, call, outputs));
  return outputs;
}

std::unique_ptr<Dispatcher> make_dispatcher(std::shared_ptr<Device> device) {
  return std::make_unique<DeviceDispatcher>(std::move(device));
}

}  // namespace vyre::backend
