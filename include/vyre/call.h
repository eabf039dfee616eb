// The dispatch seam: bytes in, bytes out, for any program on any device.
//
// Inputs: one per `read` and `read_write` buffer, in declaration order, little endian. Outputs: one
// per `read_write` and `write` buffer, in declaration order; what is written starts as zeros.
//
// Errors: `bad_inputs` names the buffer, shape or tunable that is wrong; `rejected`: this device
// will not run the program; `backend`: the device failed. Nothing is written to the outputs then.

#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "vyre/config.h"
#include "vyre/device.h"
#include "vyre/program.h"

namespace vyre {

using Input = std::span<const std::byte>;
using Outputs = std::vector<std::vector<std::byte>>;

struct Argument {
  std::string_view name;
  std::uint64_t bits = 0;  // as in ir::Expr
};

struct Call {
  std::span<const Input> inputs = {};
  // Scalars, and shapes that no input's size tells.
  std::span<const Argument> arguments = {};
  // Tunables that are not named have their defaults. Null: all defaults.
  const Config* config = nullptr;
  // In workgroups. Replaces the grid of a single program; in a longer sequence, that of the steps
  // that declare none.
  std::optional<Extent> grid = std::nullopt;
  // Replaces the workgroup size of programs that declare no grid, where the call gives none either.
  // For programs that mean the same with any: the declared size is not asked.
  std::optional<Extent> workgroup = std::nullopt;
};

class Dispatcher {
 public:
  virtual ~Dispatcher() = default;

  // `outputs` is resized to fit: called again with the same sequence and shapes, it allocates
  // nothing.
  virtual Expected<void> dispatch(const ir::Sequence& sequence, const Call& call,
                                  Outputs& outputs) = 0;

  // The same, with fresh outputs.
  Expected<Outputs> dispatch(const ir::Sequence& sequence, const Call& call);
};

// Keeps compiled kernels and device buffers of the last sequences that it ran. Thread-safe; calls
// on one dispatcher run one after the other.
std::unique_ptr<Dispatcher> make_dispatcher(std::shared_ptr<Device> device);

// max(1, ceil(n / d)); d = 0 counts as 1.
constexpr std::uint32_t ceil_div(std::uint32_t n, std::uint32_t d) {
  if (d == 0) d = 1;
  return n == 0 ? 1 : (n - 1) / d + 1;
}

// Views of typed data as an input, and back.
template <class T>
Input as_input(const std::vector<T>& values) {
  return std::as_bytes(std::span(values));
}

template <class T>
std::vector<T> values_of(std::span<const std::byte> bytes) {
  std::vector<T> out(bytes.size() / sizeof(T));
  if (!out.empty()) __builtin_memcpy(out.data(), bytes.data(), out.size() * sizeof(T));
  return out;
}

}  // namespace vyre
