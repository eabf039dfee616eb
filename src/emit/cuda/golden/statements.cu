using u64 = unsigned long long;
using i64 = long long;

static __device__ void vyre_store_global_u32(unsigned* data, unsigned length, u64 at, unsigned value) {
  if (at < length) data[at] = value;
}

// program statements
extern "C" __global__ void __launch_bounds__(64)
statements(unsigned* __restrict__ x, unsigned* __restrict__ count, unsigned n) {
  const unsigned x_length = n;
  __shared__ unsigned t[64];
  const unsigned i = (blockIdx.x * 64u + threadIdx.x);
  unsigned sum = 0u;
  if (i == 0u) {
    sum = 1u;
  } else if (i == 1u) {
    sum = 2u;
  } else if (i == 2u) {
  } else {
    if (i == 3u) {
      sum = 3u;
    }
    sum = sum + 4u;
  }
  for (unsigned j = 0u; j < n; ++j) {
    sum = sum + j;
  }
  #pragma unroll 4
  for (int j = -4; j < 4; j += 2) {
    #pragma unroll 8
    for (u64 k = 0ull; k < 8ull; ++k) {
      sum = sum + (unsigned)k + (unsigned)j;
    }
  }
  for (unsigned while_turn = 0; while_turn < 32u && sum > 100u; ++while_turn) {
    sum = sum >> 1u;
  }
  t[threadIdx.x] = sum;
  __syncthreads();
  // reduce all of it
  {
    vyre_store_global_u32(x, x_length, i, t[(u64)63u - threadIdx.x]);
    // inner
    {
    }
  }
  atomicAdd(&count[0u], sum);
  atomicMin(&count[1u], sum);
  atomicMax(&count[(u64)1u + 1u], sum);
  const unsigned old = atomicExch(&count[3u], sum);
  unsigned seen = atomicCAS(&count[3u], old, sum);
  if (seen == old) {
    return;
  }
  seen = 0u;
  vyre_store_global_u32(x, x_length, i, seen);
}
