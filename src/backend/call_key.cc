#include "backend/call_key.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "ir/ops.h"

namespace vyre::backend {
CallKey::CallKey(const ir::Sequence& sequence, const Slots& slots, const CallOptions& options) {
  const ir::SequenceDef& def = sequence.def();
  add(std::bit_cast<std::uint64_t>(sequence.identity()));
  for (std::size_t k = 0; k < def.buffers.size(); ++k) {
    if (ir::is_bound(def.buffers[k].access)) add(slots.buffers[k].bytes);
  }
  for (std::size_t k = 0; k < def.symbols.size(); ++k) {
    if (def.symbols[k].kind == ir::SymbolKind::tunable) continue;
    add(slots.symbols[k] ? 1 : 0);
    if (slots.symbols[k] && sequence.decides_sizes(k)) add(*slots.symbols[k]);
  }
  for (const auto* extent : {&options.grid, &options.workgroup}) {
    add(extent->has_value() ? 1 : 0);
    if (*extent) {
      for (const std::uint32_t size : **extent) add(size);
    }
  }
  if (options.config != nullptr && !options.config->empty()) add(*options.config);
}

void CallKey::add(std::uint64_t word) {
  hash_ = (hash_ ^ word) * 0x9e3779b97f4a7c15U;
  hash_ ^= hash_ >> 29U;
  if (size_ < few_.size()) {
    few_[size_++] = word;
    return;
  }
  if (more_.empty()) more_.assign(few_.begin(), few_.end());
  more_.push_back(word);
}

void CallKey::add(std::string_view text) {
  add(text.size());
  for (; !text.empty(); text.remove_prefix(std::min<std::size_t>(text.size(), 8))) {
    std::uint64_t word = 0;
    std::memcpy(&word, text.data(), std::min<std::size_t>(text.size(), 8));
    add(word);
  }
}

void CallKey::add(const Config& config) {
  for (const auto& [name, value] : config.entries()) {
    add(name);
    add(value.index());
    if (const auto* text = std::get_if<std::string>(&value)) {
      add(*text);
    } else if (const auto* real = std::get_if<double>(&value)) {
      add(std::bit_cast<std::uint64_t>(*real));
    } else if (const auto* integer = std::get_if<std::int64_t>(&value)) {
      add(static_cast<std::uint64_t>(*integer));
    } else {
      add(std::get<bool>(value) ? 1 : 0);
    }
  }
}

}  // namespace vyre::backend
