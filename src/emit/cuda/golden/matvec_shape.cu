using u64 = unsigned long long;
using i64 = long long;

static __device__ float vyre_fma_f32(float a, float b, float c) {
  return fmaf(a, b, c);
}

// program matvec
extern "C" __global__ void __launch_bounds__(64)
matvec(
    const float* __restrict__ m,
    const float* __restrict__ x,
    float* __restrict__ y,
    unsigned n,
    unsigned rows) {
  const unsigned i = (blockIdx.x * 64u + threadIdx.x);
  if (i >= rows) {
    return;
  }
  float sum = 0.0f;
  #pragma unroll 4
  for (unsigned j = 0u; j < n; ++j) {
    sum = vyre_fma_f32(m[(u64)i * n + j], x[j], sum);
  }
  y[i] = sum;
}
