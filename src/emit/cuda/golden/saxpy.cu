using u64 = unsigned long long;
using i64 = long long;

// program saxpy
extern "C" __global__ void __launch_bounds__(256)
saxpy(const float* __restrict__ x, float* __restrict__ y, unsigned n, float a) {
  const unsigned i = (blockIdx.x * 256u + threadIdx.x);
  if (i < n) {
    y[i] = a * x[i] + y[i];
  }
}
