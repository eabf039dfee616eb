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

int vyre_abs_i32(int a) {
  return a < int(0) ? int(uint(0) - uint(a)) : a;
}

int64_t vyre_abs_i64(int64_t a) {
  return a < int64_t(0) ? int64_t(uint64_t(0) - uint64_t(a)) : a;
}

int vyre_clz_i32(int a) {
  return int(31 - findMSB(uint(a)));
}

int vyre_div_i32(int a, int b) {
  if (b == int(-1)) return int(uint(0) - uint(a));
  return b == int(0) ? int(-1) : a / (b == int(0) || b == int(-1) ? int(1) : b);
}

int64_t vyre_div_i64(int64_t a, int64_t b) {
  if (b == int64_t(-1)) return int64_t(uint64_t(0) - uint64_t(a));
  return b == int64_t(0) ? int64_t(-1) : a / (b == int64_t(0) || b == int64_t(-1) ? int64_t(1) : b);
}

int64_t vyre_i32_to_i64(int a) {
  return int64_t((uint64_t(uint(a)) ^ 0x80000000ul) - 0x80000000ul);
}
int64_t vyre_i32_to_i64(bool a) {
  return a ? int64_t(1) : int64_t(0);
}

int vyre_mod_i32(int a, int b) {
  const int d = b == int(0) || b == int(-1) ? int(1) : b;
  return a - a / d * d;
}

int64_t vyre_mod_i64(int64_t a, int64_t b) {
  const int64_t d = b == int64_t(0) || b == int64_t(-1) ? int64_t(1) : b;
  return a - a / d * d;
}

int vyre_mulhi_i32(int a, int b) {
  int high, low;
  imulExtended(a, b, high, low);
  return high;
}

int64_t vyre_mulhi_i64(int64_t p, int64_t q) {
  const uint64_t a = uint64_t(p), b = uint64_t(q);
  const uint64_t a1 = a >> 32, b1 = b >> 32, a0 = a & 0xfffffffful, b0 = b & 0xfffffffful;
  const uint64_t first = a1 * b0 + ((a0 * b0) >> 32);
  const uint64_t second = a0 * b1 + (first & 0xfffffffful);
  const uint64_t high = a1 * b1 + (first >> 32) + (second >> 32);
  return int64_t(high - (p < int64_t(0) ? b : uint64_t(0)) - (q < int64_t(0) ? a : uint64_t(0)));
}

int vyre_popcount_i32(int a) {
  return int(bitCount(a));
}

// program signed_integers
layout(local_size_x = 64, local_size_y = 1, local_size_z = 1) in;
layout(set = 0, binding = 0, std430) restrict readonly buffer vyre_buffer_0 { int a[]; };
layout(set = 0, binding = 1, std430) restrict readonly buffer vyre_buffer_1 { int64_t b[]; };
layout(set = 0, binding = 2, std430) restrict buffer vyre_buffer_2 { int y[]; };
layout(set = 0, binding = 3, std430) restrict buffer vyre_buffer_3 { int64_t z[]; };
layout(push_constant) uniform vyre_values {
  uvec4 vyre_first_group;
  uvec4 vyre_groups;
  uint n;
  int s;
  int64_t t;
};

void main() {
  const uvec3 vyre_group_id = gl_WorkGroupID + vyre_first_group.xyz;
  const uvec3 vyre_global_id = vyre_group_id * gl_WorkGroupSize + gl_LocalInvocationID;
  uint i = vyre_global_id.x;
  if (i < n) {
    int p = a[i];
    int64_t q = b[i];
    y[i] = int((uint(p) + uint(s)) * (uint(p) - uint(s)) - (0u - uint(p)) + uint(vyre_abs_i32(p)) * 3u);
    y[i] = int(uint(y[i]) + uint(vyre_div_i32(p, s)) + uint(vyre_mod_i32(p, s)) + uint(p / 7) + uint(vyre_mod_i32(p, -5)) + uint(vyre_div_i32(p, -1)));
    y[i] = y[i] ^ (int(uint(p) << (uint(s) & 31u)) | ((p >> 3u) & ~s));
    y[i] = int(uint(y[i]) + uint(vyre_mulhi_i32(p, s)) + uint(vyre_popcount_i32(p)) + uint(vyre_clz_i32(s)) + uint(min(p, max(s, -2147483647 - 1))));
    z[i] = int64_t((uint64_t(q) + uint64_t(t)) * (uint64_t(q) - uint64_t(t)) - (0u - uint64_t(q)) + uint64_t(vyre_abs_i64(q)) * 9223372036854775808ul);
    z[i] = int64_t(uint64_t(z[i]) + uint64_t(vyre_div_i64(q, t)) + uint64_t(vyre_mod_i64(q, t)) + uint64_t(int64_t(uint64_t(q) << 63u)) + uint64_t(q >> (uint(s) & 63u)) + uint64_t(vyre_mulhi_i64(q, t)));
    z[i] = int64_t(uint64_t(z[i]) + uint64_t(vyre_i32_to_i64(p) * 2l));
  }
}
