#include "backend/prepared.h"

#include <algorithm>
#include <array>

#include "base/error.h"
#include "base/text.h"
#include "ir/ops.h"

namespace vyre::backend {
namespace {

constexpr std::byte kCanary{0xc5};

std::vector<std::uint32_t> declared_write(const ir::Program& program,
                                          std::span<const std::uint32_t> bound) {
  std::vector<std::uint32_t> out;
  std::size_t next = 0;
  for (const ir::Buffer& b : program.buffers) {
    if (!ir::is_bound(b.access)) continue;
    if (b.access == ir::Access::write) out.push_back(bound[next]);
    ++next;
  }
  return out;
}

}  // namespace

Expected<std::unique_ptr<Prepared>> Prepared::make(std::shared_ptr<Device> device,
                                                   const ir::Sequence& sequence, const Call& call,
                                                   const PrepareOptions& options) {
  VYRE_TRY(Plan plan, make_plan(sequence, call, device->info().limits));
  std::unique_ptr<Prepared> out(new Prepared(std::move(device), sequence, std::move(plan)));
  VYRE_TRY_VOID(out->allocate(options));
  VYRE_TRY_VOID(out->compile(options));
  return out;
}

std::size_t Prepared::bytes_of(std::size_t buffer) const {
  return plan_.lengths[buffer] * ir::element_bytes(sequence_.def().buffers[buffer]);
}

// Programs of the language cannot write outside a buffer, and the interpreter takes a buffer's
// length from its memory: canaries are for source programs only.
Expected<void> Prepared::allocate(const PrepareOptions& options) {
  const ir::SequenceDef& def = sequence_.def();
  const auto has_source = [](const ir::Program& p) { return p.source.has_value(); };
  if (std::ranges::all_of(def.programs, has_source)) canary_bytes_ = options.canary_bytes;
  const bool shares =
      options.shares_with != nullptr && std::ranges::none_of(def.programs, has_source);
  for (std::size_t k = 0; k < def.buffers.size(); ++k) {
    const ir::Access access = def.buffers[k].access;
    is_shared_.push_back(shares && access == ir::Access::read &&
                         options.shares_with->buffers_[k]->size() == bytes_of(k));
    starts_as_zeros_.push_back(!ir::takes_input(access));
    if (is_shared_[k]) {
      buffers_.push_back(options.shares_with->buffers_[k]);
      continue;
    }
    const bool guarded = ir::is_writable(access);
    VYRE_TRY(auto buffer, device_->allocate(bytes_of(k) + (guarded ? canary_bytes_ : 0)));
    buffers_.push_back(std::move(buffer));
  }
  return {};
}

Expected<void> Prepared::compile(const PrepareOptions& options) {
  const ir::SequenceDef& def = sequence_.def();
  std::vector<bool> used(buffers_.size(), false);
  for (std::size_t k = 0; k < def.steps.size(); ++k) {
    const StepPlan& plan = plan_.steps[k];
    std::shared_ptr<Kernel> kernel = find_kernel(plan);
    if (kernel == nullptr && options.find_kernel) kernel = options.find_kernel(plan);
    if (kernel == nullptr) {
      VYRE_TRY(kernel, device_->compile(sequence_, plan.program, plan.specialisation));
    }
    Step& step = steps_.emplace_back();
    step.kernel = std::move(kernel);
    for (const std::uint32_t b : def.steps[k].buffers) step.bound.push_back(buffers_[b].get());
    step.zeroed = declared_write(def.programs[plan.program], def.steps[k].buffers);
    for (const std::uint32_t b : def.steps[k].buffers) {
      const bool cleared = std::ranges::find(step.zeroed, b) != step.zeroed.end();
      if (!used[b] && cleared) starts_as_zeros_[b] = false;
      used[b] = true;
    }
  }
  elapsed_ns_.reserve(steps_.size());
  return {};
}

std::shared_ptr<Kernel> Prepared::find_kernel(const StepPlan& step) const {
  for (std::size_t k = 0; k < steps_.size(); ++k) {
    const StepPlan& other = plan_.steps[k];
    if (other.program == step.program && other.specialisation == step.specialisation) {
      return steps_[k].kernel;
    }
  }
  return nullptr;
}

std::shared_ptr<Kernel> Prepared::find_kernel(const ir::Program& program,
                                              const Specialisation& specialisation) const {
  for (std::size_t k = 0; k < steps_.size(); ++k) {
    const StepPlan& other = plan_.steps[k];
    if (!(other.specialisation == specialisation)) continue;
    if (sequence_.def().programs[other.program] == program) return steps_[k].kernel;
  }
  return nullptr;
}

Expected<void> Prepared::write_inputs(std::span<const Input> inputs) {
  return write(inputs, false);
}

Expected<void> Prepared::restore_inputs(std::span<const Input> inputs) {
  return write(inputs, true);
}

bool Prepared::changes_inputs() const {
  const auto is_both = [](const ir::Buffer& b) { return b.access == ir::Access::read_write; };
  return std::ranges::any_of(sequence_.def().buffers, is_both) ||
         std::ranges::find(starts_as_zeros_, true) != starts_as_zeros_.end();
}

Expected<void> Prepared::write(std::span<const Input> inputs, bool only_changed) {
  const ir::SequenceDef& def = sequence_.def();
  std::size_t next = 0;
  for (std::size_t k = 0; k < def.buffers.size(); ++k) {
    const ir::Access access = def.buffers[k].access;
    if (ir::takes_input(access)) {
      const Input& input = inputs[next++];
      if (is_shared_[k] || (only_changed && !ir::gives_output(access))) continue;
      VYRE_TRY_VOID(buffers_[k]->write(0, input));
    } else if (starts_as_zeros_[k]) {
      VYRE_TRY_VOID(buffers_[k]->fill_zero(bytes_of(k)));
    }
  }
  return write_canaries();
}

Expected<void> Prepared::write_canaries() {
  if (canary_bytes_ == 0) return {};
  const std::vector<std::byte> canary(canary_bytes_, kCanary);
  for (std::size_t k = 0; k < buffers_.size(); ++k) {
    if (buffers_[k]->size() == bytes_of(k)) continue;
    VYRE_TRY_VOID(buffers_[k]->write(bytes_of(k), canary));
  }
  return {};
}

Expected<std::optional<std::string>> Prepared::damaged_canary() const {
  std::vector<std::byte> found(canary_bytes_);
  for (std::size_t k = 0; k < buffers_.size(); ++k) {
    if (buffers_[k]->size() == bytes_of(k)) continue;
    VYRE_TRY_VOID(buffers_[k]->read(bytes_of(k), found));
    const auto intact = [](std::byte b) { return b == kCanary; };
    if (!std::ranges::all_of(found, intact)) return sequence_.def().buffers[k].name;
  }
  return std::nullopt;
}

Expected<void> Prepared::run(std::uint64_t* elapsed_ns) {
  timed_ = elapsed_ns != nullptr;
  total_ns_ = 0;
  const ir::SequenceDef& def = sequence_.def();
  const auto steps = static_cast<std::uint32_t>(def.steps.size());
  if (!def.repeat) {
    VYRE_TRY_VOID(run_steps(0, steps));
  } else {
    const ir::Repeat& repeat = *def.repeat;
    VYRE_TRY_VOID(run_steps(0, repeat.first));
    for (std::uint32_t round = 0; round < repeat.limit; ++round) {
      VYRE_TRY_VOID(run_steps(repeat.first, repeat.last));
      std::array<std::byte, 4> flag{};
      VYRE_TRY_VOID(buffers_[repeat.until]->read(0, flag));
      if (flag != std::array<std::byte, 4>{}) break;
    }
    VYRE_TRY_VOID(run_steps(repeat.last, steps));
  }
  if (timed_) *elapsed_ns = total_ns_;
  return {};
}

Expected<void> Prepared::run_steps(std::uint32_t first, std::uint32_t last) {
  elapsed_ns_.assign(timed_ ? last - first : 0, 0);
  for (std::uint32_t k = first; k < last; ++k) {
    const StepPlan& plan = plan_.steps[k];
    for (const std::uint32_t b : steps_[k].zeroed) {
      VYRE_TRY_VOID(buffers_[b]->fill_zero(bytes_of(b)));
    }
    VYRE_TRY_VOID(
        steps_[k].kernel->launch({.buffers = steps_[k].bound,
                                  .symbols = plan.symbols,
                                  .groups = plan.groups,
                                  .elapsed_ns = timed_ ? &elapsed_ns_[k - first] : nullptr}));
  }
  VYRE_TRY_VOID(device_->finish());
  for (const std::uint64_t ns : elapsed_ns_) total_ns_ += ns;
  return {};
}

Expected<void> Prepared::read_outputs(Outputs& outputs) const {
  const ir::SequenceDef& def = sequence_.def();
  std::size_t next = 0;
  for (std::size_t k = 0; k < def.buffers.size(); ++k) {
    if (!ir::gives_output(def.buffers[k].access)) continue;
    if (outputs.size() <= next) outputs.emplace_back();
    outputs[next].resize(bytes_of(k));
    VYRE_TRY_VOID(buffers_[k]->read(0, outputs[next]));
    ++next;
  }
  outputs.resize(next);
  return {};
}

}  // namespace vyre::backend
