using u64 = unsigned long long;
using i64 = long long;

static __device__ unsigned vyre_trip_count_i32(int begin, int end, int step) {
  return begin < end && step > 0 ? ((unsigned)end - (unsigned)begin - 1) / (unsigned)step + 1 : 0;
}

static __device__ unsigned vyre_trip_count_u32(unsigned begin, unsigned end, unsigned step) {
  return begin < end && step > 0 ? ((unsigned)end - (unsigned)begin - 1) / (unsigned)step + 1 : 0;
}

static __device__ u64 vyre_trip_count_u64(u64 begin, u64 end, u64 step) {
  return begin < end && step > 0 ? ((u64)end - (u64)begin - 1) / (u64)step + 1 : 0;
}

// program loops
extern "C" __global__ void __launch_bounds__(64)
loops(
    const unsigned* __restrict__ x,
    unsigned* __restrict__ y,
    unsigned n,
    unsigned s,
    int d) {
  const unsigned i = (blockIdx.x * 64u + threadIdx.x);
  unsigned sum = 0u;
  {
    unsigned k = i, k_step = (gridDim.x * 64u);
    #pragma unroll 8
    for (unsigned k_left = vyre_trip_count_u32(k, n, k_step); k_left != 0; --k_left, k += k_step) {
      sum = sum + x[k];
    }
  }
  for (int k = d; k < 100; k += 3) {
    for (i64 m = (i64)k, m_end = (i64)d * 2ll; m < m_end; ++m) {
      sum = sum + (unsigned)m;
    }
  }
  {
    int k = 0;
    for (unsigned k_left = vyre_trip_count_i32(k, d, d); k_left != 0; --k_left, k = (int)((unsigned)k + (unsigned)(d))) {
      sum = sum + (unsigned)k;
    }
  }
  {
    u64 k = 0ull;
    for (u64 k_left = vyre_trip_count_u64(k, (u64)s, 18446744073709551615ull); k_left != 0; --k_left, k += 18446744073709551615ull) {
      sum = sum + 1u;
    }
  }
  unsigned end = sum % 7u;
  for (unsigned k = 0u, k_end = end; k < k_end; ++k) {
    end = end + 1u;
    for (unsigned while_turn = 0, while_limit = end; while_turn < while_limit && ((sum > k) & (end < 50u)); ++while_turn) {
      end = end + 2u;
      for (unsigned while_turn = 0; while_turn < s && sum > 9u; ++while_turn) {
        sum = sum / 2u;
      }
    }
  }
  if (i < n) {
    y[i] = sum + end;
  }
}
