// Registers: where the values of a program are while it runs.
//
// A register is an array with one value per lane; a vector takes one array per element. Registers
// that are released are used again, so that all of them stay in the cache.

#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "vyre/program.h"

namespace vyre::backend::reference {

struct Register {
  std::uint32_t offset = 0;  // in bytes
  ir::Type type;
  bool temporary = false;  // to be released after use
};

class Registers {
 public:
  // `stride`: lanes with padding.
  explicit Registers(std::uint32_t stride) : stride_(stride) {}

  Register allocate(ir::Type type, bool temporary);
  // Never one that was used before.
  Register fresh(ir::Type type, bool temporary);
  void release(const Register& r);
  void release_if_temporary(const Register& r);

  // Element k of a vector.
  Register element(const Register& r, std::uint32_t k) const;

  // Bytes of all registers. More than an offset can name means that the program is too large, and
  // the registers must not be used.
  std::uint64_t bytes() const { return top_; }

 private:
  std::uint32_t array_bytes(ir::Scalar s) const { return ir::byte_size(s) * stride_; }

  std::uint32_t stride_;
  std::uint64_t top_ = 0;
  std::map<std::uint32_t, std::vector<std::uint32_t>> free_;  // offsets by size
};

}  // namespace vyre::backend::reference
