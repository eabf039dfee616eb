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

int64_t vyre_i32_to_i64(int a) {
  return int64_t((uint64_t(uint(a)) ^ 0x80000000ul) - 0x80000000ul);
}
int64_t vyre_i32_to_i64(bool a) {
  return a ? int64_t(1) : int64_t(0);
}

uint vyre_trip_count_i32(int begin, int end, int step) {
  if (begin >= end || step <= int(0)) return uint(0);
  return (uint(end) - uint(begin) - uint(1)) / uint(step) + uint(1);
}

uint vyre_trip_count_u32(uint begin, uint end, uint step) {
  if (begin >= end || step <= uint(0)) return uint(0);
  return (uint(end) - uint(begin) - uint(1)) / uint(step) + uint(1);
}

uint64_t vyre_trip_count_u64(uint64_t begin, uint64_t end, uint64_t step) {
  if (begin >= end || step <= uint64_t(0)) return uint64_t(0);
  return (uint64_t(end) - uint64_t(begin) - uint64_t(1)) / uint64_t(step) + uint64_t(1);
}

// program loops
layout(local_size_x = 64, local_size_y = 1, local_size_z = 1) in;
layout(set = 0, binding = 0, std430) restrict readonly buffer vyre_buffer_0 { uint x[]; };
layout(set = 0, binding = 1, std430) restrict buffer vyre_buffer_1 { uint y[]; };
layout(push_constant) uniform vyre_values {
  uvec4 vyre_first_group;
  uvec4 vyre_groups;
  uint n;
  uint s;
  int d;
};

void main() {
  const uvec3 vyre_group_id = gl_WorkGroupID + vyre_first_group.xyz;
  const uvec3 vyre_global_id = vyre_group_id * gl_WorkGroupSize + gl_LocalInvocationID;
  uint i = vyre_global_id.x;
  uint sum = 0u;
  {
    uint k = i, k_step = (vyre_groups.x * 64u);
    [[partial_count(8)]]
    for (uint k_left = vyre_trip_count_u32(k, n, k_step); k_left != 0; --k_left, k += k_step) {
      sum = sum + x[k];
    }
  }
  for (int k = d; k < 100; k += 3) {
    for (int64_t m = vyre_i32_to_i64(k), m_end = vyre_i32_to_i64(d) * 2l; m < m_end; m += 1l) {
      sum = sum + uint(m);
    }
  }
  {
    int k = 0;
    for (uint k_left = vyre_trip_count_i32(k, d, d); k_left != 0; --k_left, k = int(uint(k) + uint(d))) {
      sum = sum + uint(k);
    }
  }
  {
    uint64_t k = 0ul;
    for (uint64_t k_left = vyre_trip_count_u64(k, uint64_t(s), 18446744073709551615ul); k_left != 0; k_left -= 1u, k += 18446744073709551615ul) {
      sum = sum + 1u;
    }
  }
  uint end = sum % 7u;
  for (uint k = 0u, k_end = end; k < k_end; ++k) {
    end = end + 1u;
    for (uint while_turn = 0, while_limit = end; while_turn < while_limit && ((sum > k) && (end < 50u)); ++while_turn) {
      end = end + 2u;
      for (uint while_turn = 0; while_turn < s && sum > 9u; ++while_turn) {
        sum = sum / 2u;
      }
    }
  }
  if (i < n) {
    y[i] = sum + end;
  }
}
