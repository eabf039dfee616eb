using u64 = unsigned long long;
using i64 = long long;

static __device__ float vyre_exp_f32(float a) {
  return expf(a);
}

static __device__ void vyre_store_global_f32(float* data, unsigned length, u64 at, float value) {
  if (at < length) data[at] = value;
}

// program partial_sums
extern "C" __global__ void __launch_bounds__(64)
partial_sums(
    const float* __restrict__ cost,
    float* __restrict__ sums,
    unsigned n,
    float inverse) {
  const unsigned tile = 64u;
  const unsigned sums_length = (n + tile - 1u) / tile;
  __shared__ float part[64];
  const unsigned i = (blockIdx.x * 64u + threadIdx.x);
  const unsigned lane = threadIdx.x;
  // load
  {
    part[lane] = i < n ? vyre_exp_f32(-cost[i] * inverse) : 0.0f;
  }
  __syncthreads();
  if (lane == 0u) {
    float total = 0.0f;
    #pragma unroll 4
    for (unsigned j = 0u; j < tile; ++j) {
      total = total + part[j];
    }
    vyre_store_global_f32(sums, sums_length, blockIdx.x, total);
  }
}

// program converged
extern "C" __global__ void __launch_bounds__(1)
converged(const float* __restrict__ sums, unsigned* __restrict__ done, unsigned m) {
  done[0u] = (unsigned)(sums[0u] > 0.0f);
}
