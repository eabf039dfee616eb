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

// program atomics
layout(local_size_x = 64, local_size_y = 1, local_size_z = 1) in;
layout(set = 0, binding = 0, std430) restrict readonly buffer vyre_buffer_0 { uint x[]; };
layout(set = 0, binding = 1, std430) restrict coherent buffer vyre_buffer_1 { uint h[]; };
layout(set = 0, binding = 2, std430) restrict coherent buffer vyre_buffer_2 { int g[]; };
layout(push_constant) uniform vyre_values {
  uvec4 vyre_first_group;
  uvec4 vyre_groups;
  uint n;
  int s;
};
shared uint bins[16];

uint vyre_atomicCompSwap_bins_u32(uint vyre_length, uint vyre_at, uint vyre_expected, uint vyre_value) {
  if (vyre_at < vyre_length) return atomicCompSwap(bins[vyre_at], vyre_expected, vyre_value);
  return uint(0);
}

int vyre_atomicMin_g_i32(uint vyre_length, uint vyre_at, int vyre_value) {
  if (vyre_at < vyre_length) return atomicMin(g[vyre_at], vyre_value);
  return int(0);
}

void main() {
  const uvec3 vyre_group_id = gl_WorkGroupID + vyre_first_group.xyz;
  const uvec3 vyre_global_id = vyre_group_id * gl_WorkGroupSize + gl_LocalInvocationID;
  const uint g_length = n;
  for (uint zero_at = gl_LocalInvocationID.x; zero_at < 16; zero_at += 64) bins[zero_at] = 0;
  barrier();
  uint i = vyre_global_id.x;
  if (i < n) {
    uint bin = x[i] % 16u;
    atomicAdd(bins[bin], 1u);
    uint old = atomicMax(h[bin], i);
    int v_any = vyre_atomicMin_g_i32(g_length, x[i], s);
    int seen = atomicExchange(g[i], int(uint(v_any) + uint(s)));
    seen = int(uint(seen) + 1u);
    int won = atomicCompSwap(g[i], seen, s);
    uint lost = vyre_atomicCompSwap_bins_u32(16u, uint(won), old, 2u);
  }
  controlBarrier(gl_ScopeWorkgroup, gl_ScopeWorkgroup, gl_StorageSemanticsBuffer | gl_StorageSemanticsShared, gl_SemanticsAcquireRelease);
  if (gl_LocalInvocationID.x < 16u) {
    atomicAdd(h[gl_LocalInvocationID.x], bins[gl_LocalInvocationID.x]);
  }
}
