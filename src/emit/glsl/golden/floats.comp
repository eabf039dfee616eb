#version 460
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : enable
#extension GL_EXT_control_flow_attributes : enable
#extension GL_EXT_null_initializer : enable
#extension GL_KHR_memory_scope_semantics : enable
#ifdef VYRE_FLOAT_CONTROLS
#extension GL_EXT_spirv_intrinsics : require
// SignedZeroInfNanPreserve for 32 bits
spirv_execution_mode(extensions = ["SPV_KHR_float_controls"], capabilities = [4466], 4461, 32);
#endif

float vyre_scaled(float a, int n) {
  const int half_n = n / 2;
  a *= uintBitsToFloat(uint(half_n + 127) << 23);
  return a * uintBitsToFloat(uint(n - half_n + 127) << 23);
}

float vyre_exp_of(float a) {
  if (a > 89.0f) return uintBitsToFloat(0x7f800000u);
  if (a < -104.0f) return 0.0f;
  const float n = roundEven(a * 1.44269502f);
  const float r = (a - n * 0.693359375f) - n * -0.000212194442f;
  float p = 0.000198412701f;
  p = p * r + 0.00138888892f;
  p = p * r + 0.00833333377f;
  p = p * r + 0.0416666679f;
  p = p * r + 0.166666672f;
  p = p * r + 0.5f;
  return vyre_scaled(p * r * r + r + 1.0f, int(n));
}

float vyre_exp2_of(float whole, float part) {
  float p = 1.52527336e-05f;
  p = p * part + 0.000154035297f;
  p = p * part + 0.00133335579f;
  p = p * part + 0.00961812865f;
  p = p * part + 0.0555041097f;
  p = p * part + 0.240226507f;
  p = p * part + 0.693147182f;
  return vyre_scaled(p * part + 1.0f, int(whole));
}

float vyre_log_of(float a, out float whole) {
  const uint bits = floatBitsToUint(a) - 0x3f3504f3u;
  whole = float(int(bits) >> 23);
  const float m = uintBitsToFloat((bits & 0x7fffffu) + 0x3f3504f3u);
  const float s = (m - 1.0f) / (m + 1.0f);
  const float z = s * s;
  float p = 0.111111112f;
  p = p * z + 0.142857149f;
  p = p * z + 0.2f;
  p = p * z + 0.333333343f;
  return 2.0f * s + 2.0f * s * z * p;
}
bool vyre_log_is_special(float a, out float value) {
  const uint bits = floatBitsToUint(a);
  value = uintBitsToFloat(0x7fc00000u);
  if ((bits << 1) > 0xff000000u) return true;
  if ((bits << 1) < 0x01000000u) {
    value = uintBitsToFloat(0xff800000u);
    return true;
  }
  if (bits == 0x7f800000u) value = a;
  return bits >= 0x7f800000u;
}

const uint vyre_two_by_pi[8] = uint[](
    0x00000028u, 0xbe60db93u, 0x91054a7fu, 0x09d5f47du,
    0x4d377036u, 0xd8a5664fu, 0x10e4107fu, 0x9458eaf7u);
uint vyre_two_by_pi_at(uint word, uint places) {
  const uint next = word + 1 < 8 ? vyre_two_by_pi[min(word + 1, 7u)] : 0u;
  const uint high = vyre_two_by_pi[min(word, 7u)] << places;
  return places == 0 ? high : high | (next >> (32u - places));
}
float vyre_sine(float a, uint quarters) {
  const uint bits = floatBitsToUint(a) & 0x7fffffffu;
  if (bits >= 0x7f800000u) return uintBitsToFloat(0x7fc00000u);
  float r = uintBitsToFloat(bits);
  if (bits >= 0x3f000000u) {
    const uint from = (bits >> 23) - 126u;
    const uint m = (bits & 0x7fffffu) | 0x800000u;
    uint high0, high1, high2, low0, low1, low2, carry;
    umulExtended(m, vyre_two_by_pi_at(from / 32u, from % 32u), high0, low0);
    umulExtended(m, vyre_two_by_pi_at(from / 32u + 1u, from % 32u), high1, low1);
    umulExtended(m, vyre_two_by_pi_at(from / 32u + 2u, from % 32u), high2, low2);
    const uint middle = uaddCarry(low1, high2, carry);
    const uint top = low0 + high1 + carry;
    const uint rest = (top << 2) | (middle >> 30);
    const uint turns = (top >> 30) + (rest >> 31);
    r = float(int(rest)) * 2.32830644e-10f * 1.57079637f;
    if (int(floatBitsToUint(a)) < 0) {
      quarters -= turns;
      r = -r;
    } else {
      quarters += turns;
    }
  } else {
    r = a;
  }
  const float z = r * r;
  float p;
  if ((quarters & 1u) == 0u) {
    p = 2.75573188e-06f;
    p = p * z - 0.000198412701f;
    p = p * z + 0.00833333377f;
    p = p * z - 0.166666672f;
    p = p * z * r + r;
  } else {
    p = -2.755732e-07f;
    p = p * z + 2.48015876e-05f;
    p = p * z - 0.00138888892f;
    p = p * z + 0.0416666679f;
    p = p * z - 0.5f;
    p = p * z + 1.0f;
  }
  return (quarters & 2u) == 0u ? p : -p;
}

