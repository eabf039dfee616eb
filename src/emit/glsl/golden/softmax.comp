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

float vyre_exp_f32(float a) {
#ifdef VYRE_OWN_FUNCTIONS
  return vyre_exp_of(a);
#else
  return exp(a);
#endif
}

// program partial_sums
layout(local_size_x = 64, local_size_y = 1, local_size_z = 1) in;
layout(set = 0, binding = 0, std430) restrict readonly buffer vyre_buffer_0 { float cost[]; };
layout(set = 0, binding = 1, std430) restrict coherent buffer vyre_buffer_1 { float sums[]; };
layout(push_constant) uniform vyre_values {
  uvec4 vyre_first_group;
  uvec4 vyre_groups;
  uint n;
  float v_inverse;
};
shared float part[64];

void vyre_store_sums_f32(uint vyre_length, uint vyre_at, float vyre_value) {
  if (vyre_at < vyre_length) sums[vyre_at] = vyre_value;
}

void main() {
  const uvec3 vyre_group_id = gl_WorkGroupID + vyre_first_group.xyz;
  const uvec3 vyre_global_id = vyre_group_id * gl_WorkGroupSize + gl_LocalInvocationID;
  const uint tile = 64u;
  const uint sums_length = (n + tile - 1u) / tile;
  uint i = vyre_global_id.x;
  uint lane = gl_LocalInvocationID.x;
  // load
  {
    part[lane] = i < n ? vyre_exp_f32(-cost[i] * v_inverse) : 0.0f;
  }
  controlBarrier(gl_ScopeWorkgroup, gl_ScopeWorkgroup, gl_StorageSemanticsBuffer | gl_StorageSemanticsShared, gl_SemanticsAcquireRelease);
  if (lane == 0u) {
    float total = 0.0f;
    [[partial_count(4)]]
    for (uint j = 0u; j < tile; ++j) {
      total = total + part[j];
    }
    vyre_store_sums_f32(sums_length, vyre_group_id.x, total);
  }
}
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

// program converged
layout(local_size_x = 1, local_size_y = 1, local_size_z = 1) in;
layout(set = 0, binding = 0, std430) restrict readonly buffer vyre_buffer_0 { float sums[]; };
layout(set = 0, binding = 1, std430) restrict buffer vyre_buffer_1 { uint done[]; };
layout(push_constant) uniform vyre_values {
  uvec4 vyre_first_group;
  uvec4 vyre_groups;
  uint m;
};

void main() {
  done[0u] = uint(sums[0u] > 0.0f);
}
