// Arena: buffers of one call in common memory, with gaps before, between and behind them.
//
// A kernel that writes outside its buffers, but near them, writes into a gap or into another buffer
// of its own. The gaps have a known content, so such a write is found, to the byte.
//
// Belongs to one thread at a time.

#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "vyre/device.h"

namespace vyre::backend {

class Arena {
 public:
  // Whether buffers of the device can have parts.
  static bool is_possible(const DeviceInfo& device) { return device.part_alignment > 0; }

  // One buffer for each size. As many of them share an allocation as the device's limit for one
  // allows. A buffer that fits only without gaps has none.
  static Expected<Arena> make(Device& device, std::span<const std::size_t> sizes,
                              std::size_t gap_bytes);

  // In the order of the sizes. They keep their memory alive.
  const std::vector<std::shared_ptr<Buffer>>& buffers() const { return buffers_; }

  // Fills the gaps.
  Expected<void> mark();

  // The first place where a gap is no longer as `mark` left it: beside the buffer that is nearer.
  struct Damage {
    std::size_t buffer = 0;
    bool is_before = false;  // else behind its end
  };
  Expected<std::optional<Damage>> find_damage() const;

 private:
  struct Gap {
    std::size_t memory = 0;
    std::size_t offset = 0;
    std::size_t bytes = 0;
    std::optional<std::size_t> behind = {};  // the buffer that it begins behind
    std::optional<std::size_t> before = {};  // the one that it ends before
  };
  struct Layout;

  Damage damage_of(const Gap& gap, std::size_t at) const;

  std::vector<std::unique_ptr<Buffer>> memory_;
  std::vector<std::shared_ptr<Buffer>> buffers_;
  std::vector<Gap> gaps_;
};

}  // namespace vyre::backend