vec2 vyre_halves(float a) {
  const float c = 4097.0f * a;
  const float high = c - (c - a);
  return vec2(high, a - high);
}
vec2 vyre_product(float a, float b) {
  const vec2 p = vyre_halves(a);
  const vec2 q = vyre_halves(b);
  const float high = a * b;
  const float rest = ((p.x * q.x - high) + p.x * q.y + p.y * q.x) + p.y * q.y;
  return vec2(high, rest);
}

float vyre_cos_f32(float a) {
#ifdef VYRE_OWN_FUNCTIONS
  return vyre_sine(a, 1u);
#else
  return cos(a);
#endif
}

float vyre_exp2_f32(float a) {
#ifdef VYRE_OWN_FUNCTIONS
  if (a >= 128.0f) return uintBitsToFloat(0x7f800000u);
  if (a < -150.0f) return 0.0f;
  return vyre_exp2_of(roundEven(a), a - roundEven(a));
#else
  return exp2(a);
#endif
}

float vyre_exp_f32(float a) {
#ifdef VYRE_OWN_FUNCTIONS
  return vyre_exp_of(a);
#else
  return exp(a);
#endif
}

#if defined(VYRE_OWN_FMA) && defined(VYRE_FLOAT64)
float vyre_fma_f32(float a, float b, float c) {
  const double product = double(a) * double(b);
  double sum = product + double(c);
  const double added = sum - product;
  const double error = (product - (sum - added)) + (double(c) - added);
  uvec2 bits = unpackDouble2x32(sum);
  if (abs(error) > 0.0lf && (bits.x & 1u) == 0u) {
    if ((error > 0.0lf) != (sum > 0.0lf)) {
      if (bits.x == 0u) bits.y -= 1u;
      bits.x -= 1u;
    } else {
      bits.x += 1u;
    }
    sum = packDouble2x32(bits);
  }
  return float(sum);
}
#elif defined(VYRE_OWN_FMA)
uvec2 vyre_shifted_right(uvec2 a, uint places) {  // (low, high), places > 0
  if (places >= 63u) return uvec2(1u, 0u);
  uvec2 lost = uvec2(a.x, places < 32u ? 0u : a.y);
  if (places < 32u) {
    lost.x = a.x << (32u - places);
    a = uvec2((a.x >> places) | (a.y << (32u - places)), a.y >> places);
  } else {
    if (places > 32u) lost.y = a.y << (64u - places);
    if (places == 32u) lost.y = 0u;
    a = uvec2(a.y >> (places - 32u), 0u);
  }
  return uvec2(a.x | uint((lost.x | lost.y) != 0u), a.y);
}
float vyre_fma_f32(float a, float b, float c) {
  const uvec3 bits = floatBitsToUint(vec3(a, b, c));
  const ivec3 exponents = ivec3((bits >> 23) & 0xffu);
  if (exponents.x == 255 || exponents.y == 255) return a * b + c;
  if (exponents.z == 255) return c;
  if (exponents.x == 0 || exponents.y == 0) return exponents.z == 0 ? 0.0f : c;
  const uvec3 m = (bits & 0x7fffffu) | 0x800000u;
  uint high, low;
  umulExtended(m.x, m.y, high, low);
  const uint up = (high & 0x8000u) != 0u ? 15u : 16u;
  uvec2 x = uvec2(low << up, (high << up) | (low >> (32u - up)));
  uvec2 y = uvec2(0u, m.z << 7);
  int e = exponents.x + exponents.y - 254 + int(16u - up);
  int e_y = exponents.z - 127;
  uint sign_x = (bits.x ^ bits.y) & 0x80000000u;
  uint sign_y = bits.z & 0x80000000u;
  if (exponents.z == 0) {
    y = uvec2(0u);
    e_y = e;
  }
  if (e_y > e || (e_y == e && (y.y > x.y || (y.y == x.y && y.x > x.x)))) {
    const uvec2 other = x;
    x = y;
    y = other;
    const int e_other = e;
    e = e_y;
    e_y = e_other;
    const uint sign_other = sign_x;
    sign_x = sign_y;
    sign_y = sign_other;
  }
  if (e > e_y) y = vyre_shifted_right(y, uint(e - e_y));
  uint carry;
  uvec2 sum;
  if (sign_x == sign_y) {
    sum.x = uaddCarry(x.x, y.x, carry);
    sum.y = x.y + y.y + carry;
  } else {
    sum.x = usubBorrow(x.x, y.x, carry);
    sum.y = x.y - y.y - carry;
  }
  if ((sum.x | sum.y) == 0u) return 0.0f;
  const int first = sum.y != 0u ? 32 + findMSB(sum.y) : findMSB(sum.x);
  e += first - 62;
  const uint left = uint(63 - first);
  if (left >= 32u) {
    sum = uvec2(0u, sum.x << (left - 32u));
  } else if (left > 0u) {
    sum = uvec2(sum.x << left, (sum.y << left) | (sum.x >> (32u - left)));
  }
  uint rounded = sum.y >> 8;
  const bool sticky = (sum.y & 0x7fu) != 0u || sum.x != 0u;
  if ((sum.y & 0x80u) != 0u && (sticky || (rounded & 1u) != 0u)) rounded += 1u;
  if (e >= 128) return uintBitsToFloat(sign_x | 0x7f800000u);
  if (e <= -127) return 0.0f;
  return uintBitsToFloat(sign_x | ((uint(e + 126) << 23) + rounded));
}
#else
float vyre_fma_f32(float a, float b, float c) {
  return fma(a, b, c);
}
#endif

