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

uint vyre_trip_count_u32(uint begin, uint end, uint step) {
  if (begin >= end || step <= uint(0)) return uint(0);
  return (uint(end) - uint(begin) - uint(1)) / uint(step) + uint(1);
}

// program kernels
layout(local_size_x = 64, local_size_y = 1, local_size_z = 1) in;
layout(set = 0, binding = 0, std430) restrict readonly buffer vyre_buffer_0 { float global[]; };
layout(set = 0, binding = 1, std430) restrict readonly buffer vyre_buffer_1 { float v_vyre_load[]; };
layout(set = 0, binding = 2, std430) restrict buffer vyre_buffer_2 { float x[]; };
layout(set = 0, binding = 3, std430) restrict buffer vyre_buffer_3 { float get_id[]; };
layout(push_constant) uniform vyre_values {
  uvec4 vyre_first_group;
  uvec4 vyre_groups;
  uint N;
  uint v_MAX;
  float v_float4;
  float v_step;
};
uint v_p[4] = {};

float vyre_load_global_f32(uint vyre_length, uint vyre_at) {
  if (vyre_at < vyre_length) return global[vyre_at];
  return float(0);
}

uint vyre_load_v_p_u32(uint vyre_length, uint vyre_at) {
  if (vyre_at < vyre_length) return v_p[vyre_at];
  return uint(0);
}

float vyre_load_v_vyre_load_f32(uint vyre_length, uint vyre_at) {
  if (vyre_at < vyre_length) return v_vyre_load[vyre_at];
  return float(0);
}

void vyre_store_get_id_f32(uint vyre_length, uint vyre_at, float vyre_value) {
  if (vyre_at < vyre_length) get_id[vyre_at] = vyre_value;
}

void vyre_store_v_p_u32(uint vyre_length, uint vyre_at, uint vyre_value) {
  if (vyre_at < vyre_length) v_p[vyre_at] = vyre_value;
}

void vyre_store_x_f32(uint vyre_length, uint vyre_at, float vyre_value) {
  if (vyre_at < vyre_length) x[vyre_at] = vyre_value;
}

void main() {
  const uvec3 vyre_group_id = gl_WorkGroupID + vyre_first_group.xyz;
  const uvec3 vyre_global_id = vyre_group_id * gl_WorkGroupSize + gl_LocalInvocationID;
  const uint v_int = 3u;
  const uint global_length = N;
  const uint v_vyre_load_length = v_MAX;
  const uint x_length_2 = N;
  const uint get_id_length = N;
  uint kernel = vyre_global_id.x;
  uint x_length = x_length_2 + get_id_length;
  {
    uint k = 0u;
    for (uint k_left_2 = vyre_trip_count_u32(k, x_length, v_int); k_left_2 != 0; --k_left_2, k += v_int) {
      uint k_end = k + kernel;
      uint k_left = k_end;
      uint v_x = k_left;
      vyre_store_x_f32(x_length_2, k, vyre_load_global_f32(global_length, k) * v_step + vyre_load_v_vyre_load_f32(v_vyre_load_length, v_x) * v_float4);
      vyre_store_v_p_u32(4u, kernel, v_x);
      vyre_store_get_id_f32(get_id_length, vyre_load_v_p_u32(4u, k), 1.0f);
    }
  }
}
