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

// program statements
layout(local_size_x = 64, local_size_y = 1, local_size_z = 1) in;
layout(set = 0, binding = 0, std430) restrict coherent buffer vyre_buffer_0 { uint x[]; };
layout(set = 0, binding = 1, std430) restrict coherent buffer vyre_buffer_1 { uint count[]; };
layout(push_constant) uniform vyre_values {
  uvec4 vyre_first_group;
  uvec4 vyre_groups;
  uint n;
};
shared uint t[64];

void vyre_store_x_u32(uint vyre_length, uint vyre_at, uint vyre_value) {
  if (vyre_at < vyre_length) x[vyre_at] = vyre_value;
}

void main() {
  const uvec3 vyre_group_id = gl_WorkGroupID + vyre_first_group.xyz;
  const uvec3 vyre_global_id = vyre_group_id * gl_WorkGroupSize + gl_LocalInvocationID;
  const uint x_length = n;
  uint i = vyre_global_id.x;
  uint sum = 0u;
  if (i == 0u) {
    sum = 1u;
  } else if (i == 1u) {
    sum = 2u;
  } else if (i == 2u) {
  } else {
    if (i == 3u) {
      sum = 3u;
    }
    sum = sum + 4u;
  }
  for (uint j = 0u; j < n; ++j) {
    sum = sum + j;
  }
  [[partial_count(4)]]
  for (int j = -4; j < 4; j += 2) {
    [[unroll]]
    for (uint64_t k = 0ul; k < 8ul; k += 1ul) {
      sum = sum + uint(k) + uint(j);
    }
  }
  for (uint while_turn = 0; while_turn < 32u && sum > 100u; ++while_turn) {
    sum = sum >> 1u;
  }
  t[gl_LocalInvocationID.x] = sum;
  controlBarrier(gl_ScopeWorkgroup, gl_ScopeWorkgroup, gl_StorageSemanticsBuffer | gl_StorageSemanticsShared, gl_SemanticsAcquireRelease);
  // reduce all of it
  {
    vyre_store_x_u32(x_length, i, t[63u - gl_LocalInvocationID.x]);
    // inner
    {
    }
  }
  atomicAdd(count[0u], sum);
  atomicMin(count[1u], sum);
  atomicMax(count[1u + 1u], sum);
  uint old = atomicExchange(count[3u], sum);
  uint seen = atomicCompSwap(count[3u], old, sum);
  if (seen == old) {
    return;
  }
  seen = 0u;
  vyre_store_x_u32(x_length, i, seen);
}