bool vyre_is_nan_f32(float a) {
  return (floatBitsToUint(a) << 1) > 0xff000000u;
}

float vyre_log2_f32(float a) {
#ifdef VYRE_OWN_FUNCTIONS
  float special, whole;
  if (vyre_log_is_special(a, special)) return special;
  return vyre_log_of(a, whole) * 1.44269502f + whole;
#else
  return log2(a);
#endif
}

float vyre_log_f32(float a) {
#ifdef VYRE_OWN_FUNCTIONS
  float special, whole;
  if (vyre_log_is_special(a, special)) return special;
  const float part = vyre_log_of(a, whole);
  return whole * 0.693359375f + (whole * -0.000212194442f + part);
#else
  return log(a);
#endif
}

float vyre_max_f32(float a, float b) {
  return b > a || (floatBitsToUint(a) << 1) > 0xff000000u ? b : a;
}

float vyre_min_f32(float a, float b) {
  return b < a || (floatBitsToUint(a) << 1) > 0xff000000u ? b : a;
}

float vyre_pow_of(float a, float b) {
  const uint bits = floatBitsToUint(a) - 0x3f3504f3u;
  const float whole = float(int(bits) >> 23);
  const float m = uintBitsToFloat((bits & 0x7fffffu) + 0x3f3504f3u);
  const float f = m - 1.0f;
  const float g = m + 1.0f;
  const float g_rest = m - (g - 1.0f);
  const float s = f / g;
  const vec2 sg = vyre_product(s, g);
  const float s_rest = (((f - sg.x) - sg.y) - s * g_rest) / g;
  const float z = s * s;
  float p = 0.0909090936f;
  p = p * z + 0.111111112f;
  p = p * z + 0.142857149f;
  p = p * z + 0.2f;
  p = p * z + 0.333333343f;
  const vec2 part = vyre_product(s, 2.88539004f);
  const float part_rest =
      part.y + (s * 3.85192607e-08f + (s_rest + s * z * p) * 2.88539004f);
  const float sum = whole + part.x;
  const float sum_rest = (part.x - (sum - whole)) + part_rest;
  const float log2_a = sum + sum_rest;
  const float log2_rest = sum_rest - (log2_a - sum);
  b = clamp(b, -8589934592.0f, 8589934592.0f);
  const vec2 power = vyre_product(log2_a, b);
  if (power.x > 130.0f) return uintBitsToFloat(0x7f800000u);
  if (power.x < -152.0f) return 0.0f;
  const float n = roundEven(power.x);
  return vyre_exp2_of(n, (power.x - n) + (power.y + log2_rest * b));
}
float vyre_pow_f32(float a, float b) {
  const uint a_bits = floatBitsToUint(a) & 0x7fffffffu;
  const uint b_bits = floatBitsToUint(b) & 0x7fffffffu;
  const float infinity = uintBitsToFloat(0x7f800000u);
  if (b_bits < 0x00800000u || floatBitsToUint(a) == 0x3f800000u) return 1.0f;
  if (a_bits > 0x7f800000u || b_bits > 0x7f800000u) return uintBitsToFloat(0x7fc00000u);
  const bool rises = b > 0.0f;
  if (b_bits == 0x7f800000u) {
    if (a_bits == 0x3f800000u) return 1.0f;
    return (a_bits > 0x3f800000u) == rises ? infinity : 0.0f;
  }
  const bool is_whole = b == trunc(b);
  const bool is_odd = is_whole && b_bits < 0x4b800000u && (int(b) & 1) != 0;
  const bool negative = int(floatBitsToUint(a)) < 0;
  float value;
  if (a_bits < 0x00800000u) {
    value = rises ? 0.0f : infinity;
  } else if (a_bits == 0x7f800000u) {
    value = rises ? infinity : 0.0f;
  } else if (negative && !is_whole) {
    return uintBitsToFloat(0x7fc00000u);
  } else {
    value = vyre_pow_of(uintBitsToFloat(a_bits), b);
  }
  return negative && is_odd ? -value : value;
}

