#pragma OPENCL FP_CONTRACT OFF

static uint vyre_atomic_add_global_u32(volatile __global uint* data, uint length, ulong at, uint value) {
  return at < length ? atomic_add(&data[at], value) : (uint)0;
}

static void vyre_store_global_u32(__global uint* data, uint length, ulong at, uint value) {
  if (at < length) data[at] = value;
}

static uint vyre_trip_count_u32(uint begin, uint end, uint step) {
  return begin < end && step > 0 ? ((uint)end - (uint)begin - 1) / (uint)step + 1 : 0;
}

// program add
__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void add(__global uint* restrict v_length, uint v_min) {
  const uint limit = 1u;
  const uint length_length = v_min;
  const uint global_id = (uint)get_global_id(0);
  const uint v_step = limit;
  {
    uint in = v_step;
    #pragma unroll 1
    for (uint in_left = vyre_trip_count_u32(in, limit, v_step); in_left != 0; --in_left, in += v_step) {
      vyre_store_global_u32(v_length, length_length, in, min(v_min, length_length) + global_id);
    }
  }
  for (uint while_turn = 0; while_turn < limit && v_step < v_min; ++while_turn) {
    uint v_atomic_add = v_step;
    v_atomic_add = v_atomic_add;
    const uint old = v_atomic_add;
    const uint older = vyre_atomic_add_global_u32(v_length, length_length, 0u, v_atomic_add);
  }
}
