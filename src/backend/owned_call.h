// OwnedCall: a bound call with memory of its own on the device. Tuning runs candidates this way,
// again and again on the same inputs.
//
// Belongs to one thread at a time.

#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "backend/arena.h"
#include "backend/bound_call.h"

namespace vyre::backend {

class OwnedCall;

struct OwnedCallOptions {
  // Before and behind every buffer of source programs: so many bytes that they must leave alone,
  // on devices that can have them (Arena).
  std::size_t gap_bytes = 0;
  // Of the same sequence, on the same device, with the same inputs written: buffers that both only
  // read are shared and not written again. Null: there is none. Source programs may write what they
  // do not declare, and share nothing.
  const OwnedCall* shares_with = nullptr;
};

// The content of one input: bytes of the host, or a buffer of the same device.
struct InputContent {
  Input host = {};
  const Buffer* device = nullptr;  // not null: this, instead of `host`
};

class OwnedCall {
 public:
  // Compiles and allocates; writes nothing. Of the slots, sizes and numbers count.
  static Expected<std::unique_ptr<OwnedCall>> make(std::shared_ptr<Device> device,
                                                   const ir::Sequence& sequence, const Slots& slots,
                                                   const CallOptions& options,
                                                   const OwnedCallOptions& how = {});
  static Expected<std::unique_ptr<OwnedCall>> make(std::shared_ptr<Device> device,
                                                   const ir::Sequence& sequence, const Call& call,
                                                   const OwnedCallOptions& how = {});

  // Inputs to the device, everything else to zeros.
  Expected<void> write_inputs(std::span<const InputContent> inputs);

  // Other inputs for this call, and for all that share some of them.
  Expected<void> replace_inputs(std::span<const InputContent> inputs);

  // The same after a run, as far as the run can have changed anything: inputs that are only read
  // are left as they are.
  Expected<void> restore_inputs(std::span<const InputContent> inputs);
  // Whether a run changes anything that the next one starts from: an input that is written, or
  // memory that must start as zeros.
  bool changes_inputs() const;

  // All steps, and waits for them. `elapsed_ns`: from the start of the first command to the end of
  // the last. Fills with zeros and `on_launched` are as in BoundCall::run: drivers that compile at
  // a first launch are done with it when `on_launched` is called.
  Expected<void> run(std::uint64_t* elapsed_ns = nullptr,
                     const std::function<void()>& on_launched = {});
  // The same, where the last run has left everything: no source program's output is cleared before.
  Expected<void> run_again(std::uint64_t* elapsed_ns);

  // `outputs` is resized to fit.
  Expected<void> read_outputs(Outputs& outputs) const;

  // None if all gaps are as write_inputs left them. Else the first place that is not: "behind the
  // end of y".
  Expected<std::optional<std::string>> damaged_gap() const;
  // The first input that source programs may only read and have changed. Only they can.
  Expected<std::optional<std::string>> changed_input(std::span<const InputContent> inputs) const;

 private:
  OwnedCall(std::shared_ptr<Device> device, std::shared_ptr<const BoundCall> bound)
      : device_(std::move(device)), bound_(std::move(bound)) {}

  const ir::SequenceDef& def() const { return bound_->sequence().def(); }
  enum class Which : std::uint8_t { all, not_shared, changed };
  Expected<void> write(std::span<const InputContent> inputs, Which which);
  Expected<void> allocate(const OwnedCallOptions& how);
  Expected<void> run(std::span<const BoundCall::Memory> memory, std::uint64_t* elapsed_ns,
                     const std::function<void()>& on_launched);

  std::shared_ptr<Device> device_;
  std::shared_ptr<const BoundCall> bound_;
  std::vector<std::shared_ptr<Buffer>> buffers_;       // null: not needed (BoundCall::has_memory)
  std::vector<BoundCall::Memory> memory_;              // the same, as runs take them
  std::vector<BoundCall::Memory> as_left_;             // and as those that follow one take them
  std::vector<std::optional<std::uint64_t>> symbols_;  // as the call gave them
  std::vector<bool> is_shared_;                        // by buffer: written already, only read
  std::optional<Arena> arena_;                         // of all buffers
};

}  // namespace vyre::backend
