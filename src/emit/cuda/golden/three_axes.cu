using u64 = unsigned long long;
using i64 = long long;

// program three_axes
extern "C" __global__ void __launch_bounds__(64)
three_axes(
    const float* __restrict__ x,
    float* __restrict__ y,
    unsigned n,
    unsigned m,
    unsigned p) {
  __shared__ float t[64];
  for (unsigned zero_at = threadIdx.x + 8 * threadIdx.y + 32 * threadIdx.z; zero_at < 64; zero_at += 64) t[zero_at] = 0;
  __syncthreads();
  const unsigned k = (blockIdx.x * 8u + threadIdx.x);
  const unsigned j = (blockIdx.y * 4u + threadIdx.y);
  const unsigned i = (blockIdx.z * 2u + threadIdx.z);
  const unsigned l = (threadIdx.z * 4u + threadIdx.y) * 8u + threadIdx.x;
  const bool inside = ((i < n) & (j < m)) & (k < p);
  if (inside) {
    t[l] = x[((u64)i * m + j) * p + k];
  }
  __syncthreads();
  if (inside) {
    y[((u64)i * m + j) * p + k] = t[(u64)63u - l] + (float)(gridDim.z + blockIdx.y + (gridDim.x * 8u));
  }
}
