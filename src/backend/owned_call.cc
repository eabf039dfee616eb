#include "backend/owned_call.h"

#include <algorithm>
#include <cstring>

#include "base/error.h"
#include "base/text.h"
#include "ir/ops.h"

namespace vyre::backend {
namespace {

constexpr std::size_t kChunk = std::size_t{1} << 20U;

bool has_source(const ir::Program& program) { return program.source.has_value(); }

// Chunk by chunk: neither is copied as a whole.
Expected<bool> is_same(const Buffer& buffer, const InputContent& content, std::size_t bytes) {
  std::vector<std::byte> found(std::min(kChunk, bytes));
  std::vector<std::byte> wanted(content.device != nullptr ? found.size() : 0);
  for (std::size_t at = 0; at < bytes; at += found.size()) {
    found.resize(std::min(kChunk, bytes - at));
    VYRE_TRY_VOID(buffer.read(at, found));
    const std::byte* other = wanted.data();
    if (content.device != nullptr) {
      VYRE_TRY_VOID(content.device->read(at, std::span(wanted).first(found.size())));
    } else {
      other = content.host.data() + at;
    }
    if (std::memcmp(found.data(), other, found.size()) != 0) return false;
  }
  return true;
}

}  // namespace

Expected<std::unique_ptr<OwnedCall>> OwnedCall::make(std::shared_ptr<Device> device,
                                                     const ir::Sequence& sequence,
                                                     const Slots& slots, const CallOptions& options,
                                                     const OwnedCallOptions& how) {
  VYRE_TRY(Plan plan, make_plan(sequence, slots, options, device->info().limits));
  // Steps of one program share its kernel.
  std::vector<std::pair<const StepPlan*, std::shared_ptr<Kernel>>> compiled;
  const auto kernels = [&](const StepPlan& step) -> Expected<std::shared_ptr<Kernel>> {
    for (const auto& [other, kernel] : compiled) {
      if (other->program == step.program && other->specialisation == step.specialisation) {
        return kernel;
      }
    }
    VYRE_TRY(auto kernel, device->compile(sequence, step.program, step.specialisation));
    compiled.emplace_back(&step, kernel);
    return kernel;
  };
  VYRE_TRY(auto bound, BoundCall::make(device, sequence, std::move(plan), kernels));
  std::unique_ptr<OwnedCall> out(new OwnedCall(std::move(device), std::move(bound)));
  const auto symbols = slots.symbols.view();
  out->symbols_.assign(symbols.begin(), symbols.end());
  VYRE_TRY_VOID(out->allocate(how));
  return out;
}

Expected<std::unique_ptr<OwnedCall>> OwnedCall::make(std::shared_ptr<Device> device,
                                                     const ir::Sequence& sequence, const Call& call,
                                                     const OwnedCallOptions& how) {
  Slots slots(sequence);
  VYRE_TRY_VOID(place(sequence, call, nullptr, slots));
  return make(std::move(device), sequence, slots, options_of(call), how);
}

// Programs of the language cannot write outside a buffer, and the interpreter takes a buffer's
// length from its memory: gaps are for source programs only.
Expected<void> OwnedCall::allocate(const OwnedCallOptions& how) {
  const std::size_t count = def().buffers.size();
  const bool all_have_source = std::ranges::all_of(def().programs, has_source);
  if (all_have_source && how.gap_bytes > 0 && Arena::is_possible(device_->info())) {
    std::vector<std::size_t> sizes;
    for (std::size_t k = 0; k < count; ++k) sizes.push_back(bound_->bytes_of(k));
    VYRE_TRY(arena_, Arena::make(*device_, sizes, how.gap_bytes));
    buffers_ = arena_->buffers();
  }
  const bool shares =
      how.shares_with != nullptr && std::ranges::none_of(def().programs, has_source);
  for (std::size_t k = 0; k < count; ++k) {
    const std::size_t bytes = bound_->bytes_of(k);
    is_shared_.push_back(shares && def().buffers[k].access == ir::Access::read &&
                         how.shares_with->buffers_[k]->size() == bytes);
    if (is_shared_[k]) {
      buffers_.push_back(how.shares_with->buffers_[k]);
    } else if (!arena_ && !bound_->has_memory(k)) {
      buffers_.push_back(nullptr);
    } else if (!arena_) {
      VYRE_TRY(buffers_.emplace_back(), device_->allocate(bytes));
    }
    memory_.push_back({buffers_[k].get()});
    as_left_.push_back({.buffer = buffers_[k].get(), .is_callers = true});
  }
  return {};
}

Expected<void> OwnedCall::write_inputs(std::span<const InputContent> inputs) {
  VYRE_TRY_VOID(write(inputs, Which::not_shared));
  return arena_ ? arena_->mark() : Expected<void>();
}

Expected<void> OwnedCall::replace_inputs(std::span<const InputContent> inputs) {
  return write(inputs, Which::all);
}

Expected<void> OwnedCall::restore_inputs(std::span<const InputContent> inputs) {
  return write(inputs, Which::changed);
}

bool OwnedCall::changes_inputs() const {
  for (std::size_t k = 0; k < def().buffers.size(); ++k) {
    if (def().buffers[k].access == ir::Access::read_write || bound_->starts_as_zeros(k))
      return true;
  }
  return false;
}

Expected<void> OwnedCall::write(std::span<const InputContent> inputs, Which which) {
  std::size_t next = 0;
  for (std::size_t k = 0; k < def().buffers.size(); ++k) {
    const ir::Access access = def().buffers[k].access;
    if (ir::takes_input(access)) {
      const InputContent& input = inputs[next++];
      if (which != Which::all && is_shared_[k]) continue;
      if (which == Which::changed && !ir::gives_output(access)) continue;
      VYRE_TRY_VOID(input.device != nullptr
                        ? buffers_[k]->copy_from(*input.device, bound_->bytes_of(k))
                        : buffers_[k]->write(0, input.host));
    } else if (bound_->starts_as_zeros(k)) {
      VYRE_TRY_VOID(buffers_[k]->fill_zero(bound_->bytes_of(k)));
    }
  }
  return {};
}

Expected<std::optional<std::string>> OwnedCall::damaged_gap() const {
  if (!arena_) return std::nullopt;
  VYRE_TRY(const auto damage, arena_->find_damage());
  if (!damage) return std::nullopt;
  return (damage->is_before ? "before the beginning of " : "behind the end of ") +
         def().buffers[damage->buffer].name;
}

Expected<std::optional<std::string>> OwnedCall::changed_input(
    std::span<const InputContent> inputs) const {
  if (std::ranges::none_of(def().programs, has_source)) return std::nullopt;
  std::size_t next = 0;
  for (std::size_t k = 0; k < def().buffers.size(); ++k) {
    if (!ir::takes_input(def().buffers[k].access)) continue;
    const InputContent& input = inputs[next++];
    if (ir::gives_output(def().buffers[k].access)) continue;
    VYRE_TRY(const bool is_kept, is_same(*buffers_[k], input, bound_->bytes_of(k)));
    if (!is_kept) return def().buffers[k].name;
  }
  return std::nullopt;
}

Expected<void> OwnedCall::run(std::uint64_t* elapsed_ns, const std::function<void()>& on_launched) {
  return run(memory_, elapsed_ns, on_launched);
}

Expected<void> OwnedCall::run_again(std::uint64_t* elapsed_ns) {
  return run(as_left_, elapsed_ns, {});
}

Expected<void> OwnedCall::run(std::span<const BoundCall::Memory> memory, std::uint64_t* elapsed_ns,
                              const std::function<void()>& on_launched) {
  std::unique_ptr<Timer> timer;
  if (elapsed_ns != nullptr || on_launched) {
    VYRE_TRY(timer, device_->make_timer());
  }
  Expected<void> begun;
  const auto wait = [&] {
    begun = timer->wait_until_begun();
    on_launched();
  };
  VYRE_TRY_VOID(bound_->run(memory, symbols_, timer.get(),
                            on_launched ? std::function<void()>(wait) : std::function<void()>()));
  VYRE_TRY_VOID(begun);
  VYRE_TRY_VOID(device_->finish());
  if (elapsed_ns != nullptr) {
    VYRE_TRY(*elapsed_ns, timer->elapsed_ns());
  }
  return {};
}

Expected<void> OwnedCall::read_outputs(Outputs& outputs) const {
  std::size_t next = 0;
  for (std::size_t k = 0; k < def().buffers.size(); ++k) {
    if (!ir::gives_output(def().buffers[k].access)) continue;
    if (outputs.size() <= next) outputs.emplace_back();
    outputs[next].resize(bound_->bytes_of(k));
    VYRE_TRY_VOID(buffers_[k]->read(0, outputs[next]));
    ++next;
  }
  outputs.resize(next);
  return {};
}

}  // namespace vyre::backend
