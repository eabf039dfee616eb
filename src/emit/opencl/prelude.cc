#include "emit/opencl/prelude.h"

#include <fmt/format.h>

#include <array>

#include "base/check.h"
#include "emit/opencl/language.h"
#include "ir/ops.h"

namespace vyre::emit::opencl {
namespace {

using ir::AtomicOp;
using ir::Scalar;
using ir::Type;

// In the patterns: $N the function's name, $T the type, $U its unsigned type, $W its width, $E its
// element type, $S the address space, $B a built-in function.
//
// Positions are ulong whatever the type of the index: converting to it keeps the value of an
// unsigned one and takes a negative one beyond every length.
constexpr std::string_view kLoad =
    "static $T $N($S const $T* data, uint length, ulong at) {\n"
    "  return at < length ? data[at] : ($T)0;\n"
    "}\n";
constexpr std::string_view kLoadVector =
    "static $T $N($S const $E* data, uint length, ulong at) {\n"
    "  return at < length / $W ? vload$W(at, data) : ($T)(0);\n"
    "}\n";
constexpr std::string_view kStore =
    "static void $N($S $T* data, uint length, ulong at, $T value) {\n"
    "  if (at < length) data[at] = value;\n"
    "}\n";
constexpr std::string_view kStoreVector =
    "static void $N($S $E* data, uint length, ulong at, $T value) {\n"
    "  if (at < length / $W) vstore$W(value, at, data);\n"
    "}\n";
constexpr std::string_view kAtomic =
    "static $T $N(volatile $S $T* data, uint length, ulong at, $T value) {\n"
    "  return at < length ? $B(&data[at], value) : ($T)0;\n"
    "}\n";
constexpr std::string_view kAtomicExchange =
    "static $T $N(volatile $S $T* data, uint length, ulong at, $T expected, $T value) {\n"
    "  return at < length ? $B(&data[at], expected, value) : ($T)0;\n"
    "}\n";
// The distance of two values of a type fits in its unsigned type.
constexpr std::string_view kTripCount =
    "static $U $N($T begin, $T end, $T step) {\n"
    "  return begin < end && step > 0 ? (($U)end - ($U)begin - 1) / ($U)step + 1 : 0;\n"
    "}\n";
constexpr std::string_view kFloatToUnsigned =
    "static $T $N(float a) {\n"
    "  return a >= $B ? ~($T)0 : a > 0.0f ? ($T)a : 0;\n"
    "}\n";
constexpr std::string_view kFloatToSigned =
    "static $T $N(float a) {\n"
    "  const $T most = ($T)(~($U)0 >> 1);\n"
    "  return a >= $B ? most : a >= -$B ? ($T)a : a < 0.0f ? -most - 1 : 0;\n"
    "}\n";
// The divisor is never 0 even where its quotient is not used: vectors compute both.
constexpr std::string_view kDivideUnsigned =
    "static $T $N($T a, $T b) {\n"
    "  return b == ($T)(0) ? ~($T)(0) : a / (b == ($T)(0) ? ($T)(1) : b);\n"
    "}\n";
constexpr std::string_view kDivideSigned =
    "static $T $N($T a, $T b) {\n"
    "  return b == 0 ? -1 : b == -1 ? ($T)(0 - ($U)a) : a / b;\n"
    "}\n";
constexpr std::string_view kModUnsigned =
    "static $T $N($T a, $T b) {\n"
    "  return b == ($T)(0) ? ($T)(0) : a % (b == ($T)(0) ? ($T)(1) : b);\n"
    "}\n";
constexpr std::string_view kModSigned =
    "static $T $N($T a, $T b) {\n"
    "  return b == 0 || b == -1 ? 0 : a % b;\n"
    "}\n";
constexpr std::string_view kMin =
    "static $T $N($T a, $T b) {\n"
    "  return (b < a) | (a != a) ? b : a;\n"
    "}\n";
constexpr std::string_view kMax =
    "static $T $N($T a, $T b) {\n"
    "  return (b > a) | (a != a) ? b : a;\n"
    "}\n";

// PoCL's mathematics converts to integers on the way, which is undefined for a NaN and beyond the
// integers. On the device that does no harm; but its compiler, where it knows the operand, takes
// all that follows to be impossible. So these take no such operand, or do not use what comes of it.
//
// Beyond 2^23 all floats are whole.
constexpr std::string_view kWhole =
    "static $T $N($T a) {\n"
    "  return fabs(a) < 0x1p+23f ? $B(a) : a;\n"
    "}\n";
constexpr std::string_view kFunction =
    "static $T $N($T a) {\n"
    "  const $T value = $B(a);\n"
    "  return a != a ? a : value;\n"
    "}\n";
constexpr std::string_view kPow =
    "static $T $N($T a, $T b) {\n"
    "  const $T value = pow(a, b != b ? ($T)(1) : b);\n"
    "  return (b != b) & (a != ($T)(1)) ? b : value;\n"
    "}\n";

struct Substitution {
  char key;
  std::string value;
};

std::string substitute(std::string_view pattern, std::span<const Substitution> values) {
  std::string out;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    if (pattern[i] != '$') {
      out += pattern[i];
      continue;
    }
    ++i;
    for (const Substitution& s : values) {
      if (s.key == pattern[i]) out += s.value;
    }
  }
  return out;
}

std::string_view operation_pattern(std::string_view base, Type type) {
  if (base == "div") return ir::is_signed(type.scalar) ? kDivideSigned : kDivideUnsigned;
  if (base == "mod") return ir::is_signed(type.scalar) ? kModSigned : kModUnsigned;
  if (base == "min") return kMin;
  if (base == "max") return kMax;
  if (base == "pow") return kPow;
  if (base == "exp" || base == "exp2" || base == "tanh") return kFunction;
  VYRE_CHECK(base == "floor" || base == "ceil" || base == "trunc" || base == "rint");
  return kWhole;
}

// 2 to the number of value bits: the first float that is too large, exactly.
std::string_view first_too_large(Scalar type) {
  constexpr std::array<std::string_view, 4> bounds{"0x1p+32f", "0x1p+31f", "0x1p+64f", "0x1p+63f"};
  return bounds[static_cast<std::size_t>(type) - static_cast<std::size_t>(Scalar::u32)];
}

}  // namespace

