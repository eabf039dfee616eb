using u64 = unsigned long long;
using i64 = long long;

static __device__ float vyre_fma_f32(float a, float b, float c) {
  return fmaf(a, b, c);
}

// program matmul_tiles
extern "C" __global__ void __launch_bounds__(256)
matmul_tiles(
    const float* __restrict__ a,
    const float* __restrict__ b,
    float* __restrict__ c,
    unsigned n) {
  const unsigned t = 16u;
  const unsigned w = 4u;
  __shared__ float ta[256];
  __shared__ float tb[256];
  float acc[4] = {};
  const unsigned col = (blockIdx.x * 16u + threadIdx.x);
  const unsigned row = (blockIdx.y * 16u + threadIdx.y);
  const unsigned lx = threadIdx.x;
  const unsigned ly = threadIdx.y;
  for (unsigned k0 = 0u, k0_end = (n + t - 1u) / t; k0 < k0_end; ++k0) {
    const unsigned ka = k0 * t + lx;
    const unsigned kb = k0 * t + ly;
    ta[(u64)ly * t + lx] = ((row < n) & (ka < n)) ? a[(u64)row * n + ka] : 0.0f;
    tb[(u64)ly * t + lx] = ((kb < n) & (col < n)) ? b[(u64)kb * n + col] : 0.0f;
    __syncthreads();
    #pragma unroll 16
    for (unsigned k = 0u; k < t; ++k) {
      acc[k % w] = vyre_fma_f32(ta[(u64)ly * t + k], tb[(u64)k * t + lx], acc[k % w]);
    }
    __syncthreads();
  }
  if ((row < n) & (col < n)) {
    c[(u64)row * n + col] = acc[0u] + acc[1u] + (acc[2u] + acc[3u]);
  }
}
