// WorkgroupRunner: one thread's machine for one Code, with its memory.
//
// Made once per kernel and thread. Running a workgroup allocates nothing, except to detect races.

#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <vector>

#include "backend/reference/code.h"
#include "backend/reference/race_detector.h"

namespace vyre::backend::reference {

class WorkgroupRunner {
 public:
  WorkgroupRunner(const Code& code, const ir::Program& program, const Extent& workgroup,
                  bool detect_races);

  // Call it before the workgroups of a launch. `bound` has the program's bound buffers in order.
  void begin_launch(std::span<const Storage> bound, const Launch& launch,
                    std::atomic<std::int64_t>& budget);

  // False: the budget is spent, or a race was found.
  bool run(const Extent& group);

  const RaceDetector& races() const { return races_; }

 private:
  void fill_ids(const Extent& group);
  template <class T>
  void fill(std::uint32_t offset, T value);
  void fill_bits(const Preset& preset, std::uint64_t bits);

  const Code& code_;
  const ir::Program& program_;
  Extent workgroup_;
  Extent groups_{1, 1, 1};
  bool detect_races_;
  RaceDetector races_;
  struct Free {
    void operator()(std::byte* p) const;
  };
  std::unique_ptr<std::byte, Free> memory_;  // registers, then arrays
  std::byte* arrays_ = nullptr;
  std::size_t array_bytes_ = 0;
  Machine machine_;
};

}  // namespace vyre::backend::reference
