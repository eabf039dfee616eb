#pragma OPENCL FP_CONTRACT OFF

// program add
__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void add(__global uint* restrict v_length, uint v_min) {
  const uint limit = 1u;
  const uint length_length = v_min;
  const uint global_id = (uint)get_global_id(0);
  const uint v_step = limit;
  #pragma unroll 1
  for (uint in = v_step; in < limit; in += v_step) {
    v_length[in] = min(v_min, length_length) + global_id;
  }
  for (uint while_turn = 0; while_turn < limit && v_step < v_min; ++while_turn) {
    uint v_atomic_add = v_step;
    v_atomic_add = v_atomic_add;
    const uint old = v_atomic_add;
    const uint older = atomic_add(&v_length[0u], v_atomic_add);
  }
}
