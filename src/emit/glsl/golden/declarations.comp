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

// program declarations
layout(local_size_x = 64, local_size_y = 1, local_size_z = 4) in;
layout(set = 0, binding = 0, std430) restrict readonly buffer vyre_buffer_0 { float x[]; };
layout(set = 0, binding = 1, std430) restrict buffer vyre_buffer_1 { int64_t y[]; };
layout(set = 0, binding = 2, std430) restrict buffer vyre_buffer_2 { int z[]; };
layout(set = 0, binding = 3, std430) restrict buffer vyre_buffer_3 { uint64_t w[]; };
layout(push_constant) uniform vyre_values {
  uvec4 vyre_first_group;
  uvec4 vyre_groups;
  uint n;
  uint rows;
  uint flag_bits;
  int small;
  uint64_t big;
  int64_t far;
  float a;
};
shared float t[256];
int acc[4] = {};

void main() {
  const bool flag = flag_bits != 0;
}
