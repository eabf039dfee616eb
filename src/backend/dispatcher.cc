#include <algorithm>
#include <mutex>
#include <new>
#include <string>

#include "backend/prepared.h"
#include "base/error.h"
#include "vyre/call.h"

namespace vyre {
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

struct KnownCall {
  CallShape shape;
  std::unique_ptr<backend::Prepared> prepared;
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
      VYRE_TRY(backend::Prepared * prepared, find_or_prepare(sequence, call));
      VYRE_TRY_VOID(prepared->write_inputs(call.inputs));
      VYRE_TRY_VOID(prepared->run());
      return prepared->read_outputs(outputs);
    } catch (const std::bad_alloc&) {
      return backend_error("out of memory while dispatching \"{}\"; use smaller inputs",
                           sequence.def().name);
    }
  }

 private:
  Expected<backend::Prepared*> find_or_prepare(const ir::Sequence& sequence, const Call& call) {
    for (KnownCall& k : known_) {
      if (!k.shape.fits(sequence, call)) continue;
      k.last_used = ++clock_;
      return k.prepared.get();
    }
    // The same kernel serves all shapes, and equal programs of other sequences.
    const auto find_kernel = [&](const backend::StepPlan& step) -> std::shared_ptr<Kernel> {
      const ir::Program& program = sequence.def().programs[step.program];
      for (const KnownCall& k : known_) {
        const bool same_sequence = k.shape.sequence.identity() == sequence.identity();
        auto kernel = same_sequence ? k.prepared->find_kernel(step)
                                    : k.prepared->find_kernel(program, step.specialisation);
        if (kernel != nullptr) return kernel;
      }
      return nullptr;
    };
    VYRE_TRY(auto fresh,
             backend::Prepared::make(device_, sequence, call, {.find_kernel = find_kernel}));
    if (known_.size() == kMostPrepared) {
      known_.erase(std::ranges::min_element(known_, {}, &KnownCall::last_used));
    }
    known_.push_back({CallShape(sequence, call), std::move(fresh), ++clock_});
    return known_.back().prepared.get();
  }

  std::shared_ptr<Device> device_;
  std::mutex mutex_;
  std::vector<KnownCall> known_;
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

}  // namespace vyre
