using u64 = unsigned long long;
using i64 = long long;

static __device__ u64 vyre_min_u64(u64 a, u64 b) {
  return b < a ? b : a;
}

// program natural_gradient_block_apply
extern "C" __global__ void __launch_bounds__(256)
natural_gradient_block_apply(
    const unsigned* __restrict__ m,
    const unsigned* __restrict__ grad,
    unsigned* __restrict__ out) {
  const unsigned i = (blockIdx.x * 256u + threadIdx.x);
  if (i < 4096u) {
    u64 sum = 0ull;
    for (unsigned j = 0u; j < 4096u; ++j) {
      sum = sum + (((u64)m[(u64)i * 4096u + j] * (u64)grad[j]) >> 16u);
    }
    out[i] = (unsigned)vyre_min_u64(sum, 4294967295ull);
  }
}
