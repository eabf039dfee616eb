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

// program bools
layout(local_size_x = 64, local_size_y = 1, local_size_z = 1) in;
layout(set = 0, binding = 0, std430) restrict buffer vyre_buffer_0 { uint y[]; };
layout(push_constant) uniform vyre_values {
  uvec4 vyre_first_group;
  uvec4 vyre_groups;
  uint n;
  uint on_bits;
};

void main() {
  const uvec3 vyre_group_id = gl_WorkGroupID + vyre_first_group.xyz;
  const uvec3 vyre_global_id = vyre_group_id * gl_WorkGroupSize + gl_LocalInvocationID;
  const bool on = on_bits != 0;
  const bool fast = true;
  uint i = vyre_global_id.x;
  bool even = i % 2u == 0u;
  bool odd = (!even && on) || (fast != even);
  odd = (odd == even) != on;
  bool inside = (i < n) && (odd || even);
  if (inside) {
    y[i] = odd ? (fast ? 1u : 2u) : uint(even);
  }
}
