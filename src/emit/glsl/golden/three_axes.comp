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

// program three_axes
layout(local_size_x = 8, local_size_y = 4, local_size_z = 2) in;
layout(set = 0, binding = 0, std430) restrict readonly buffer vyre_buffer_0 { float x[]; };
layout(set = 0, binding = 1, std430) restrict coherent buffer vyre_buffer_1 { float y[]; };
layout(push_constant) uniform vyre_values {
  uvec4 vyre_first_group;
  uvec4 vyre_groups;
  uint n;
  uint m;
  uint p;
};
shared float t[64];

void main() {
  const uvec3 vyre_group_id = gl_WorkGroupID + vyre_first_group.xyz;
  const uvec3 vyre_global_id = vyre_group_id * gl_WorkGroupSize + gl_LocalInvocationID;
  for (uint zero_at = gl_LocalInvocationID.x + 8 * gl_LocalInvocationID.y + 32 * gl_LocalInvocationID.z; zero_at < 64; zero_at += 64) t[zero_at] = 0;
  barrier();
  uint k = vyre_global_id.x;
  uint j = vyre_global_id.y;
  uint i = vyre_global_id.z;
  uint l = (gl_LocalInvocationID.z * 4u + gl_LocalInvocationID.y) * 8u + gl_LocalInvocationID.x;
  bool inside = ((i < n) && (j < m)) && (k < p);
  if (inside) {
    t[l] = x[(i * m + j) * p + k];
  }
  controlBarrier(gl_ScopeWorkgroup, gl_ScopeWorkgroup, gl_StorageSemanticsBuffer | gl_StorageSemanticsShared, gl_SemanticsAcquireRelease);
  if (inside) {
    y[(i * m + j) * p + k] = t[63u - l] + float(vyre_groups.z + vyre_group_id.y + (vyre_groups.x * 8u));
  }
}
