// Shapes of handlers: how an operation on values becomes an instruction on slots.

#pragma once

#include <type_traits>

#include "fake_cuda/driver/thread.h"

namespace fake_cuda {

// Op::of takes values of type T and gives a value, whose type is the result's.
template <class T, class Op>
void unary(Thread& thread, const Instruction& at) {
  set(thread, at.d, Op::of(get<T>(thread, at.a)));
}

template <class T, class Op>
void binary(Thread& thread, const Instruction& at) {
  set(thread, at.d, Op::of(get<T>(thread, at.a), get<T>(thread, at.b)));
}

template <class T, class Op>
void ternary(Thread& thread, const Instruction& at) {
  set(thread, at.d, Op::of(get<T>(thread, at.a), get<T>(thread, at.b), get<T>(thread, at.c)));
}

// The integer types by the names that PTX gives them.
using U8 = std::uint8_t;
using U16 = std::uint16_t;
using U32 = std::uint32_t;
using U64 = std::uint64_t;
using S8 = std::int8_t;
using S16 = std::int16_t;
using S32 = std::int32_t;
using S64 = std::int64_t;

template <class T>
inline constexpr std::uint32_t kBits = sizeof(T) * 8;

// Twice as wide, of the same signedness.
template <class T>
struct Wider;
template <>
struct Wider<U16> {
  using Of = U32;
};
template <>
struct Wider<S16> {
  using Of = S32;
};
template <>
struct Wider<U32> {
  using Of = U64;
};
template <>
struct Wider<S32> {
  using Of = S64;
};
template <>
struct Wider<U64> {
  using Of = unsigned __int128;
};
template <>
struct Wider<S64> {
  using Of = __int128;
};
template <class T>
using Wide = typename Wider<T>::Of;

}  // namespace fake_cuda
