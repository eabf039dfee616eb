#pragma OPENCL FP_CONTRACT OFF

// program returns
__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void returns(__global const uint* restrict x, __global uint* restrict y, uint n) {
  const uint i = (uint)get_global_id(0);
  // leave early
  {
    if (i >= n) {
      return;
    }
  }
  for (uint k = 0u; k < n; ++k) {
    const uint v = x[k];
    if (v == i) {
      for (uint while_turn = 0; while_turn < 10u && true; ++while_turn) {
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
