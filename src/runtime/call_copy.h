// CallCopy: the inputs of one call, copied, and places for the results of another run of it.
//
// Memory of the device is copied on the device, memory of the host on the host. The copies are
// enqueued before the call itself, so they hold what the call started from.

#pragma once

#include <memory>
#include <vector>

#include "backend/bound_call.h"
#include "vyre/problem.h"

namespace vyre {

class CallCopy {
 public:
  // `plan`: of the call, with any configuration.
  static Expected<CallCopy> make(Device& device, const ir::Sequence& sequence,
                                 const backend::Plan& plan, const backend::Slots& slots);

  // Inputs and arguments as a problem has them.
  void put_into(Problem& problem) const;

  // The slots of another run, on the copies. Only once: a run changes what it writes.
  void place(backend::Slots& slots);
  // Whether that run gave, to the last bit, what the call has given in its own memory.
  Expected<bool> gave_the_same(const backend::Slots& original) const;

 private:
  explicit CallCopy(ir::Sequence sequence) : sequence_(std::move(sequence)) {}

  ir::Sequence sequence_;
  std::vector<std::size_t> bytes_;                     // by buffer
  std::vector<std::vector<std::byte>> host_;           // by buffer; content or result
  std::vector<std::shared_ptr<Buffer>> device_;        // by buffer; null: on the host
  std::vector<std::optional<std::uint64_t>> symbols_;  // as the call gave them
};

}  // namespace vyre
