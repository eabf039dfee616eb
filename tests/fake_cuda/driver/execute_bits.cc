// Operations on bits.

#include <algorithm>
#include <bit>
#include <string>

#include "fake_cuda/driver/handlers.h"
#include "fake_cuda/driver/opcode_table.h"

namespace fake_cuda {
namespace {

struct And {
  template <class T>
  static T of(T a, T b) {
    return static_cast<T>(a & b);
  }
};
struct Or {
  template <class T>
  static T of(T a, T b) {
    return static_cast<T>(a | b);
  }
};
struct Xor {
  template <class T>
  static T of(T a, T b) {
    return static_cast<T>(a ^ b);
  }
};
struct Not {
  template <class T>
  static T of(T a) {
    if constexpr (std::is_same_v<T, bool>) {
      return !a;
    } else {
      return static_cast<T>(~a);
    }
  }
};
struct Cnot {
  template <class T>
  static T of(T a) {
    return a == 0 ? T{1} : T{0};
  }
};
struct Popc {
  template <class T>
  static U32 of(T a) {
    return static_cast<U32>(std::popcount(a));
  }
};
struct Clz {
  template <class T>
  static U32 of(T a) {
    return static_cast<U32>(std::countl_zero(a));
  }
};
struct Brev {
  template <class T>
  static T of(T a) {
    T reversed = 0;
    for (U32 bit = 0; bit < kBits<T>; ++bit) {
      reversed = static_cast<T>(reversed << 1 | (a >> bit & 1));
    }
    return reversed;
  }
};
// The highest bit that is not the sign, or all ones.
template <bool shift_amount>
struct Bfind {
  template <class T>
  static U32 of(T a) {
    using U = std::make_unsigned_t<T>;
    U bits = static_cast<U>(a);
    if (std::is_signed_v<T> && (bits >> (kBits<T> - 1)) != 0) bits = static_cast<U>(~bits);
    if (bits == 0) return ~U32{0};
    const auto zeros = static_cast<U32>(std::countl_zero(bits));
    return shift_amount ? zeros : kBits<T> - 1 - zeros;
  }
};

// Shifts by the width or more give zeros, or copies of the sign.
template <class T>
void shift_left(Thread& thread, const Instruction& at) {
  const U32 by = get<U32>(thread, at.b);
  const T value = get<T>(thread, at.a);
  set(thread, at.d, by >= kBits<T> ? T{0} : static_cast<T>(U64{value} << by));
}

template <class T>
void shift_right(Thread& thread, const Instruction& at) {
  const U32 by = get<U32>(thread, at.b);
  const T value = get<T>(thread, at.a);
  if constexpr (std::is_signed_v<T>) {
    set(thread, at.d, static_cast<T>(value >> std::min<U32>(by, kBits<T> - 1)));
  } else {
    set(thread, at.d, by >= kBits<T> ? T{0} : static_cast<T>(value >> by));
  }
}

template <bool left, bool wraps>
void funnel(Thread& thread, const Instruction& at) {
  const U64 pair = U64{get<U32>(thread, at.b)} << 32 | get<U32>(thread, at.a);
  const U32 wish = get<U32>(thread, at.c);
  const U32 by = wraps ? wish & 31 : std::min<U32>(wish, 32);
  set(thread, at.d, static_cast<U32>(left ? (pair << by) >> 32 : pair >> by));
}

template <class T>
void extract(Thread& thread, const Instruction& at) {
  using U = std::make_unsigned_t<T>;
  constexpr U32 kTop = kBits<T> - 1;
  const U value = get<U>(thread, at.a);
  const U32 start = get<U32>(thread, at.b) & 0xFF;
  const U32 length = get<U32>(thread, at.c) & 0xFF;
  const U32 last = std::min<U32>(start + length - 1, kTop);
  const bool fill = std::is_signed_v<T> && length != 0 && (value >> last & 1) != 0;
  U result = fill ? static_cast<U>(~U{0}) : U{0};
  for (U32 bit = 0; bit <= kTop && bit < length && start + bit <= kTop; ++bit) {
    const U mask = static_cast<U>(U{1} << bit);
    const bool one = (value >> (start + bit) & 1) != 0;
    result = static_cast<U>(one ? result | mask : result & ~mask);
  }
  set(thread, at.d, result);
}

template <class T>
void insert(Thread& thread, const Instruction& at) {
  const T value = get<T>(thread, at.a);
  T result = get<T>(thread, at.b);
  const U32 start = get<U32>(thread, at.c) & 0xFF;
  const U32 length = get<U32>(thread, at.f) & 0xFF;
  for (U32 bit = 0; bit < length && start + bit < kBits<T>; ++bit) {
    const T mask = static_cast<T>(T{1} << (start + bit));
    result = static_cast<T>((value >> bit & 1) != 0 ? result | mask : result & ~mask);
  }
  set(thread, at.d, result);
}

void permute(Thread& thread, const Instruction& at) {
  const U64 bytes = U64{get<U32>(thread, at.b)} << 32 | get<U32>(thread, at.a);
  const U32 selector = get<U32>(thread, at.c);
  U32 result = 0;
  for (U32 byte = 0; byte < 4; ++byte) {
    const U32 choice = selector >> (4 * byte) & 15;
    U32 value = static_cast<U32>(bytes >> (8 * (choice & 7)) & 0xFF);
    if ((choice & 8) != 0) value = (value & 0x80) != 0 ? 0xFF : 0;
    result |= value << (8 * byte);
  }
  set(thread, at.d, result);
}

// The table has one bit for each of the eight cases of three input bits.
void lop3(Thread& thread, const Instruction& at) {
  const U32 a = get<U32>(thread, at.a), b = get<U32>(thread, at.b), c = get<U32>(thread, at.c);
  const U32 table = get<U32>(thread, at.f);
  U32 result = 0;
  for (U32 row = 0; row < 8; ++row) {
    if ((table >> row & 1) == 0) continue;
    result |= ((row & 4) != 0 ? a : ~a) & ((row & 2) != 0 ? b : ~b) & ((row & 1) != 0 ? c : ~c);
  }
  set(thread, at.d, result);
}

template <class A, class B>
void dot4(Thread& thread, const Instruction& at) {
  const U32 a = get<U32>(thread, at.a), b = get<U32>(thread, at.b);
  U32 sum = get<U32>(thread, at.c);
  for (U32 byte = 0; byte < 4; ++byte) {
    sum += static_cast<U32>(S32{static_cast<A>(a >> (8 * byte))} *
                            S32{static_cast<B>(b >> (8 * byte))});
  }
  set(thread, at.d, sum);
}

template <class T>
void add_width(OpcodeTable& table, const std::string& bits) {
  table["and.b" + bits] = {binary<T, And>, 2};
  table["or.b" + bits] = {binary<T, Or>, 2};
  table["xor.b" + bits] = {binary<T, Xor>, 2};
  table["not.b" + bits] = {unary<T, Not>, 1};
  table["cnot.b" + bits] = {unary<T, Cnot>, 1};
  table["shl.b" + bits] = {shift_left<T>, 2};
  table["shr.b" + bits] = {shift_right<T>, 2};
  table["shr.u" + bits] = {shift_right<T>, 2};
  table["shr.s" + bits] = {shift_right<std::make_signed_t<T>>, 2};
  if constexpr (sizeof(T) >= 4) {
    using S = std::make_signed_t<T>;
    table["popc.b" + bits] = {unary<T, Popc>, 1};
    table["clz.b" + bits] = {unary<T, Clz>, 1};
    table["brev.b" + bits] = {unary<T, Brev>, 1};
    table["bfind.u" + bits] = {unary<T, Bfind<false>>, 1};
    table["bfind.s" + bits] = {unary<S, Bfind<false>>, 1};
    table["bfind.shiftamt.u" + bits] = {unary<T, Bfind<true>>, 1};
    table["bfind.shiftamt.s" + bits] = {unary<S, Bfind<true>>, 1};
    table["bfe.u" + bits] = {extract<T>, 3};
    table["bfe.s" + bits] = {extract<S>, 3};
    table["bfi.b" + bits] = {insert<T>, 4};
  }
}

}  // namespace

void add_bit_opcodes(OpcodeTable& table) {
  add_width<U16>(table, "16");
  add_width<U32>(table, "32");
  add_width<U64>(table, "64");
  table["and.pred"] = {binary<bool, And>, 2};
  table["or.pred"] = {binary<bool, Or>, 2};
  table["xor.pred"] = {binary<bool, Xor>, 2};
  table["not.pred"] = {unary<bool, Not>, 1};
  table["shf.l.wrap.b32"] = {funnel<true, true>, 3};
  table["shf.l.clamp.b32"] = {funnel<true, false>, 3};
  table["shf.r.wrap.b32"] = {funnel<false, true>, 3};
  table["shf.r.clamp.b32"] = {funnel<false, false>, 3};
  table["prmt.b32"] = {permute, 3};
  table["lop3.b32"] = {lop3, 4};
  table["dp4a.u32.u32"] = {dot4<U8, U8>, 3};
  table["dp4a.s32.s32"] = {dot4<S8, S8>, 3};
  table["dp4a.u32.s32"] = {dot4<U8, S8>, 3};
  table["dp4a.s32.u32"] = {dot4<S8, U8>, 3};
}

}  // namespace fake_cuda