float vyre_sin_f32(float a) {
#ifdef VYRE_OWN_FUNCTIONS
  return vyre_sine(a, 0u);
#else
  return sin(a);
#endif
}

float vyre_tanh_f32(float a) {
  const float z = a * a;
  if (z < 0.0625f) return a + a * z * (-0.333333343f + z * (0.13333334f - z * 0.0539682545f));
  const float t = 1.0f - 2.0f / (vyre_exp_of(2.0f * abs(a)) + 1.0f);
  return a < 0.0f ? -t : t;
}

// program floats
layout(local_size_x = 64, local_size_y = 1, local_size_z = 1) in;
layout(set = 0, binding = 0, std430) restrict readonly buffer vyre_buffer_0 { float x[]; };
layout(set = 0, binding = 1, std430) restrict buffer vyre_buffer_1 { float y[]; };
layout(push_constant) uniform vyre_values {
  uvec4 vyre_first_group;
  uvec4 vyre_groups;
  uint n;
  float a;
};

void main() {
  const uvec3 vyre_group_id = gl_WorkGroupID + vyre_first_group.xyz;
  const uvec3 vyre_global_id = vyre_group_id * gl_WorkGroupSize + gl_LocalInvocationID;
  const float eps = uintBitsToFloat(0x358637bdu) /* 1e-06 */;
  const float huge = uintBitsToFloat(0x7f800000u);
  uint i = vyre_global_id.x;
  if (i < n) {
    float v = x[i];
    float s = v * a + uintBitsToFloat(0x3dcccccdu) /* 0.1 */ - -0.0f / (v - eps) + abs(v) * -1.5f;
    s = vyre_min_f32(s, vyre_max_f32(v, huge)) + vyre_fma_f32(v, a, s) + uintBitsToFloat(0x7fc00000u);
    s = s + sqrt(v) + inversesqrt(v) + vyre_exp_f32(v) + vyre_exp2_f32(v) + vyre_log_f32(v) + vyre_log2_f32(v) + vyre_sin_f32(v) + vyre_cos_f32(v) + vyre_tanh_f32(v);
    s = s + vyre_pow_f32(v, a) + floor(v) + ceil(v) + trunc(v) + roundEven(v);
    y[i] = (vyre_is_nan_f32(s) || (s >= uintBitsToFloat(0x7f7fffffu) /* 3.4028235e+38 */)) ? uintBitsToFloat(0x00000001u) /* 1e-45 */ : s;
  }
}
