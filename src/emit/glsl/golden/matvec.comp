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

// program natural_gradient_block_apply
layout(local_size_x = 256, local_size_y = 1, local_size_z = 1) in;
layout(set = 0, binding = 0, std430) restrict readonly buffer vyre_buffer_0 { uint m[]; };
layout(set = 0, binding = 1, std430) restrict readonly buffer vyre_buffer_1 { uint grad[]; };
layout(set = 0, binding = 2, std430) restrict buffer vyre_buffer_2 { uint v_out[]; };
layout(push_constant) uniform vyre_values {
  uvec4 vyre_first_group;
  uvec4 vyre_groups;
};

void main() {
  const uvec3 vyre_group_id = gl_WorkGroupID + vyre_first_group.xyz;
  const uvec3 vyre_global_id = vyre_group_id * gl_WorkGroupSize + gl_LocalInvocationID;
  uint i = vyre_global_id.x;
  if (i < 4096u) {
    uint64_t sum = 0ul;
    for (uint j = 0u; j < 4096u; ++j) {
      sum = sum + ((uint64_t(m[i * 4096u + j]) * uint64_t(grad[j])) >> 16u);
    }
    v_out[i] = uint(min(sum, 4294967295ul));
  }
}
