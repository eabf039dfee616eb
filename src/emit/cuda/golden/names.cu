using u64 = unsigned long long;
using i64 = long long;

static __device__ unsigned vyre_min_u32(unsigned a, unsigned b) {
  return b < a ? b : a;
}

// program add
extern "C" __global__ void __launch_bounds__(64)
add(unsigned* __restrict__ length, unsigned v_min) {
  const unsigned limit = 1u;
  const unsigned length_length = v_min;
  const unsigned global_id = (blockIdx.x * 64u + threadIdx.x);
  const unsigned step = limit;
  #pragma unroll 1
  for (unsigned in = step; in < limit; in += step) {
    length[in] = vyre_min_u32(v_min, length_length) + global_id;
  }
  for (unsigned while_turn = 0; while_turn < limit && step < v_min; ++while_turn) {
    unsigned atomic_add = step;
    atomic_add = atomic_add;
    const unsigned old = atomic_add;
    const unsigned older = atomicAdd(&length[0u], atomic_add);
  }
}
