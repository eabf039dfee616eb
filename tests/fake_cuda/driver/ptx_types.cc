#include "fake_cuda/driver/ptx_types.h"

#include <array>

namespace fake_cuda {
namespace {

struct TypeRow {
  std::string_view word;
  Type type;
  std::uint32_t bytes;
};

constexpr std::array kTypes{
    TypeRow{"pred", Type::kPred, 1}, TypeRow{"b8", Type::kB8, 1},   TypeRow{"b16", Type::kB16, 2},
    TypeRow{"b32", Type::kB32, 4},   TypeRow{"b64", Type::kB64, 8}, TypeRow{"u8", Type::kU8, 1},
    TypeRow{"u16", Type::kU16, 2},   TypeRow{"u32", Type::kU32, 4}, TypeRow{"u64", Type::kU64, 8},
    TypeRow{"s8", Type::kS8, 1},     TypeRow{"s16", Type::kS16, 2}, TypeRow{"s32", Type::kS32, 4},
    TypeRow{"s64", Type::kS64, 8},   TypeRow{"f16", Type::kF16, 2}, TypeRow{"bf16", Type::kBf16, 2},
    TypeRow{"f32", Type::kF32, 4},   TypeRow{"f64", Type::kF64, 8},
};

struct SpaceRow {
  std::string_view word;
  Space space;
};

constexpr std::array kSpaces{
    SpaceRow{"global", Space::kGlobal},      SpaceRow{"const", Space::kConst},
    SpaceRow{"shared", Space::kShared},      SpaceRow{"shared::cta", Space::kShared},
    SpaceRow{"local", Space::kLocal},        SpaceRow{"param", Space::kParam},
    SpaceRow{"param::entry", Space::kParam}, SpaceRow{"param::func", Space::kParam},
};

}  // namespace

std::optional<Type> type_of(std::string_view word) {
  for (const TypeRow& row : kTypes) {
    if (row.word == word) return row.type;
  }
  return std::nullopt;
}

std::optional<Space> space_of(std::string_view word) {
  for (const SpaceRow& row : kSpaces) {
    if (row.word == word) return row.space;
  }
  return std::nullopt;
}

std::uint32_t bytes_of(Type type) {
  for (const TypeRow& row : kTypes) {
    if (row.type == type) return row.bytes;
  }
  return 0;
}

bool is_signed(Type type) {
  return type == Type::kS8 || type == Type::kS16 || type == Type::kS32 || type == Type::kS64;
}

bool is_float(Type type) {
  return type == Type::kF16 || type == Type::kBf16 || type == Type::kF32 || type == Type::kF64;
}

}  // namespace fake_cuda
