// RaceDetector: finds two invocations of a workgroup that touch the same element of a local or
// global buffer without a barrier between them, at least one of them writing, unless both are
// atomic.
//
// The detector sees every access, in the order in which the interpreter runs them. It finds a race
// whether or not the race changed a result. One per Machine; not thread-safe.

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_map>

namespace vyre::backend::reference {

enum class Touch : std::uint8_t { read, write, atomic };

struct Access {
  std::uint32_t lane = 0;
  std::uint32_t stmt = 0;
  Touch touch = Touch::read;
};

struct Race {
  std::uint32_t buffer = 0;
  std::uint64_t element = 0;
  Access first;
  Access second;
};

class RaceDetector {
 public:
  struct Cell {
    std::uint32_t buffer = 0;
    std::uint64_t element = 0;

    bool operator==(const Cell&) const = default;
  };

  void access(Cell cell, Access access);

  // Call it at each barrier, and where a new workgroup begins.
  void barrier() { history_.clear(); }

  // The first race since the detector was made.
  const std::optional<Race>& race() const { return race_; }

 private:
  // For each kind of access: the first one, and the first one by another lane. These are enough to
  // find any later conflict, since a lane can conflict with every lane but itself.
  using History = std::array<std::array<std::optional<Access>, 2>, 3>;
  struct Hash {
    std::size_t operator()(const Cell& c) const {
      return static_cast<std::size_t>((c.element + (std::uint64_t{c.buffer} << 40)) *
                                      0x9e3779b97f4a7c15U);
    }
  };

  std::unordered_map<Cell, History, Hash> history_;
  std::optional<Race> race_;
};

}  // namespace vyre::backend::reference
