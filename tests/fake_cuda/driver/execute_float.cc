// Arithmetic of f32 and f64.
//
// add, sub, mul, fma, div, sqrt and rcp are rounded correctly in every mode, as a card does.
// What a card approximates (ex2.approx, sin.approx, div.approx ...) is computed in double and
// rounded once, so it is closer to the truth than a card's.

#include <string>

#include "fake_cuda/driver/floats.h"
#include "fake_cuda/driver/handlers.h"
#include "fake_cuda/driver/opcode_table.h"

namespace fake_cuda {
namespace {

template <class T>
T input(const Thread& thread, const Instruction& at, std::uint32_t slot) {
  const T value = get<T>(thread, slot);
  return at.ftz ? flushed(value) : value;
}

template <class T>
void output(Thread& thread, const Instruction& at, T value) {
  if (at.ftz) value = flushed(value);
  if (at.saturate) value = saturated(value);
  if constexpr (std::is_same_v<T, float>) {
    if (std::isnan(value)) value = card_nan();
  }
  set(thread, at.d, value);
}

template <class T, class Op>
void real1(Thread& thread, const Instruction& at) {
  volatile T a = input<T>(thread, at, at.a);
  output<T>(thread, at, rounded(at.rounding, [&] { return Op::of(T{a}); }));
}

template <class T, class Op>
void real2(Thread& thread, const Instruction& at) {
  const T a = input<T>(thread, at, at.a), b = input<T>(thread, at, at.b);
  if (at.rounding == Rounding::kNearest) return output<T>(thread, at, Op::of(a, b));
  volatile T x = a, y = b;
  output<T>(thread, at, rounded(at.rounding, [&] { return Op::of(T{x}, T{y}); }));
}

template <class T, class Op>
void real3(Thread& thread, const Instruction& at) {
  volatile T a = input<T>(thread, at, at.a), b = input<T>(thread, at, at.b),
             c = input<T>(thread, at, at.c);
  output<T>(thread, at, rounded(at.rounding, [&] { return Op::of(T{a}, T{b}, T{c}); }));
}

struct FAdd {
  template <class T>
  static T of(T a, T b) {
    return a + b;
  }
};
struct FSub {
  template <class T>
  static T of(T a, T b) {
    return a - b;
  }
};
struct FMul {
  template <class T>
  static T of(T a, T b) {
    return a * b;
  }
};
struct FDiv {
  template <class T>
  static T of(T a, T b) {
    return a / b;
  }
};
struct Fma {
  template <class T>
  static T of(T a, T b, T c) {
    return std::fma(a, b, c);
  }
};
struct Sqrt {
  template <class T>
  static T of(T a) {
    return std::sqrt(a);
  }
};
struct Rcp {
  template <class T>
  static T of(T a) {
    return T{1} / a;
  }
};
// A zero is smaller with a minus; a NaN loses against a number.
struct FMin {
  template <class T>
  static T of(T a, T b) {
    if (std::isnan(a)) return b;
    if (a == b) return std::signbit(a) ? a : b;
    return b < a ? b : a;
  }
};
struct FMax {
  template <class T>
  static T of(T a, T b) {
    if (std::isnan(a)) return b;
    if (a == b) return std::signbit(a) ? b : a;
    return b > a ? b : a;
  }
};
template <class Op>
struct OrNan {
  template <class T>
  static T of(T a, T b) {
    return std::isnan(a) ? a : std::isnan(b) ? b : Op::of(a, b);
  }
};

// Functions that a card approximates.
template <double (*function)(double)>
struct Approximate {
  template <class T>
  static T of(T a) {
    return static_cast<T>(function(static_cast<double>(a)));
  }
};
double reciprocal_root(double a) { return 1.0 / std::sqrt(a); }
double power_of_two(double a) { return std::exp2(a); }
double logarithm(double a) { return std::log2(a); }
double sine(double a) { return std::sin(a); }
double cosine(double a) { return std::cos(a); }
double hyperbolic_tangent(double a) { return std::tanh(a); }

// Signs are bits: a NaN keeps its payload.
template <class T>
void negate(Thread& thread, const Instruction& at) {
  set(thread, at.d, -input<T>(thread, at, at.a));
}
template <class T>
void magnitude(Thread& thread, const Instruction& at) {
  set(thread, at.d, std::fabs(input<T>(thread, at, at.a)));
}
template <class T>
void copy_sign(Thread& thread, const Instruction& at) {
  set(thread, at.d, std::copysign(get<T>(thread, at.b), get<T>(thread, at.a)));
}

template <class T, int... classes>
void test_class(Thread& thread, const Instruction& at) {
  const int found = std::fpclassify(get<T>(thread, at.a));
  set(thread, at.d, ((found == classes) || ...));
}

template <class T>
void add_tests(OpcodeTable& table, const std::string& type) {
  table["testp.finite." + type] = {test_class<T, FP_NORMAL, FP_SUBNORMAL, FP_ZERO>, 1};
  table["testp.infinite." + type] = {test_class<T, FP_INFINITE>, 1};
  table["testp.number." + type] = {test_class<T, FP_NORMAL, FP_SUBNORMAL, FP_ZERO, FP_INFINITE>, 1};
  table["testp.notanumber." + type] = {test_class<T, FP_NAN>, 1};
  table["testp.normal." + type] = {test_class<T, FP_NORMAL>, 1};
  table["testp.subnormal." + type] = {test_class<T, FP_SUBNORMAL>, 1};
}

template <class T>
void add_real(OpcodeTable& table, const std::string& type) {
  constexpr bool single = std::is_same_v<T, float>;
  constexpr std::uint8_t ftz = single ? kObeysFtz : 0;
  constexpr std::uint8_t all = kObeysRounding | ftz | (single ? kObeysSat : 0);
  constexpr std::uint8_t rounds = kObeysRounding | kMayApproximate | kObeysFtz;
  table["add." + type] = {real2<T, FAdd>, 2, all};
  table["sub." + type] = {real2<T, FSub>, 2, all};
  table["mul." + type] = {real2<T, FMul>, 2, all};
  table["fma." + type] = {real3<T, Fma>, 3, all};
  table["mad." + type] = {real3<T, Fma>, 3, all};
  table["div." + type] = {real2<T, FDiv>, 2, rounds};
  table["sqrt." + type] = {real1<T, Sqrt>, 1, rounds};
  table["rcp." + type] = {real1<T, Rcp>, 1, rounds};
  table["rsqrt." + type] = {real1<T, Approximate<reciprocal_root>>, 1, kMayApproximate | kObeysFtz};
  table["min." + type] = {real2<T, FMin>, 2, ftz};
  table["max." + type] = {real2<T, FMax>, 2, ftz};
  table["neg." + type] = {negate<T>, 1, ftz};
  table["abs." + type] = {magnitude<T>, 1, ftz};
  table["copysign." + type] = {copy_sign<T>, 2};
  add_tests<T>(table, type);
}

}  // namespace

void add_float_opcodes(OpcodeTable& table) {
  constexpr std::uint8_t kApproximates = kMayApproximate | kObeysFtz;
  add_real<float>(table, "f32");
  add_real<double>(table, "f64");
  table["min.NaN.f32"] = {real2<float, OrNan<FMin>>, 2, kObeysFtz};
  table["max.NaN.f32"] = {real2<float, OrNan<FMax>>, 2, kObeysFtz};
  table["ex2.f32"] = {real1<float, Approximate<power_of_two>>, 1, kApproximates};
  table["lg2.f32"] = {real1<float, Approximate<logarithm>>, 1, kApproximates};
  table["sin.f32"] = {real1<float, Approximate<sine>>, 1, kApproximates};
  table["cos.f32"] = {real1<float, Approximate<cosine>>, 1, kApproximates};
  table["tanh.f32"] = {real1<float, Approximate<hyperbolic_tangent>>, 1, kApproximates};
}

}  // namespace fake_cuda
