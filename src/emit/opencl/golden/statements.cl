#pragma OPENCL FP_CONTRACT OFF

static void vyre_store_global_u32(__global uint* data, uint length, ulong at, uint value) {
  if (at < length) data[at] = value;
}

// program statements
__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void statements(__global uint* restrict x, __global uint* restrict count, uint n) {
  const uint x_length = n;
  __local uint t[64];
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
  for (uint j = 0u; j < n; ++j) {
    sum = sum + j;
  }
  #pragma unroll 4
  for (int j = -4; j < 4; j += 2) {
    #pragma unroll 8
    for (ulong k = 0ul; k < 8ul; ++k) {
      sum = sum + (uint)k + (uint)j;
    }
  }
  for (uint while_turn = 0; while_turn < 32u && sum > 100u; ++while_turn) {
    sum = sum >> 1u;
  }
  t[(uint)get_local_id(0)] = sum;
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  // reduce all of it
  {
    vyre_store_global_u32(x, x_length, i, t[(size_t)63u - (uint)get_local_id(0)]);
    // inner
    {
    }
  }
  atomic_add(&count[0u], sum);
  atomic_min(&count[1u], sum);
  atomic_max(&count[(size_t)1u + 1u], sum);
  const uint old = atomic_xchg(&count[3u], sum);
  uint seen = atomic_cmpxchg(&count[3u], old, sum);
  if (seen == old) {
    return;
  }
  seen = 0u;
  vyre_store_global_u32(x, x_length, i, seen);
}
