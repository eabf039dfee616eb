using u64 = unsigned long long;
using i64 = long long;

static __device__ unsigned vyre_atomicCAS_local_u32(unsigned* data, unsigned length, u64 at, unsigned expected, unsigned value) {
  return at < length ? atomicCAS(&data[at], expected, value) : (unsigned)0;
}

static __device__ int vyre_atomicMin_global_i32(int* data, unsigned length, u64 at, int value) {
  return at < length ? atomicMin(&data[at], value) : (int)0;
}

// program atomics
extern "C" __global__ void __launch_bounds__(64)
atomics(
    const unsigned* __restrict__ x,
    unsigned* __restrict__ h,
    int* __restrict__ g,
    unsigned n,
    int s) {
  const unsigned g_length = n;
  __shared__ unsigned bins[16];
  for (unsigned zero_at = threadIdx.x; zero_at < 16; zero_at += 64) bins[zero_at] = 0;
  __syncthreads();
  const unsigned i = (blockIdx.x * 64u + threadIdx.x);
  if (i < n) {
    const unsigned bin = x[i] % 16u;
    atomicAdd(&bins[bin], 1u);
    const unsigned old = atomicMax(&h[bin], i);
    const int any = vyre_atomicMin_global_i32(g, g_length, x[i], s);
    int seen = atomicExch(&g[i], (int)((unsigned)any + (unsigned)s));
    seen = (int)((unsigned)seen + 1u);
    const int won = atomicCAS(&g[i], seen, s);
    const unsigned lost = vyre_atomicCAS_local_u32(bins, 16u, (unsigned)won, old, 2u);
  }
  __syncthreads();
  if (threadIdx.x < 16u) {
    atomicAdd(&h[threadIdx.x], bins[threadIdx.x]);
  }
}
