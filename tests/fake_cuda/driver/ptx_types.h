// The types and the address spaces of PTX.

#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace fake_cuda {

enum class Type : std::uint8_t {
  kNone,
  kPred,
  kB8,
  kB16,
  kB32,
  kB64,
  kU8,
  kU16,
  kU32,
  kU64,
  kS8,
  kS16,
  kS32,
  kS64,
  kF16,
  kBf16,
  kF32,
  kF64,
};

enum class Space : std::uint8_t { kGeneric, kGlobal, kConst, kShared, kLocal, kParam };

// "u32" and so on, without a dot. Nothing for a word that is no type, or one that the interpreter
// does not know.
std::optional<Type> type_of(std::string_view word);

// "global", "shared::cta" and so on, without a dot.
std::optional<Space> space_of(std::string_view word);

std::uint32_t bytes_of(Type type);  // 1 for a predicate
bool is_signed(Type type);
bool is_float(Type type);

}  // namespace fake_cuda
