#pragma OPENCL FP_CONTRACT OFF

static uint vyre_atomic_cmpxchg_local_u32(volatile __local uint* data, uint length, ulong at, uint expected, uint value) {
  return at < length ? atomic_cmpxchg(&data[at], expected, value) : (uint)0;
}

static int vyre_atomic_min_global_i32(volatile __global int* data, uint length, ulong at, int value) {
  return at < length ? atomic_min(&data[at], value) : (int)0;
}

// program atomics
__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void atomics(
    __global const uint* restrict x,
    __global uint* restrict h,
    __global int* restrict g,
    uint n,
    int s) {
  const uint g_length = n;
  __local uint bins[16];
  for (uint zero_at = get_local_id(0); zero_at < 16; zero_at += 64) bins[zero_at] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  const uint i = (uint)get_global_id(0);
  if (i < n) {
    const uint bin = x[i] % 16u;
    atomic_add(&bins[bin], 1u);
    const uint old = atomic_max(&h[bin], i);
    const int v_any = vyre_atomic_min_global_i32(g, g_length, x[i], s);
    int seen = atomic_xchg(&g[i], (int)((uint)v_any + (uint)s));
    seen = (int)((uint)seen + 1u);
    const int won = atomic_cmpxchg(&g[i], seen, s);
    const uint lost = vyre_atomic_cmpxchg_local_u32(bins, 16u, (uint)won, old, 2u);
  }
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  if ((uint)get_local_id(0) < 16u) {
    atomic_add(&h[(uint)get_local_id(0)], bins[(uint)get_local_id(0)]);
  }
}
