using u64 = unsigned long long;
using i64 = long long;

static __device__ void vyre_store_global_u32(unsigned* data, unsigned length, u64 at, unsigned value) {
  if (at < length) data[at] = value;
}

// program barrier_in_if
extern "C" __global__ void __launch_bounds__(64)
barrier_in_if(unsigned* __restrict__ y, unsigned n) {
  const unsigned y_length = n * 3u;
  __shared__ unsigned t[64];
  const unsigned i = (blockIdx.x * 64u + threadIdx.x);
  if (n < 182u) {
    t[threadIdx.x] = i;
    __syncthreads();
    vyre_store_global_u32(y, y_length, i * 3u + 1u, t[(u64)63u - threadIdx.x]);
  } else {
    vyre_store_global_u32(y, y_length, i * 3u + 2u, 1u);
  }
  vyre_store_global_u32(y, y_length, i * 3u, 2u);
}
