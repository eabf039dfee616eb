#pragma OPENCL FP_CONTRACT OFF

static uint vyre_atomic_add_global_u32(volatile __global uint* data, uint length, ulong at, uint value) {
  return at < length ? atomic_add(&data[at], value) : (uint)0;
}

static uint vyre_atomic_cmpxchg_global_u32(volatile __global uint* data, uint length, ulong at, uint expected, uint value) {
  return at < length ? atomic_cmpxchg(&data[at], expected, value) : (uint)0;
}

static uint vyre_atomic_max_global_u32(volatile __global uint* data, uint length, ulong at, uint value) {
  return at < length ? atomic_max(&data[at], value) : (uint)0;
}

static uint vyre_atomic_min_global_u32(volatile __global uint* data, uint length, ulong at, uint value) {
  return at < length ? atomic_min(&data[at], value) : (uint)0;
}

static uint vyre_atomic_xchg_global_u32(volatile __global uint* data, uint length, ulong at, uint value) {
  return at < length ? atomic_xchg(&data[at], value) : (uint)0;
}

static uint vyre_load_local_u32(__local const uint* data, uint length, ulong at) {
  return at < length ? data[at] : (uint)0;
}

static void vyre_store_global_u32(__global uint* data, uint length, ulong at, uint value) {
  if (at < length) data[at] = value;
}

static void vyre_store_local_u32(__local uint* data, uint length, ulong at, uint value) {
  if (at < length) data[at] = value;
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

// program statements
__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void statements(__global uint* restrict x, __global uint* restrict count, uint n) {
  const uint x_length = n;
  const uint count_length = 4u;
  __local uint t[64];
  for (uint zero_at = get_local_id(0); zero_at < 64; zero_at += 64) t[zero_at] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  const uint i = (uint)get_global_id(0);
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
  {
    uint j = 0u;
    for (uint j_left = vyre_trip_count_u32(j, n, 1u); j_left != 0; --j_left, j += 1u) {
      sum = sum + j;
    }
  }
  {
    int j = -4;
    #pragma unroll 4
    for (uint j_left = vyre_trip_count_i32(j, 4, 2); j_left != 0; --j_left, j = (int)((uint)j + (uint)(2))) {
      {
        ulong k = 0ul;
        #pragma unroll 8
        for (ulong k_left = vyre_trip_count_u64(k, 8ul, 1ul); k_left != 0; --k_left, k += 1ul) {
          sum = sum + (uint)k + (uint)j;
        }
      }
    }
  }
  for (uint while_turn = 0; while_turn < 32u && sum > 100u; ++while_turn) {
    sum = sum >> (1u & 31u);
  }
  vyre_store_local_u32(t, 64u, (uint)get_local_id(0), sum);
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  // reduce all of it
  {
    vyre_store_global_u32(x, x_length, i, vyre_load_local_u32(t, 64u, 63u - (uint)get_local_id(0)));
    // inner
    {
    }
  }
  vyre_atomic_add_global_u32(count, count_length, 0u, sum);
  vyre_atomic_min_global_u32(count, count_length, 1u, sum);
  vyre_atomic_max_global_u32(count, count_length, 1u + 1u, sum);
  const uint old = vyre_atomic_xchg_global_u32(count, count_length, 3u, sum);
  uint seen = vyre_atomic_cmpxchg_global_u32(count, count_length, 3u, old, sum);
  if (seen == old) {
    return;
  }
  seen = 0u;
  vyre_store_global_u32(x, x_length, i, seen);
}
