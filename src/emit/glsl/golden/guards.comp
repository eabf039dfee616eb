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

uint vyre_f32_to_u32(float a) {
  if (a >= 4294967296.0f) return ~uint(0);
  return a > 0.0f ? uint(a > 0.0f ? a : 0.0f) : uint(0);
}

uint vyre_index(uint64_t at) {
  return at < 0xfffffffful ? uint(at) : 0xffffffffu;
}

// program guards
layout(local_size_x = 64, local_size_y = 1, local_size_z = 1) in;
layout(set = 0, binding = 0, std430) restrict readonly buffer vyre_buffer_0 { uint x[]; };
layout(set = 0, binding = 1, std430) restrict buffer vyre_buffer_1 { uint y[]; };
layout(push_constant) uniform vyre_values {
  uvec4 vyre_first_group;
  uvec4 vyre_groups;
  uint n;
  uint s;
  int d;
  uint64_t w;
};
shared float t[70];
int64_t p[3] = {};

int64_t vyre_load_p_i64(uint vyre_length, uint vyre_at) {
  if (vyre_at < vyre_length) return p[vyre_at];
  return int64_t(0);
}

float vyre_load_t_f32(uint vyre_length, uint vyre_at) {
  if (vyre_at < vyre_length) return t[vyre_at];
  return float(0);
}

uint vyre_load_x_u32(uint vyre_length, uint vyre_at) {
  if (vyre_at < vyre_length) return x[vyre_at];
  return uint(0);
}

void vyre_store_p_i64(uint vyre_length, uint vyre_at, int64_t vyre_value) {
  if (vyre_at < vyre_length) p[vyre_at] = vyre_value;
}

void vyre_store_t_f32(uint vyre_length, uint vyre_at, float vyre_value) {
  if (vyre_at < vyre_length) t[vyre_at] = vyre_value;
}

void vyre_store_y_u32(uint vyre_length, uint vyre_at, uint vyre_value) {
  if (vyre_at < vyre_length) y[vyre_at] = vyre_value;
}

void main() {
  const uvec3 vyre_group_id = gl_WorkGroupID + vyre_first_group.xyz;
  const uvec3 vyre_global_id = vyre_group_id * gl_WorkGroupSize + gl_LocalInvocationID;
  const uint x_length = n;
  const uint y_length = n + 1u;
  for (uint zero_at = gl_LocalInvocationID.x; zero_at < 70; zero_at += 64) t[zero_at] = 0;
  barrier();
  uint i = vyre_global_id.x;
  vyre_store_y_u32(y_length, i, vyre_load_x_u32(x_length, i) + vyre_load_x_u32(x_length, uint(d)) + vyre_load_x_u32(x_length, vyre_index(w)) + vyre_load_x_u32(x_length, i * s));
  y[n] = x[n - 1u] + vyre_load_x_u32(x_length, i - 1u);
  vyre_store_t_f32(70u, i, vyre_load_t_f32(70u, s) + t[gl_LocalInvocationID.x + 6u]);
  vyre_store_p_i64(3u, s, int64_t(uint64_t(vyre_load_p_i64(3u, s % 4u)) + uint64_t(p[s % 3u])));
  vyre_store_y_u32(y_length, i + 1u, (i < n ? x[i] : vyre_load_x_u32(x_length, s)) + vyre_f32_to_u32(vyre_load_t_f32(70u, i)) + uint(vyre_load_p_i64(3u, uint(d))));
}
