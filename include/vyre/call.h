// Calls: any program on any device, with arguments by name or as bytes.
//
// By name: each argument is a number, a contiguous range of numbers in host memory, or a Buffer on
// the device. Host memory is copied to the device, and back where the program writes it; such a
// call waits for its result. A call whose memory is all on the device only enqueues, and
// Dispatcher::finish waits; it may wait by itself where a kernel runs for the first time or a
// sequence repeats until a flag is set.
//
// Example (examples/saxpy.cc):
//   const auto done = dispatcher->dispatch(*sequence, {{"a", 2.0F}, {"x", x}, {"y", y}});
//
// As bytes: inputs in declaration order, outputs likewise. This is what the mathematics in
// vyre/substrate/ dispatches.
//
// A `write` buffer is zeros before a program of the kernel language runs; a buffer on the device
// that a source program writes keeps what the caller put there.
//
// Errors: `bad_inputs` names the argument, shape or tunable that is wrong; `rejected`: this device
// will not run the program; `backend`: the device failed. Host memory is written only on success.

#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <ranges>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

#include "vyre/config.h"
#include "vyre/device.h"
#include "vyre/program.h"

namespace vyre {

// Elements that host memory may have. A buffer of opaque elements takes any type of their size.
template <class T>
concept Element = std::is_trivially_copyable_v<T> && !std::is_pointer_v<T>;

// One named value of a call. Refers to the name and the memory; copies nothing.
class Arg {
 public:
  enum class Kind : std::uint8_t { number, host, const_host, buffer };
  // The type of the number or of the elements. `bytes`: any type of Arg::element_bytes bytes.
  enum class Type : std::uint8_t { boolean, u32, i32, u64, i64, f32, f64, bytes };

  // A number. It need not have the declared type: any integer that fits will do for an integer, and
  // any number for an f32, rounded to the nearest.
  template <class T>
    requires std::is_arithmetic_v<T>
  Arg(std::string_view name, T number) : name_(name), kind_(Kind::number) {
    if constexpr (std::same_as<T, bool>) {
      type_ = Type::boolean;
      bits_ = number ? 1 : 0;
    } else if constexpr (std::floating_point<T>) {
      type_ = Type::f64;
      bits_ = __builtin_bit_cast(std::uint64_t, static_cast<double>(number));
    } else if constexpr (std::unsigned_integral<T>) {
      type_ = Type::u64;
      bits_ = number;
    } else {
      type_ = Type::i64;
      bits_ = static_cast<std::uint64_t>(static_cast<std::int64_t>(number));
    }
  }

  // Memory of the host: a vector, an array, a span. That of a range of const elements is only read.
  template <class R>
    requires std::ranges::contiguous_range<R> && std::ranges::sized_range<R> &&
                 Element<std::ranges::range_value_t<R>> &&
                 (std::is_lvalue_reference_v<R> || std::ranges::borrowed_range<R>)
  Arg(std::string_view name, R&& range)
      : name_(name),
        kind_(std::is_const_v<std::remove_reference_t<std::ranges::range_reference_t<R>>>
                  ? Kind::const_host
                  : Kind::host),
        type_(type_of<std::ranges::range_value_t<R>>()),
        element_bytes_(sizeof(std::ranges::range_value_t<R>)),
        data_(const_cast<void*>(static_cast<const void*>(std::ranges::data(range)))),
        bytes_(std::ranges::size(range) * sizeof(std::ranges::range_value_t<R>)) {}

  // Memory of the host whose element type only the running program knows, as in bindings of other
  // languages. `type` is the elements' type, `element_bytes` the size of one; read-only memory must
  // not be bound to a buffer that the program writes.
  static Arg memory(std::string_view name, Type type, std::size_t element_bytes,
                    std::span<std::byte> bytes, bool is_read_only) {
    Arg out(name, bytes);
    out.kind_ = is_read_only ? Kind::const_host : Kind::host;
    out.type_ = type;
    out.element_bytes_ = element_bytes;
    return out;
  }

