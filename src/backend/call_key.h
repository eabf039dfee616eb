// CallKey: everything about a call that decides its plan, as a list of words. Equal calls have
// equal words; numbers that decide no size are left out, so they may change from call to call.
//
// Valid while the sequence lives: its identity is the first word.

#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "backend/slots.h"

namespace vyre::backend {

class CallKey {
 public:
  CallKey(const ir::Sequence& sequence, const Slots& slots, const CallOptions& options);
  CallKey(const CallKey&) = delete;
  CallKey& operator=(const CallKey&) = delete;

  std::uint64_t hash() const { return hash_; }
  std::span<const std::uint64_t> words() const {
    return more_.empty() ? std::span(few_.data(), size_) : std::span(more_);
  }

 private:
  void add(std::uint64_t word);
  void add(std::string_view text);
  void add(const Config& config);

  std::array<std::uint64_t, 40> few_;  // the first `size_` count, unless there are more
  std::size_t size_ = 0;
  std::vector<std::uint64_t> more_;
  std::uint64_t hash_ = 0;
};

}  // namespace vyre::backend
