// Kernels: the compiled kernels of one device, each compiled once.
//
// Equal programs with equal specialisations share a kernel, whatever sequence they belong to. A
// kernel that a bound call uses is never given up; of the others only so many are kept.
//
// Thread-safe. Compiles without holding a lock, so two threads may compile the same kernel at the
// same time; one of the two results is then used by both.

#pragma once

#include <memory>
#include <mutex>
#include <unordered_map>

#include "vyre/device.h"

namespace vyre::backend {

class Kernels {
 public:
  explicit Kernels(std::shared_ptr<Device> device) : device_(std::move(device)) {}

  Expected<std::shared_ptr<Kernel>> find_or_compile(const ir::Sequence& sequence,
                                                    std::uint32_t program,
                                                    const Specialisation& specialisation);

 private:
  struct Entry {
    ir::Sequence sequence;  // keeps the program alive
    std::uint32_t program = 0;
    Specialisation specialisation;
    std::shared_ptr<Kernel> kernel;
  };
  using Entries = std::unordered_multimap<std::uint64_t, Entry>;

  std::shared_ptr<Kernel> find(std::uint64_t hash, const ir::Program& program,
                               const Specialisation& specialisation);
  void make_room();

  std::shared_ptr<Device> device_;
  std::mutex mutex_;
  Entries entries_;
};

}  // namespace vyre::backend
