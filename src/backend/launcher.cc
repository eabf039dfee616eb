#include "backend/launcher.h"

#include <new>

#include "base/error.h"
#include "base/small_array.h"
#include "ir/ops.h"

namespace vyre::backend {

// Memory for one run: the caller's where it is on the device, else borrowed from the pool.
class Launcher::Loan {
 public:
  Loan(MemoryPool& pool, const BoundCall& bound)
      : pool_(pool),
        bound_(bound),
        buffers_(bound.sequence().def().buffers),
        memory_(buffers_.size()),
        borrowed_(buffers_.size()) {}
  Loan(const Loan&) = delete;
  Loan& operator=(const Loan&) = delete;
  ~Loan() {
    for (auto& buffer : borrowed_) {
      if (buffer != nullptr) pool_.give(std::move(buffer));
    }
  }

  Expected<void> take(const Slots& slots) {
    for (std::size_t k = 0; k < buffers_.size(); ++k) {
      const Place& place = slots.buffers[k];
      memory_[k] = {place.device, place.device != nullptr};
      if (!bound_.has_memory(k)) continue;
      if (place.device == nullptr) VYRE_TRY_VOID(borrow(k));
      if (bound_.starts_as_zeros(k)) {
        VYRE_TRY_VOID(memory_[k].buffer->fill_zero(bound_.bytes_of(k)));
      }
      if (place.from != nullptr) {
        VYRE_TRY_VOID(memory_[k].buffer->write(0, {place.from, bound_.bytes_of(k)}));
      }
    }
    return {};
  }

  Expected<void> read_back(const Slots& slots) const {
    std::size_t next = 0;
    for (std::size_t k = 0; k < buffers_.size(); ++k) {
      if (!ir::gives_output(buffers_[k].access)) continue;
      std::byte* to = slots.buffers[k].to;
      if (slots.outputs != nullptr) {
        Outputs& outputs = *slots.outputs;
        if (outputs.size() == next) outputs.emplace_back();
        outputs[next].resize(bound_.bytes_of(k));
        to = outputs[next++].data();
      }
      if (to != nullptr) VYRE_TRY_VOID(memory_[k].buffer->read(0, {to, bound_.bytes_of(k)}));
    }
    if (slots.outputs != nullptr) slots.outputs->resize(next);
    return {};
  }

  std::span<const BoundCall::Memory> memory() const { return memory_.view(); }

 private:
  Expected<void> borrow(std::size_t buffer) {
    VYRE_TRY(borrowed_[buffer], pool_.take(bound_.bytes_of(buffer)));
    memory_[buffer].buffer = borrowed_[buffer].get();
    return {};
  }

  MemoryPool& pool_;
  const BoundCall& bound_;
  const std::vector<ir::Buffer>& buffers_;
  SmallArray<BoundCall::Memory, 12> memory_;
  SmallArray<std::unique_ptr<Buffer>, 12> borrowed_;
};

Expected<std::shared_ptr<const BoundCall>> Launcher::bind(const ir::Sequence& sequence,
                                                          const Slots& slots,
                                                          const CallOptions& options) {
  VYRE_TRY_VOID(check_process());
  VYRE_TRY(Plan plan, make_plan(sequence, slots, options, device_->info().limits));
  return BoundCall::make(device_, sequence, std::move(plan), [&](const StepPlan& step) {
    return kernels_.find_or_compile(sequence, step.program, step.specialisation);
  });
}

Expected<std::shared_ptr<const BoundCall>> Launcher::find_or_bind(const ir::Sequence& sequence,
                                                                  const Slots& slots,
                                                                  const CallOptions& options) {
  VYRE_TRY_VOID(check_process());
  const CallKey key(sequence, slots, options);
  if (auto known = calls_.find(key)) return known;
  VYRE_TRY(auto bound, bind(sequence, slots, options));
  calls_.insert(key, sequence, bound);
  return bound;
}

Expected<void> Launcher::run(const BoundCall& bound, const Slots& slots) {
  VYRE_TRY_VOID(check_process());
  try {
    Loan loan(pool_, bound);
    VYRE_TRY_VOID(loan.take(slots));
    VYRE_TRY_VOID(bound.run(loan.memory(), slots.symbols.view()));
    if (!slots.is_on_host) return {};
    VYRE_TRY_VOID(device_->finish());
    return loan.read_back(slots);
  } catch (const std::bad_alloc&) {
    return backend_error("out of memory while dispatching \"{}\"; use smaller inputs",
                         bound.sequence().def().name);
  }
}

Expected<void> Launcher::finish() {
  VYRE_TRY_VOID(check_process());
  return device_->finish();
}

Expected<void> Launcher::check_process() const {
  if (!is_in_child()) return {};
  return backend_error(
      "this process was forked from the one that opened the device; open a device of its own in "
      "the "
      "child, or fork before the first is opened");
}

}  // namespace vyre::backend
