#pragma OPENCL FP_CONTRACT OFF

// program three_axes
__kernel __attribute__((reqd_work_group_size(8, 4, 2)))
void three_axes(
    __global const float* restrict x,
    __global float* restrict y,
    uint n,
    uint m,
    uint p) {
  __local float t[64];
  for (uint zero_at = get_local_id(0) + 8 * get_local_id(1) + 32 * get_local_id(2); zero_at < 64; zero_at += 64) t[zero_at] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  const uint k = (uint)get_global_id(0);
  const uint j = (uint)get_global_id(1);
  const uint i = (uint)get_global_id(2);
  const uint l = ((uint)get_local_id(2) * 4u + (uint)get_local_id(1)) * 8u + (uint)get_local_id(0);
  const bool inside = ((i < n) & (j < m)) & (k < p);
  if (inside) {
    t[l] = x[((size_t)i * m + j) * p + k];
  }
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  if (inside) {
    y[((size_t)i * m + j) * p + k] = t[(size_t)63u - l] + (float)((uint)get_num_groups(2) + (uint)get_group_id(1) + (uint)get_global_size(0));
  }
}
