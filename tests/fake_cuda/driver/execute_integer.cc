// Arithmetic of integers.

#include <algorithm>
#include <limits>
#include <string>

#include "fake_cuda/driver/handlers.h"
#include "fake_cuda/driver/opcode_table.h"

namespace fake_cuda {
namespace {

// Wraps around: computed without sign in 64 bits, where nothing overflows.
template <class T>
T wrapped(U64 value) {
  return static_cast<T>(value);
}

struct Add {
  template <class T>
  static T of(T a, T b) {
    return wrapped<T>(static_cast<U64>(a) + static_cast<U64>(b));
  }
};
struct Sub {
  template <class T>
  static T of(T a, T b) {
    return wrapped<T>(static_cast<U64>(a) - static_cast<U64>(b));
  }
};
struct MulLo {
  template <class T>
  static T of(T a, T b) {
    return wrapped<T>(static_cast<U64>(a) * static_cast<U64>(b));
  }
};
struct MulHi {
  template <class T>
  static T of(T a, T b) {
    return static_cast<T>((Wide<T>{a} * Wide<T>{b}) >> kBits<T>);
  }
};
struct MulWide {
  template <class T>
  static Wide<T> of(T a, T b) {
    return Wide<T>{a} * Wide<T>{b};
  }
};
struct MadLo {
  template <class T>
  static T of(T a, T b, T c) {
    return Add::of(MulLo::of(a, b), c);
  }
};
struct MadHi {
  template <class T>
  static T of(T a, T b, T c) {
    return Add::of(MulHi::of(a, b), c);
  }
};
// A card's division by zero: all bits set, and the dividend as remainder.
struct Div {
  template <class T>
  static T of(T a, T b) {
    if (b == 0) return static_cast<T>(~U64{0});
    if (std::is_signed_v<T> && b == static_cast<T>(-1)) return wrapped<T>(0 - static_cast<U64>(a));
    return static_cast<T>(a / b);
  }
};
struct Rem {
  template <class T>
  static T of(T a, T b) {
    if (b == 0) return a;
    if (std::is_signed_v<T> && b == static_cast<T>(-1)) return 0;
    return static_cast<T>(a % b);
  }
};
struct Min {
  template <class T>
  static T of(T a, T b) {
    return std::min(a, b);
  }
};
struct Max {
  template <class T>
  static T of(T a, T b) {
    return std::max(a, b);
  }
};
struct Sad {
  template <class T>
  static T of(T a, T b, T c) {
    return Add::of(c, a < b ? Sub::of(b, a) : Sub::of(a, b));
  }
};
struct Abs {
  template <class T>
  static T of(T a) {
    return a < 0 ? wrapped<T>(0 - static_cast<U64>(a)) : a;
  }
};
struct Neg {
  template <class T>
  static T of(T a) {
    return wrapped<T>(0 - static_cast<U64>(a));
  }
};
struct AddSat {
  static S32 of(S32 a, S32 b) { return clamped(S64{a} + b); }
  static S32 clamped(S64 value) {
    return static_cast<S32>(
        std::clamp<S64>(value, std::numeric_limits<S32>::min(), std::numeric_limits<S32>::max()));
  }
};
struct SubSat {
  static S32 of(S32 a, S32 b) { return AddSat::clamped(S64{a} - b); }
};
template <class T>
S64 low24(T value) {
  return std::is_signed_v<T> ? S64{static_cast<S32>(static_cast<U32>(value) << 8) >> 8}
                             : S64{static_cast<U32>(value) & 0xFFFFFF};
}
struct Mul24Lo {
  template <class T>
  static T of(T a, T b) {
    return static_cast<T>(low24(a) * low24(b));
  }
};
struct Mad24Lo {
  template <class T>
  static T of(T a, T b, T c) {
    return Add::of(Mul24Lo::of(a, b), c);
  }
};

template <class T>
void mad_wide(Thread& thread, const Instruction& at) {
  const Wide<T> product = MulWide::of(get<T>(thread, at.a), get<T>(thread, at.b));
  set(thread, at.d, Add::of(product, get<Wide<T>>(thread, at.c)));
}

// Sums with the carry flag: what is added is one input, or the product that `Product` makes.
template <class T, bool reads, bool writes, bool minus>
void with_carry(Thread& thread, const Instruction& at, T a, T b) {
  using W = unsigned __int128;
  const W in = reads && thread.carry ? 1 : 0;
  const W sum = minus ? W{a} - W{b} - in : W{a} + W{b} + in;
  if (writes) thread.carry = ((sum >> kBits<T>)&1) != 0;
  set(thread, at.d, static_cast<T>(sum));
}

template <class T, bool reads, bool writes, bool minus>
void sum_with_carry(Thread& thread, const Instruction& at) {
  with_carry<T, reads, writes, minus>(thread, at, get<T>(thread, at.a), get<T>(thread, at.b));
}

template <class T, class Product, class U, bool reads, bool writes>
void mad_with_carry(Thread& thread, const Instruction& at) {
  const T product = Product::of(get<T>(thread, at.a), get<T>(thread, at.b));
  with_carry<U, reads, writes, false>(thread, at, static_cast<U>(product), get<U>(thread, at.c));
}

template <class T>
void add_type(OpcodeTable& table, const std::string& type) {
  table["add." + type] = {binary<T, Add>, 2};
  table["sub." + type] = {binary<T, Sub>, 2};
  table["mul.lo." + type] = {binary<T, MulLo>, 2};
  table["mul.hi." + type] = {binary<T, MulHi>, 2};
  table["mad.lo." + type] = {ternary<T, MadLo>, 3};
  table["mad.hi." + type] = {ternary<T, MadHi>, 3};
  table["div." + type] = {binary<T, Div>, 2};
  table["rem." + type] = {binary<T, Rem>, 2};
  table["min." + type] = {binary<T, Min>, 2};
  table["max." + type] = {binary<T, Max>, 2};
  table["sad." + type] = {ternary<T, Sad>, 3};
  if constexpr (sizeof(T) < 8) {
    table["mul.wide." + type] = {binary<T, MulWide>, 2};
    table["mad.wide." + type] = {mad_wide<T>, 3};
  }
  if constexpr (std::is_signed_v<T>) {
    table["abs." + type] = {unary<T, Abs>, 1};
    table["neg." + type] = {unary<T, Neg>, 1};
  }
  if constexpr (sizeof(T) == 4) {
    table["mul24.lo." + type] = {binary<T, Mul24Lo>, 2};
    table["mad24.lo." + type] = {ternary<T, Mad24Lo>, 3};
  }
}

template <class T>
void add_carrying(OpcodeTable& table, const std::string& type) {
  using U = std::make_unsigned_t<T>;
  table["add.cc." + type] = {sum_with_carry<U, false, true, false>, 2};
  table["addc." + type] = {sum_with_carry<U, true, false, false>, 2};
  table["addc.cc." + type] = {sum_with_carry<U, true, true, false>, 2};
  table["sub.cc." + type] = {sum_with_carry<U, false, true, true>, 2};
  table["subc." + type] = {sum_with_carry<U, true, false, true>, 2};
  table["subc.cc." + type] = {sum_with_carry<U, true, true, true>, 2};
  table["mad.lo.cc." + type] = {mad_with_carry<T, MulLo, U, false, true>, 3};
  table["mad.hi.cc." + type] = {mad_with_carry<T, MulHi, U, false, true>, 3};
  table["madc.lo." + type] = {mad_with_carry<T, MulLo, U, true, false>, 3};
  table["madc.hi." + type] = {mad_with_carry<T, MulHi, U, true, false>, 3};
  table["madc.lo.cc." + type] = {mad_with_carry<T, MulLo, U, true, true>, 3};
  table["madc.hi.cc." + type] = {mad_with_carry<T, MulHi, U, true, true>, 3};
}

}  // namespace

void add_integer_opcodes(OpcodeTable& table) {
  add_type<U16>(table, "u16");
  add_type<S16>(table, "s16");
  add_type<U32>(table, "u32");
  add_type<S32>(table, "s32");
  add_type<U64>(table, "u64");
  add_type<S64>(table, "s64");
  add_carrying<U32>(table, "u32");
  add_carrying<S32>(table, "s32");
  add_carrying<U64>(table, "u64");
  add_carrying<S64>(table, "s64");
  table["add.sat.s32"] = {binary<S32, AddSat>, 2};
  table["sub.sat.s32"] = {binary<S32, SubSat>, 2};
}

}  // namespace fake_cuda
