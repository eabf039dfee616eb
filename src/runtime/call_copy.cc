#include "runtime/call_copy.h"

#include "base/error.h"
#include "ir/ops.h"

namespace vyre {

Expected<CallCopy> CallCopy::make(Device& device, const ir::Sequence& sequence,
                                  const backend::Plan& plan, const backend::Slots& slots) {
  CallCopy out(sequence);
  const auto& buffers = sequence.def().buffers;
  out.host_.resize(buffers.size());
  out.device_.resize(buffers.size());
  for (std::size_t k = 0; k < buffers.size(); ++k) {
    const backend::Place& place = slots.buffers[k];
    out.bytes_.push_back(plan.lengths[k] * ir::element_bytes(buffers[k]));
    if (place.device != nullptr) {
      VYRE_TRY(out.device_[k], device.allocate(out.bytes_[k]));
      VYRE_TRY_VOID(out.device_[k]->copy_from(*place.device, out.bytes_[k]));
    } else if (place.from != nullptr) {
      out.host_[k].assign(place.from, place.from + out.bytes_[k]);
    }
  }
  const auto symbols = slots.symbols.view();
  out.symbols_.assign(symbols.begin(), symbols.end());
  return out;
}

void CallCopy::put_into(Problem& problem) const {
  const ir::SequenceDef& def = sequence_.def();
  Outputs inputs;
  for (std::size_t k = 0; k < def.buffers.size(); ++k) {
    if (!ir::takes_input(def.buffers[k].access)) continue;
    inputs.push_back(host_[k]);
    problem.device_inputs.push_back(device_[k]);
  }
  problem.inputs = std::make_shared<const Outputs>(std::move(inputs));
  for (std::size_t k = 0; k < def.symbols.size(); ++k) {
    if (symbols_[k]) problem.arguments.emplace_back(def.symbols[k].name, *symbols_[k]);
  }
}

void CallCopy::place(backend::Slots& slots) {
  const auto& buffers = sequence_.def().buffers;
  for (std::size_t k = 0; k < buffers.size(); ++k) {
    if (!ir::is_bound(buffers[k].access)) continue;
    backend::Place& place = slots.buffers[k];
    place.bytes = bytes_[k];
    place.device = device_[k].get();
    if (place.device != nullptr) continue;
    slots.is_on_host = true;
    host_[k].resize(bytes_[k]);
    if (ir::takes_input(buffers[k].access)) place.from = host_[k].data();
    if (ir::gives_output(buffers[k].access)) place.to = host_[k].data();
  }
  for (std::size_t k = 0; k < symbols_.size(); ++k) slots.symbols[k] = symbols_[k];
}

Expected<bool> CallCopy::gave_the_same(const backend::Slots& original) const {
  const auto& buffers = sequence_.def().buffers;
  std::size_t output = 0;
  for (std::size_t k = 0; k < buffers.size(); ++k) {
    if (!ir::gives_output(buffers[k].access)) continue;
    std::vector<std::byte> wanted(bytes_[k]);
    const std::size_t number = output++;
    std::vector<std::byte> got = host_[k];
    if (device_[k] != nullptr) {
      got.resize(bytes_[k]);
      VYRE_TRY_VOID(device_[k]->read(0, got));
      VYRE_TRY_VOID(original.buffers[k].device->read(0, wanted));
    } else if (original.outputs != nullptr) {
      wanted = (*original.outputs)[number];
    } else {
      std::copy_n(original.buffers[k].to, bytes_[k], wanted.begin());
    }
    if (got != wanted) return false;
  }
  return true;
}

}  // namespace vyre
