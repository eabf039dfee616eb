#pragma OPENCL FP_CONTRACT OFF

// program matmul_tiles
__kernel __attribute__((reqd_work_group_size(16, 16, 1)))
void matmul_tiles(
    __global const float* restrict a,
    __global const float* restrict b,
    __global float* restrict c,
    uint n) {
  const uint t = 16u;
  const uint w = 4u;
  __local float ta[256];
  __local float tb[256];
  float acc[4] = {0};
  const uint col = (uint)get_global_id(0);
  const uint row = (uint)get_global_id(1);
  const uint lx = (uint)get_local_id(0);
  const uint ly = (uint)get_local_id(1);
  for (uint k0 = 0u, k0_end = (n + t - 1u) / t; k0 < k0_end; ++k0) {
    const uint ka = k0 * t + lx;
    const uint kb = k0 * t + ly;
    ta[(size_t)ly * t + lx] = ((row < n) & (ka < n)) ? a[(size_t)row * n + ka] : 0.0f;
    tb[(size_t)ly * t + lx] = ((kb < n) & (col < n)) ? b[(size_t)kb * n + col] : 0.0f;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    #pragma unroll 16
    for (uint k = 0u; k < t; ++k) {
      acc[k % w] = fma(ta[(size_t)ly * t + k], tb[(size_t)k * t + lx], acc[k % w]);
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  }
  if ((row < n) & (col < n)) {
    c[(size_t)row * n + col] = acc[0u] + acc[1u] + (acc[2u] + acc[3u]);
  }
}
