#pragma OPENCL FP_CONTRACT OFF

static long vyre_i32_to_i64(int a) {
  return (long)(((ulong)(uint)a ^ 0x80000000ul) - 0x80000000ul);
}

static uint vyre_trip_count_i32(int begin, int end, int step) {
  return begin < end && step > 0 ? ((uint)end - (uint)begin - 1) / (uint)step + 1 : 0;
}

static uint vyre_trip_count_u32(uint begin, uint end, uint step) {
  return begin < end && step > 0 ? ((uint)end - (uint)begin - 1) / (uint)step + 1 : 0;
}

static ulong vyre_trip_count_u64(ulong begin, ulong end, ulong step) {
  return begin < end && step > 0 ? ((ulong)end - (ulong)begin - 1) / (ulong)step + 1 : 0;
}

// program loops
__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void loops(
    __global const uint* restrict x,
    __global uint* restrict y,
    uint n,
    uint s,
    int d) {
  const uint i = (uint)get_global_id(0);
  uint sum = 0u;
  {
    uint k = i, k_step = (uint)get_global_size(0);
    #pragma unroll 8
    for (uint k_left = vyre_trip_count_u32(k, n, k_step); k_left != 0; --k_left, k += k_step) {
      sum = sum + x[k];
    }
  }
  for (int k = d; k < 100; k += 3) {
    for (long m = vyre_i32_to_i64(k), m_end = vyre_i32_to_i64(d) * 2l; m < m_end; ++m) {
      sum = sum + (uint)m;
    }
  }
  {
    int k = 0;
    for (uint k_left = vyre_trip_count_i32(k, d, d); k_left != 0; --k_left, k = (int)((uint)k + (uint)(d))) {
      sum = sum + (uint)k;
    }
  }
  {
    ulong k = 0ul;
    for (ulong k_left = vyre_trip_count_u64(k, (ulong)s, 18446744073709551615ul); k_left != 0; --k_left, k += 18446744073709551615ul) {
      sum = sum + 1u;
    }
  }
  uint end = sum % 7u;
  for (uint k = 0u, k_end = end; k < k_end; ++k) {
    end = end + 1u;
    for (uint while_turn = 0, while_limit = end; while_turn < while_limit && ((sum > k) & (end < 50u)); ++while_turn) {
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
