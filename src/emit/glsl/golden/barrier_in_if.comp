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

// program barrier_in_if
layout(local_size_x = 64, local_size_y = 1, local_size_z = 1) in;
layout(set = 0, binding = 0, std430) restrict coherent buffer vyre_buffer_0 { uint y[]; };
layout(push_constant) uniform vyre_values {
  uvec4 vyre_first_group;
  uvec4 vyre_groups;
  uint n;
};
shared uint t[64];

void vyre_store_y_u32(uint vyre_length, uint vyre_at, uint vyre_value) {
  if (vyre_at < vyre_length) y[vyre_at] = vyre_value;
}

void main() {
  const uvec3 vyre_group_id = gl_WorkGroupID + vyre_first_group.xyz;
  const uvec3 vyre_global_id = vyre_group_id * gl_WorkGroupSize + gl_LocalInvocationID;
  const uint y_length = n * 3u;
  uint i = vyre_global_id.x;
  if (n < 182u) {
    t[gl_LocalInvocationID.x] = i;
    controlBarrier(gl_ScopeWorkgroup, gl_ScopeWorkgroup, gl_StorageSemanticsBuffer | gl_StorageSemanticsShared, gl_SemanticsAcquireRelease);
    vyre_store_y_u32(y_length, i * 3u + 1u, t[63u - gl_LocalInvocationID.x]);
  } else {
    vyre_store_y_u32(y_length, i * 3u + 2u, 1u);
  }
  vyre_store_y_u32(y_length, i * 3u, 2u);
}