std::string_view atomic_name(AtomicOp op) {
  constexpr std::array<std::string_view, 5> names{"atomic_add", "atomic_min", "atomic_max",
                                                  "atomic_xchg", "atomic_cmpxchg"};
  return names[static_cast<std::size_t>(op)];
}

std::string Prelude::add(std::string name, std::string_view pattern, Type type,
                         std::string_view space, std::string_view builtin) {
  const Substitution values[] = {
      {'N', name},
      {'T', type_name(type)},
      {'U', std::string(unsigned_name(type.scalar))},
      {'W', std::to_string(type.width)},
      {'E', type_name({type.scalar, 1})},
      {'S', "__" + std::string(space)},
      {'B', std::string(builtin)},
  };
  functions_.try_emplace(name, substitute(pattern, values));
  return name;
}

std::string Prelude::load(ir::Access access, Type type) {
  const std::string_view space = space_of(access);
  return add(fmt::format("vyre_load_{}_{}", space, to_string(type)),
             type.width == 1 ? kLoad : kLoadVector, type, space);
}

std::string Prelude::store(ir::Access access, Type type) {
  const std::string_view space = space_of(access);
  return add(fmt::format("vyre_store_{}_{}", space, to_string(type)),
             type.width == 1 ? kStore : kStoreVector, type, space);
}

std::string Prelude::atomic(ir::Access access, AtomicOp op, Scalar element) {
  const std::string_view space = space_of(access);
  return add(fmt::format("vyre_{}_{}_{}", atomic_name(op), space, ir::name_of(element)),
             op == AtomicOp::compare_exchange ? kAtomicExchange : kAtomic, {element, 1}, space,
             atomic_name(op));
}

std::string Prelude::trip_count(Scalar type) {
  return add(fmt::format("vyre_trip_count_{}", ir::name_of(type)), kTripCount, {type, 1});
}

std::string Prelude::float_to(Scalar type) {
  return add(fmt::format("vyre_f32_to_{}", ir::name_of(type)),
             ir::is_signed(type) ? kFloatToSigned : kFloatToUnsigned, {type, 1}, {},
             first_too_large(type));
}

void Prelude::operation(std::string_view base, Type type) {
  add(fmt::format("vyre_{}_{}", base, to_string(type)), operation_pattern(base, type), type, {},
      base);
}

std::string Prelude::text() const {
  std::string out;
  for (const auto& [name, definition] : functions_) out += "\n" + definition;
  return out;
}

}  // namespace vyre::emit::opencl
