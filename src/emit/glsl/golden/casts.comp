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

int vyre_f32_to_i32(float a) {
  const int most = int(~uint(0) >> 1);
  if (a >= 2147483648.0f) return most;
  if (a < -2147483648.0f) return -most - int(1);
  return abs(a) <= 2147483648.0f ? int(abs(a) <= 2147483648.0f ? a : 0.0f) : int(0);
}

int64_t vyre_f32_to_i64(float a) {
  const int64_t most = int64_t(~uint64_t(0) >> 1);
  if (a >= 9223372036854775808.0f) return most;
  if (a < -9223372036854775808.0f) return -most - int64_t(1);
  return abs(a) <= 9223372036854775808.0f ? int64_t(abs(a) <= 9223372036854775808.0f ? a : 0.0f) : int64_t(0);
}

uint vyre_f32_to_u32(float a) {
  if (a >= 4294967296.0f) return ~uint(0);
  return a > 0.0f ? uint(a > 0.0f ? a : 0.0f) : uint(0);
}

uint64_t vyre_f32_to_u64(float a) {
  if (a >= 18446744073709551616.0f) return ~uint64_t(0);
  return a > 0.0f ? uint64_t(a > 0.0f ? a : 0.0f) : uint64_t(0);
}

int64_t vyre_i32_to_i64(int a) {
  return int64_t((uint64_t(uint(a)) ^ 0x80000000ul) - 0x80000000ul);
}
int64_t vyre_i32_to_i64(bool a) {
  return a ? int64_t(1) : int64_t(0);
}

// program casts
layout(local_size_x = 64, local_size_y = 1, local_size_z = 1) in;
layout(set = 0, binding = 0, std430) restrict readonly buffer vyre_buffer_0 { float f[]; };
layout(set = 0, binding = 1, std430) restrict readonly buffer vyre_buffer_1 { int64_t l[]; };
layout(set = 0, binding = 2, std430) restrict buffer vyre_buffer_2 { uint y[]; };
layout(set = 0, binding = 3, std430) restrict buffer vyre_buffer_3 { int64_t z[]; };
layout(set = 0, binding = 4, std430) restrict buffer vyre_buffer_4 { float g[]; };
layout(push_constant) uniform vyre_values {
  uvec4 vyre_first_group;
  uvec4 vyre_groups;
  uint n;
  uint flag_bits;
};

void main() {
  const uvec3 vyre_group_id = gl_WorkGroupID + vyre_first_group.xyz;
  const uvec3 vyre_global_id = vyre_group_id * gl_WorkGroupSize + gl_LocalInvocationID;
  const bool flag = flag_bits != 0;
  uint i = vyre_global_id.x;
  if (i < n) {
    float v = f[i];
    int64_t w = l[i];
    y[i] = vyre_f32_to_u32(v) + uint(vyre_f32_to_i32(v)) + uint(vyre_f32_to_u64(v)) + uint(vyre_f32_to_i64(v)) + uint(flag) + uint(v != 0.0f) + uint(w);
    z[i] = int64_t(uint64_t(int64_t(uint64_t(w))) + uint64_t(vyre_i32_to_i64(int(w))) + uint64_t(int64_t(i)) + uint64_t(vyre_i32_to_i64(flag)) + uint64_t(int64_t(uint64_t(w))));
    g[i] = float(w) + float(uint64_t(w)) + float(int(w)) + float(i) + float(flag) + float(w != 0l);
    g[i] = uintBitsToFloat(uint(uint(floatBitsToUint(g[i])) + uint(int(floatBitsToUint(v)))));
  }
}