  // Memory of the device, of any size that the program asks for.
  Arg(std::string_view name, Buffer& buffer)
      : name_(name), kind_(Kind::buffer), data_(&buffer), bytes_(buffer.size()) {}

  std::string_view name() const { return name_; }
  Kind kind() const { return kind_; }
  Type type() const { return type_; }                           // of numbers and host memory
  std::size_t element_bytes() const { return element_bytes_; }  // of host memory
  std::size_t bytes() const { return bytes_; }                  // of memory
  std::uint64_t bits() const { return bits_; }                  // of numbers
  std::byte* data() const { return static_cast<std::byte*>(data_); }
  Buffer* buffer() const { return kind_ == Kind::buffer ? static_cast<Buffer*>(data_) : nullptr; }

 private:
  template <class T>
  static constexpr Type type_of() {
    using U = std::remove_cv_t<T>;
    if constexpr (std::same_as<U, float>) return Type::f32;
    if constexpr (std::same_as<U, double>) return Type::f64;
    if constexpr (std::integral<U> && !std::same_as<U, bool> && sizeof(U) == 4) {
      return std::signed_integral<U> ? Type::i32 : Type::u32;
    }
    if constexpr (std::integral<U> && sizeof(U) == 8) {
      return std::signed_integral<U> ? Type::i64 : Type::u64;
    }
    return Type::bytes;
  }

  std::string_view name_;
  Kind kind_;
  Type type_ = Type::bytes;
  std::size_t element_bytes_ = 0;
  void* data_ = nullptr;
  std::size_t bytes_ = 0;
  std::uint64_t bits_ = 0;
};

// The options of a call, beside its arguments.
struct CallOptions {
  // Tunables that are not named have their defaults. Null: all defaults.
  const Config* config = nullptr;
  // In workgroups. Replaces the grid of a single program; in a longer sequence, that of the steps
  // that declare none.
  std::optional<Extent> grid = std::nullopt;
  // Replaces the workgroup size of programs that declare no grid, where the call gives none either.
  // For programs that mean the same with any: the declared size is not asked.
  std::optional<Extent> workgroup = std::nullopt;
};

using Input = std::span<const std::byte>;
using Outputs = std::vector<std::vector<std::byte>>;

struct Argument {
  std::string_view name;
  std::uint64_t bits = 0;  // as in ir::Expr
};

// A call as bytes, little endian. Inputs: one per `read` and `read_write` buffer, in declaration
// order. Outputs: one per `read_write` and `write` buffer, in declaration order.
struct Call {
  std::span<const Input> inputs = {};
  // Scalars, and shapes that no input's size tells.
  std::span<const Argument> arguments = {};
  // As in CallOptions.
  const Config* config = nullptr;
  std::optional<Extent> grid = std::nullopt;
  std::optional<Extent> workgroup = std::nullopt;
};

// Runs what it is told, with the configuration that it is told; Runtime (vyre/runtime.h) chooses
// one itself. Thread-safe: calls run at the same time, as far as the device lets them.
class Dispatcher {
 public:
  virtual ~Dispatcher() = default;

  [[nodiscard]] virtual Expected<void> dispatch(const ir::Sequence& sequence,
                                                std::span<const Arg> args,
                                                const CallOptions& options) = 0;
  [[nodiscard]] Expected<void> dispatch(const ir::Sequence& sequence,
                                        std::initializer_list<Arg> args,
                                        const CallOptions& options = {}) {
    return dispatch(sequence, std::span<const Arg>(args.begin(), args.size()), options);
  }

  // `outputs` is resized to fit: called again with the same sequence and shapes, it allocates
  // nothing.
  [[nodiscard]] virtual Expected<void> dispatch(const ir::Sequence& sequence, const Call& call,
                                                Outputs& outputs) = 0;
  // The same, with fresh outputs.
  [[nodiscard]] Expected<Outputs> dispatch(const ir::Sequence& sequence, const Call& call);

  // Waits for all that was enqueued, and reports its failure.
  [[nodiscard]] virtual Expected<void> finish() = 0;
};

// Keeps the kernels that it compiled, and what it found out about the calls that it made last.
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
