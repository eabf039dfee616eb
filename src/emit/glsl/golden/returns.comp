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

// program returns
layout(local_size_x = 64, local_size_y = 1, local_size_z = 1) in;
layout(set = 0, binding = 0, std430) restrict readonly buffer vyre_buffer_0 { uint x[]; };
layout(set = 0, binding = 1, std430) restrict buffer vyre_buffer_1 { uint y[]; };
layout(push_constant) uniform vyre_values {
  uvec4 vyre_first_group;
  uvec4 vyre_groups;
  uint n;
};

void main() {
  const uvec3 vyre_group_id = gl_WorkGroupID + vyre_first_group.xyz;
  const uvec3 vyre_global_id = vyre_group_id * gl_WorkGroupSize + gl_LocalInvocationID;
  uint i = vyre_global_id.x;
  // leave early
  {
    if (i >= n) {
      return;
    }
  }
  for (uint k = 0u; k < n; ++k) {
    uint v = x[k];
    if (v == i) {
      for (uint while_turn = 0; while_turn < 10u && true; ++while_turn) {
        y[i] = v + k;
        if (y[i] > 3u) {
          return;
        }
      }
    } else if (v > 1000u) {
      // give up
      {
        y[k] = 0u;
        return;
      }
    }
  }
  y[i] = n;
  return;
}
