#pragma OPENCL FP_CONTRACT OFF

// program bools
__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void bools(__global uint* restrict y, uint n, uint on_bits) {
  const bool on = on_bits != 0;
  const bool fast = true;
  const uint i = (uint)get_global_id(0);
  const bool even = i % 2u == 0u;
  bool odd = (!even & on) | (fast ^ even);
  odd = (odd == even) != on;
  const bool inside = (i < n) & (odd | even);
  if (inside) {
    y[i] = odd ? (fast ? 1u : 2u) : (uint)even;
  }
}
