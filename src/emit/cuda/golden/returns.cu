using u64 = unsigned long long;
using i64 = long long;

// program returns
extern "C" __global__ void __launch_bounds__(64)
returns(const unsigned* __restrict__ x, unsigned* __restrict__ y, unsigned n) {
  const unsigned i = (blockIdx.x * 64u + threadIdx.x);
  // leave early
  {
    if (i >= n) {
      return;
    }
  }
  for (unsigned k = 0u; k < n; ++k) {
    const unsigned v = x[k];
    if (v == i) {
      for (unsigned while_turn = 0; while_turn < 10u && true; ++while_turn) {
        y[i] = v + k;
        if (y[i] > 3u) {
          return;
        }
      }
    } else if (v > 1000u) {
      // give up
      {
        y[k] = 0u;
        return;
      }
    }
  }
  y[i] = n;
  return;
}
