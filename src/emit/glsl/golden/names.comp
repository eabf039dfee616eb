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

// program add
layout(local_size_x = 64, local_size_y = 1, local_size_z = 1) in;
layout(set = 0, binding = 0, std430) restrict buffer vyre_buffer_0 { uint v_length[]; };
layout(push_constant) uniform vyre_values {
  uvec4 vyre_first_group;
  uvec4 vyre_groups;
  uint v_min;
};

void main() {
  const uvec3 vyre_group_id = gl_WorkGroupID + vyre_first_group.xyz;
  const uvec3 vyre_global_id = vyre_group_id * gl_WorkGroupSize + gl_LocalInvocationID;
  const uint limit = 1u;
  const uint length_length = v_min;
  uint global_id = vyre_global_id.x;
  uint v_step = limit;
  [[partial_count(1)]]
  for (uint v_in = v_step; v_in < limit; v_in += v_step) {
    v_length[v_in] = min(v_min, length_length) + global_id;
  }
  for (uint while_turn = 0; while_turn < limit && v_step < v_min; ++while_turn) {
    uint v_atomic_add = v_step;
    v_atomic_add = v_atomic_add;
    uint old = v_atomic_add;
    uint older = atomicAdd(v_length[0u], v_atomic_add);
  }
}
