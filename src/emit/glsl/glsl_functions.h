// Functions on f32 for GLSL within the language's bounds: exponentials, logarithms, sine and
// cosine, tanh and pow. fma: see glsl_fma.h.
//
// Vulkan promises little of its own: exp is off by 3 + 2|x| ulp, sin and cos by 2^-11, pow is
// exp2(y * log2(x)). These use f32 and u32 only, and count on sums and
// products that are rounded one by one. A device whose own functions are good enough does without
// VYRE_OWN_FUNCTIONS; pow and tanh are always these, since Vulkan leaves negative bases and large
// arguments undefined.

#pragma once

#include <array>
#include <string_view>

#include "emit/c_like/dialect.h"

namespace vyre::emit::glsl_dialect {

// a * 2^n in two steps, so that results beyond the normal numbers are reached. n: -160 to 160.
inline constexpr std::string_view kScaled =
    "float vyre_scaled(float a, int n) {\n"
    "  const int half_n = n / 2;\n"
    "  a *= uintBitsToFloat(uint(half_n + 127) << 23);\n"
    "  return a * uintBitsToFloat(uint(n - half_n + 127) << 23);\n"
    "}\n";

// 2^(whole + part) for a whole number and a part of at most 1/2 around it: the first terms of the
// series of e^(part * ln 2).
inline constexpr std::string_view kExp2Helper =
    "float vyre_exp2_of(float whole, float part) {\n"
    "  float p = 1.52527336e-05f;\n"
    "  p = p * part + 0.000154035297f;\n"
    "  p = p * part + 0.00133335579f;\n"
    "  p = p * part + 0.00961812865f;\n"
    "  p = p * part + 0.0555041097f;\n"
    "  p = p * part + 0.240226507f;\n"
    "  p = p * part + 0.693147182f;\n"
    "  return vyre_scaled(p * part + 1.0f, int(whole));\n"
    "}\n";

// e^a as 2^n * e^r. ln 2 is split into a part of 9 bits, whose product with n is exact, and the
// rest; so r is exact enough.
inline constexpr std::string_view kExpHelper =
    "float vyre_exp_of(float a) {\n"
    "  if (a > 89.0f) return uintBitsToFloat(0x7f800000u);\n"
    "  if (a < -104.0f) return 0.0f;\n"
    "  const float n = roundEven(a * 1.44269502f);\n"
    "  const float r = (a - n * 0.693359375f) - n * -0.000212194442f;\n"
    "  float p = 0.000198412701f;\n"
    "  p = p * r + 0.00138888892f;\n"
    "  p = p * r + 0.00833333377f;\n"
    "  p = p * r + 0.0416666679f;\n"
    "  p = p * r + 0.166666672f;\n"
    "  p = p * r + 0.5f;\n"
    "  return vyre_scaled(p * r * r + r + 1.0f, int(n));\n"
    "}\n";

// ln(a) as whole * ln 2 + ln(m) with m between sqrt(1/2) and sqrt(2). With s = (m - 1) / (m + 1),
// ln(m) is 2 (s + s^3 / 3 + s^5 / 5 ...). `a` is positive, finite and normal.
inline constexpr std::string_view kLogHelper =
    "float vyre_log_of(float a, out float whole) {\n"
    "  const uint bits = floatBitsToUint(a) - 0x3f3504f3u;\n"
    "  whole = float(int(bits) >> 23);\n"
    "  const float m = uintBitsToFloat((bits & 0x7fffffu) + 0x3f3504f3u);\n"
    "  const float s = (m - 1.0f) / (m + 1.0f);\n"
    "  const float z = s * s;\n"
    "  float p = 0.111111112f;\n"
    "  p = p * z + 0.142857149f;\n"
    "  p = p * z + 0.2f;\n"
    "  p = p * z + 0.333333343f;\n"
    "  return 2.0f * s + 2.0f * s * z * p;\n"
    "}\n"
    "bool vyre_log_is_special(float a, out float value) {\n"
    "  const uint bits = floatBitsToUint(a);\n"
    "  value = uintBitsToFloat(0x7fc00000u);\n"
    "  if ((bits << 1) > 0xff000000u) return true;\n"
    "  if ((bits << 1) < 0x01000000u) {\n"
    "    value = uintBitsToFloat(0xff800000u);\n"
    "    return true;\n"
    "  }\n"
    "  if (bits == 0x7f800000u) value = a;\n"
    "  return bits >= 0x7f800000u;\n"
    "}\n";

// sin(a), or cos(a) as the sine one quarter turn later. The quarter turns of a, a * 2 / pi, are
// computed modulo 4 with integers: the 24 bits of a times those 96 bits of 2 / pi (shifted by 26
// places) that matter at a's exponent. Then the series of the sine or cosine up to an eighth of a
// turn.
inline constexpr std::string_view kSineHelper =
    "const uint vyre_two_by_pi[8] = uint[](\n"
    "    0x00000028u, 0xbe60db93u, 0x91054a7fu, 0x09d5f47du,\n"
    "    0x4d377036u, 0xd8a5664fu, 0x10e4107fu, 0x9458eaf7u);\n"
    "uint vyre_two_by_pi_at(uint word, uint places) {\n"
    "  const uint next = word + 1 < 8 ? vyre_two_by_pi[min(word + 1, 7u)] : 0u;\n"
    "  const uint high = vyre_two_by_pi[min(word, 7u)] << places;\n"
    "  return places == 0 ? high : high | (next >> (32u - places));\n"
    "}\n"
    "float vyre_sine(float a, uint quarters) {\n"
    "  const uint bits = floatBitsToUint(a) & 0x7fffffffu;\n"
    "  if (bits >= 0x7f800000u) return uintBitsToFloat(0x7fc00000u);\n"
    "  float r = uintBitsToFloat(bits);\n"
    "  if (bits >= 0x3f000000u) {\n"
    "    const uint from = (bits >> 23) - 126u;\n"
    "    const uint m = (bits & 0x7fffffu) | 0x800000u;\n"
    "    uint high0, high1, high2, low0, low1, low2, carry;\n"
    "    umulExtended(m, vyre_two_by_pi_at(from / 32u, from % 32u), high0, low0);\n"
    "    umulExtended(m, vyre_two_by_pi_at(from / 32u + 1u, from % 32u), high1, low1);\n"
    "    umulExtended(m, vyre_two_by_pi_at(from / 32u + 2u, from % 32u), high2, low2);\n"
    "    const uint middle = uaddCarry(low1, high2, carry);\n"
    "    const uint top = low0 + high1 + carry;\n"
    "    const uint rest = (top << 2) | (middle >> 30);\n"
    "    const uint turns = (top >> 30) + (rest >> 31);\n"
    "    r = float(int(rest)) * 2.32830644e-10f * 1.57079637f;\n"
    "    if (int(floatBitsToUint(a)) < 0) {\n"
    "      quarters -= turns;\n"
    "      r = -r;\n"
    "    } else {\n"
    "      quarters += turns;\n"
    "    }\n"
    "  } else {\n"
    "    r = a;\n"
    "  }\n"
    "  const float z = r * r;\n"
    "  float p;\n"
    "  if ((quarters & 1u) == 0u) {\n"
    "    p = 2.75573188e-06f;\n"
    "    p = p * z - 0.000198412701f;\n"
    "    p = p * z + 0.00833333377f;\n"
    "    p = p * z - 0.166666672f;\n"
    "    p = p * z * r + r;\n"
    "  } else {\n"
    "    p = -2.755732e-07f;\n"
    "    p = p * z + 2.48015876e-05f;\n"
    "    p = p * z - 0.00138888892f;\n"
    "    p = p * z + 0.0416666679f;\n"
    "    p = p * z - 0.5f;\n"
    "    p = p * z + 1.0f;\n"
    "  }\n"
    "  return (quarters & 2u) == 0u ? p : -p;\n"
    "}\n";

// a * b as the sum of two floats, by splitting each into halves (Veltkamp, Dekker). For factors
// below 2^60.
inline constexpr std::string_view kProductHelper =
    "vec2 vyre_halves(float a) {\n"
    "  const float c = 4097.0f * a;\n"
    "  const float high = c - (c - a);\n"
    "  return vec2(high, a - high);\n"
    "}\n"
    "vec2 vyre_product(float a, float b) {\n"
    "  const vec2 p = vyre_halves(a);\n"
    "  const vec2 q = vyre_halves(b);\n"
    "  const float high = a * b;\n"
    "  const float rest = ((p.x * q.x - high) + p.x * q.y + p.y * q.x) + p.y * q.y;\n"
    "  return vec2(high, rest);\n"
    "}\n";

inline constexpr std::array kHelpers{
    PreludeOp{"scaled", kScaled},   PreludeOp{"exp2", kExp2Helper},
    PreludeOp{"exp", kExpHelper},   PreludeOp{"log", kLogHelper},
    PreludeOp{"sine", kSineHelper}, PreludeOp{"product", kProductHelper},
};

inline constexpr std::string_view kExp =
    "float $N(float a) {\n"
    "#ifdef VYRE_OWN_FUNCTIONS\n"
    "  return vyre_exp_of(a);\n"
    "#else\n"
    "  return exp(a);\n"
    "#endif\n"
    "}\n";
inline constexpr std::string_view kExp2 =
    "float $N(float a) {\n"
    "#ifdef VYRE_OWN_FUNCTIONS\n"
    "  if (a >= 128.0f) return uintBitsToFloat(0x7f800000u);\n"
    "  if (a < -150.0f) return 0.0f;\n"
    "  return vyre_exp2_of(roundEven(a), a - roundEven(a));\n"
    "#else\n"
    "  return exp2(a);\n"
    "#endif\n"
    "}\n";
inline constexpr std::string_view kLog =
    "float $N(float a) {\n"
    "#ifdef VYRE_OWN_FUNCTIONS\n"
    "  float special, whole;\n"
    "  if (vyre_log_is_special(a, special)) return special;\n"
    "  const float part = vyre_log_of(a, whole);\n"
    "  return whole * 0.693359375f + (whole * -0.000212194442f + part);\n"
    "#else\n"
    "  return log(a);\n"
    "#endif\n"
    "}\n";
inline constexpr std::string_view kLog2 =
    "float $N(float a) {\n"
    "#ifdef VYRE_OWN_FUNCTIONS\n"
    "  float special, whole;\n"
    "  if (vyre_log_is_special(a, special)) return special;\n"
    "  return vyre_log_of(a, whole) * 1.44269502f + whole;\n"
    "#else\n"
    "  return log2(a);\n"
    "#endif\n"
    "}\n";
inline constexpr std::string_view kSin =
    "float $N(float a) {\n"
    "#ifdef VYRE_OWN_FUNCTIONS\n"
    "  return vyre_sine(a, 0u);\n"
    "#else\n"
    "  return sin(a);\n"
    "#endif\n"
    "}\n";
inline constexpr std::string_view kCos =
    "float $N(float a) {\n"
    "#ifdef VYRE_OWN_FUNCTIONS\n"
    "  return vyre_sine(a, 1u);\n"
    "#else\n"
    "  return cos(a);\n"
    "#endif\n"
    "}\n";
// Near 0 the series, elsewhere 1 - 2 / (e^2x + 1), which is 1 where e^2x is infinite.
inline constexpr std::string_view kTanh =
    "float $N(float a) {\n"
    "  const float z = a * a;\n"
    "  if (z < 0.0625f) return a + a * z * (-0.333333343f + z * (0.13333334f - z * "
    "0.0539682545f));\n"
    "  const float t = 1.0f - 2.0f / (vyre_exp_of(2.0f * abs(a)) + 1.0f);\n"
    "  return a < 0.0f ? -t : t;\n"
    "}\n";

// |a|^b as 2^(b log2 |a|), with the logarithm and the product as sums of two floats: their errors
// are multiplied by up to 150. log2(m) is 2 log2(e) (s + s^3 / 3 ...) with s as in vyre_log_of. An
// exponent beyond 2^33 gives 0, 1 or infinity, as 2^33 does.
inline constexpr std::string_view kPow =
    "float vyre_pow_of(float a, float b) {\n"
    "  const uint bits = floatBitsToUint(a) - 0x3f3504f3u;\n"
    "  const float whole = float(int(bits) >> 23);\n"
    "  const float m = uintBitsToFloat((bits & 0x7fffffu) + 0x3f3504f3u);\n"
    "  const float f = m - 1.0f;\n"
    "  const float g = m + 1.0f;\n"
    "  const float g_rest = m - (g - 1.0f);\n"
    "  const float s = f / g;\n"
    "  const vec2 sg = vyre_product(s, g);\n"
    "  const float s_rest = (((f - sg.x) - sg.y) - s * g_rest) / g;\n"
    "  const float z = s * s;\n"
    "  float p = 0.0909090936f;\n"
    "  p = p * z + 0.111111112f;\n"
    "  p = p * z + 0.142857149f;\n"
    "  p = p * z + 0.2f;\n"
    "  p = p * z + 0.333333343f;\n"
    "  const vec2 part = vyre_product(s, 2.88539004f);\n"
    "  const float part_rest =\n"
    "      part.y + (s * 3.85192607e-08f + (s_rest + s * z * p) * 2.88539004f);\n"
    "  const float sum = whole + part.x;\n"
    "  const float sum_rest = (part.x - (sum - whole)) + part_rest;\n"
    "  const float log2_a = sum + sum_rest;\n"
    "  const float log2_rest = sum_rest - (log2_a - sum);\n"
    "  b = clamp(b, -8589934592.0f, 8589934592.0f);\n"
    "  const vec2 power = vyre_product(log2_a, b);\n"
    "  if (power.x > 130.0f) return uintBitsToFloat(0x7f800000u);\n"
    "  if (power.x < -152.0f) return 0.0f;\n"
    "  const float n = roundEven(power.x);\n"
    "  return vyre_exp2_of(n, (power.x - n) + (power.y + log2_rest * b));\n"
    "}\n"
    "float $N(float a, float b) {\n"
    "  const uint a_bits = floatBitsToUint(a) & 0x7fffffffu;\n"
    "  const uint b_bits = floatBitsToUint(b) & 0x7fffffffu;\n"
    "  const float infinity = uintBitsToFloat(0x7f800000u);\n"
    "  if (b_bits < 0x00800000u || floatBitsToUint(a) == 0x3f800000u) return 1.0f;\n"
    "  if (a_bits > 0x7f800000u || b_bits > 0x7f800000u) return uintBitsToFloat(0x7fc00000u);\n"
    "  const bool rises = b > 0.0f;\n"
    "  if (b_bits == 0x7f800000u) {\n"
    "    if (a_bits == 0x3f800000u) return 1.0f;\n"
    "    return (a_bits > 0x3f800000u) == rises ? infinity : 0.0f;\n"
    "  }\n"
    "  const bool is_whole = b == trunc(b);\n"
    "  const bool is_odd = is_whole && b_bits < 0x4b800000u && (int(b) & 1) != 0;\n"
    "  const bool negative = int(floatBitsToUint(a)) < 0;\n"
    "  float value;\n"
    "  if (a_bits < 0x00800000u) {\n"
    "    value = rises ? 0.0f : infinity;\n"
    "  } else if (a_bits == 0x7f800000u) {\n"
    "    value = rises ? infinity : 0.0f;\n"
    "  } else if (negative && !is_whole) {\n"
    "    return uintBitsToFloat(0x7fc00000u);\n"
    "  } else {\n"
    "    value = vyre_pow_of(uintBitsToFloat(a_bits), b);\n"
    "  }\n"
    "  return negative && is_odd ? -value : value;\n"
    "}\n";

}  // namespace vyre::emit::glsl_dialect
