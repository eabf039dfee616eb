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

// program matmul_tiles
layout(local_size_x = 16, local_size_y = 16, local_size_z = 1) in;
layout(set = 0, binding = 0, std430) restrict readonly buffer vyre_buffer_0 { float a[]; };
layout(set = 0, binding = 1, std430) restrict readonly buffer vyre_buffer_1 { float b[]; };
layout(set = 0, binding = 2, std430) restrict coherent buffer vyre_buffer_2 { float c[]; };
layout(push_constant) uniform vyre_values {
  uvec4 vyre_first_group;
  uvec4 vyre_groups;
  uint n;
};
shared float ta[256];
shared float tb[256];
float acc[4] = {};

void main() {
  const uvec3 vyre_group_id = gl_WorkGroupID + vyre_first_group.xyz;
  const uvec3 vyre_global_id = vyre_group_id * gl_WorkGroupSize + gl_LocalInvocationID;
  const uint t = 16u;
  const uint w = 4u;
  uint col = vyre_global_id.x;
  uint row = vyre_global_id.y;
  uint lx = gl_LocalInvocationID.x;
  uint ly = gl_LocalInvocationID.y;
  for (uint k0 = 0u, k0_end = (n + t - 1u) / t; k0 < k0_end; ++k0) {
    uint ka = k0 * t + lx;
    uint kb = k0 * t + ly;
    ta[ly * t + lx] = ((row < n) && (ka < n)) ? a[row * n + ka] : 0.0f;
    tb[ly * t + lx] = ((kb < n) && (col < n)) ? b[kb * n + col] : 0.0f;
    controlBarrier(gl_ScopeWorkgroup, gl_ScopeWorkgroup, gl_StorageSemanticsBuffer | gl_StorageSemanticsShared, gl_SemanticsAcquireRelease);
    [[unroll]]
    for (uint k = 0u; k < t; ++k) {
      acc[k % w] = vyre_fma_f32(ta[ly * t + k], tb[k * t + lx], acc[k % w]);
    }
    controlBarrier(gl_ScopeWorkgroup, gl_ScopeWorkgroup, gl_StorageSemanticsBuffer | gl_StorageSemanticsShared, gl_SemanticsAcquireRelease);
  }
  if ((row < n) && (col < n)) {
    c[row * n + col] = acc[0u] + acc[1u] + (acc[2u] + acc[3u]);
  }
}
