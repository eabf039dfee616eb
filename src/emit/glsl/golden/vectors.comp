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

uint vyre_div_u32(uint a, uint b) {
  return b == uint(0) ? ~uint(0) : a / (b == uint(0) ? uint(1) : b);
}

uvec2 vyre_div_u32x2(uvec2 a, uvec2 b) {
  return uvec2(vyre_div_u32(a.x, b.x), vyre_div_u32(a.y, b.y));
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

vec4 vyre_fma_f32x4(vec4 a, vec4 b, vec4 c) {
  return vec4(vyre_fma_f32(a.x, b.x, c.x), vyre_fma_f32(a.y, b.y, c.y), vyre_fma_f32(a.z, b.z, c.z), vyre_fma_f32(a.w, b.w, c.w));
}

float vyre_max_f32(float a, float b) {
  return b > a || (floatBitsToUint(a) << 1) > 0xff000000u ? b : a;
}

vec4 vyre_max_f32x4(vec4 a, vec4 b) {
  return vec4(vyre_max_f32(a.x, b.x), vyre_max_f32(a.y, b.y), vyre_max_f32(a.z, b.z), vyre_max_f32(a.w, b.w));
}

float vyre_min_f32(float a, float b) {
  return b < a || (floatBitsToUint(a) << 1) > 0xff000000u ? b : a;
}

vec4 vyre_min_f32x4(vec4 a, vec4 b) {
  return vec4(vyre_min_f32(a.x, b.x), vyre_min_f32(a.y, b.y), vyre_min_f32(a.z, b.z), vyre_min_f32(a.w, b.w));
}

uint vyre_mod_u32(uint a, uint b) {
  return b == uint(0) ? uint(0) : a % (b == uint(0) ? uint(1) : b);
}

uvec2 vyre_mod_u32x2(uvec2 a, uvec2 b) {
  return uvec2(vyre_mod_u32(a.x, b.x), vyre_mod_u32(a.y, b.y));
}

uint vyre_mulhi_u32(uint a, uint b) {
  uint high, low;
  umulExtended(a, b, high, low);
  return high;
}

uvec2 vyre_mulhi_u32x2(uvec2 a, uvec2 b) {
  return uvec2(vyre_mulhi_u32(a.x, b.x), vyre_mulhi_u32(a.y, b.y));
}

uint vyre_popcount_u32(uint a) {
  return uint(bitCount(a));
}

uvec2 vyre_popcount_u32x2(uvec2 a) {
  return uvec2(vyre_popcount_u32(a.x), vyre_popcount_u32(a.y));
}

// program vectors
layout(local_size_x = 64, local_size_y = 1, local_size_z = 1) in;
layout(set = 0, binding = 0, std430) restrict readonly buffer vyre_buffer_0 { float x[]; };
layout(set = 0, binding = 1, std430) restrict readonly buffer vyre_buffer_1 { uint a[]; };
layout(set = 0, binding = 2, std430) restrict buffer vyre_buffer_2 { float y[]; };
layout(set = 0, binding = 3, std430) restrict buffer vyre_buffer_3 { uint b[]; };
layout(push_constant) uniform vyre_values {
  uvec4 vyre_first_group;
  uvec4 vyre_groups;
  uint n;
  uint k;
};
shared float t[256];
uint p[8] = {};

uvec2 vyre_get_a_u32x2(uint vyre_at) {
  return uvec2(a[vyre_at * 2], a[vyre_at * 2 + 1]);
}

uvec2 vyre_get_p_u32x2(uint vyre_at) {
  return uvec2(p[vyre_at * 2], p[vyre_at * 2 + 1]);
}

vec4 vyre_get_t_f32x4(uint vyre_at) {
  vyre_at *= 4;
  return vec4(t[vyre_at], t[vyre_at + 1], t[vyre_at + 2], t[vyre_at + 3]);
}

vec4 vyre_get_x_f32x4(uint vyre_at) {
  vyre_at *= 4;
  return vec4(x[vyre_at], x[vyre_at + 1], x[vyre_at + 2], x[vyre_at + 3]);
}

vec4 vyre_load_x_f32x4(uint vyre_length, uint vyre_at) {
  vec4 vyre_value = vec4(0);
  if (vyre_at < vyre_length / 4) {
    [[unroll]]
    for (uint vyre_k = 0; vyre_k < 4; ++vyre_k) vyre_value[vyre_k] = x[vyre_at * 4 + vyre_k];
  }
  return vyre_value;
}

void vyre_set_b_u32x4(uint vyre_at, uvec4 vyre_value) {
  vyre_at *= 4;
  b[vyre_at] = vyre_value.x;
  b[vyre_at + 1] = vyre_value.y;
  b[vyre_at + 2] = vyre_value.z;
  b[vyre_at + 3] = vyre_value.w;
}

void vyre_set_p_u32x2(uint vyre_at, uvec2 vyre_value) {
  p[vyre_at * 2] = vyre_value.x;
  p[vyre_at * 2 + 1] = vyre_value.y;
}

void vyre_set_t_f32x4(uint vyre_at, vec4 vyre_value) {
  vyre_at *= 4;
  t[vyre_at] = vyre_value.x;
  t[vyre_at + 1] = vyre_value.y;
  t[vyre_at + 2] = vyre_value.z;
  t[vyre_at + 3] = vyre_value.w;
}

void vyre_set_y_f32x2(uint vyre_at, vec2 vyre_value) {
  y[vyre_at * 2] = vyre_value.x;
  y[vyre_at * 2 + 1] = vyre_value.y;
}

void vyre_set_y_f32x4(uint vyre_at, vec4 vyre_value) {
  vyre_at *= 4;
  y[vyre_at] = vyre_value.x;
  y[vyre_at + 1] = vyre_value.y;
  y[vyre_at + 2] = vyre_value.z;
  y[vyre_at + 3] = vyre_value.w;
}

void vyre_store_b_u32x2(uint vyre_length, uint vyre_at, uvec2 vyre_value) {
  if (vyre_at >= vyre_length / 2) return;
  [[unroll]]
  for (uint vyre_k = 0; vyre_k < 2; ++vyre_k) b[vyre_at * 2 + vyre_k] = vyre_value[vyre_k];
}

void main() {
  const uvec3 vyre_group_id = gl_WorkGroupID + vyre_first_group.xyz;
  const uvec3 vyre_global_id = vyre_group_id * gl_WorkGroupSize + gl_LocalInvocationID;
  const uint x_length = n;
  const uint b_length = n;
  for (uint zero_at = gl_LocalInvocationID.x; zero_at < 256; zero_at += 64) t[zero_at] = 0;
  barrier();
  uint i = vyre_global_id.x;
  uint l = gl_LocalInvocationID.x;
  if (i < n / 4u) {
    vec4 v = vyre_get_x_f32x4(i);
    vec4 w = vyre_load_x_f32x4(x_length, i + k);
    vyre_set_t_f32x4(l, vyre_min_f32x4(v, w) * vyre_max_f32x4(v, w) + vyre_fma_f32x4(v, w, -abs(v)));
    vyre_set_y_f32x4(i, v.x < w.w ? vyre_get_t_f32x4(l) : v / w);
    vyre_set_y_f32x2(i * 2u, vec2(v.x, sqrt(w).y));
    uvec2 c = vyre_get_a_u32x2(i);
    vyre_set_p_u32x2(i % 4u, vyre_div_u32x2(c, uvec2(k, 3u)) + vyre_mod_u32x2(c, uvec2(1u, i)));
    vyre_store_b_u32x2(b_length, k, (vyre_get_p_u32x2(1u) & ~c) | (c ^ (vyre_mulhi_u32x2(c, c) + vyre_popcount_u32x2(c))));
    vyre_set_b_u32x4(i, uvec4(c.x, c.y, k, min(i, k)));
  }
}
