using u64 = unsigned long long;
using i64 = long long;

// program bools
extern "C" __global__ void __launch_bounds__(64)
bools(unsigned* __restrict__ y, unsigned n, unsigned on_bits) {
  const bool on = on_bits != 0;
  const bool fast = true;
  const unsigned i = (blockIdx.x * 64u + threadIdx.x);
  const bool even = i % 2u == 0u;
  bool odd = (!even & on) | (fast ^ even);
  odd = (odd == even) != on;
  const bool inside = (i < n) & (odd | even);
  if (inside) {
    y[i] = odd ? (fast ? 1u : 2u) : (unsigned)even;
  }
}
