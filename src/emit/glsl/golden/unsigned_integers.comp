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

uint vyre_clz_u32(uint a) {
  return uint(31 - findMSB(uint(a)));
}

uint vyre_div_u32(uint a, uint b) {
  return b == uint(0) ? ~uint(0) : a / (b == uint(0) ? uint(1) : b);
}

uint64_t vyre_div_u64(uint64_t a, uint64_t b) {
  return b == uint64_t(0) ? ~uint64_t(0) : a / (b == uint64_t(0) ? uint64_t(1) : b);
}

uint vyre_mod_u32(uint a, uint b) {
  return b == uint(0) ? uint(0) : a % (b == uint(0) ? uint(1) : b);
}

uint64_t vyre_mod_u64(uint64_t a, uint64_t b) {
  return b == uint64_t(0) ? uint64_t(0) : a % (b == uint64_t(0) ? uint64_t(1) : b);
}

uint vyre_mulhi_u32(uint a, uint b) {
  uint high, low;
  umulExtended(a, b, high, low);
  return high;
}

uint64_t vyre_mulhi_u64(uint64_t a, uint64_t b) {
  const uint64_t a1 = a >> 32, b1 = b >> 32, a0 = a & 0xfffffffful, b0 = b & 0xfffffffful;
  const uint64_t first = a1 * b0 + ((a0 * b0) >> 32);
  const uint64_t second = a0 * b1 + (first & 0xfffffffful);
  return a1 * b1 + (first >> 32) + (second >> 32);
}

uint vyre_popcount_u32(uint a) {
  return uint(bitCount(a));
}

// program unsigned_integers
layout(local_size_x = 64, local_size_y = 1, local_size_z = 1) in;
layout(set = 0, binding = 0, std430) restrict readonly buffer vyre_buffer_0 { uint a[]; };
layout(set = 0, binding = 1, std430) restrict readonly buffer vyre_buffer_1 { uint64_t b[]; };
layout(set = 0, binding = 2, std430) restrict buffer vyre_buffer_2 { uint y[]; };
layout(set = 0, binding = 3, std430) restrict buffer vyre_buffer_3 { uint64_t z[]; };
layout(push_constant) uniform vyre_values {
  uvec4 vyre_first_group;
  uvec4 vyre_groups;
  uint n;
  uint s;
  uint64_t t;
};

void main() {
  const uvec3 vyre_group_id = gl_WorkGroupID + vyre_first_group.xyz;
  const uvec3 vyre_global_id = vyre_group_id * gl_WorkGroupSize + gl_LocalInvocationID;
  uint i = vyre_global_id.x;
  if (i >= n) {
    return;
  }
  uint p = a[i];
  uint64_t q = b[i];
  y[i] = vyre_div_u32(p, s) + vyre_mod_u32(p, s) + p / 3u + p % n;
  y[i] = ((y[i] << (s & 31u)) ^ (y[i] >> (s & 31u))) | ~p;
  y[i] = y[i] + vyre_mulhi_u32(p, s) * vyre_popcount_u32(p) - vyre_clz_u32(p) + min(p, max(s, 4u));
  z[i] = vyre_div_u64(q, t) + vyre_mod_u64(q, t) + q / 10ul + (q << (s & 63u)) + (q >> 40u) * 18446744073709551615ul;
  z[i] = z[i] + uint64_t(p) * uint64_t(s) + vyre_mulhi_u64(q, t);
}
