#pragma OPENCL FP_CONTRACT OFF

// program matvec
__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void matvec(
    __global const float* restrict m,
    __global const float* restrict x,
    __global float* restrict y,
    uint n,
    uint rows) {
  const uint i = (uint)get_global_id(0);
  if (i >= rows) {
    return;
  }
  float sum = 0.0f;
  #pragma unroll 4
  for (uint j = 0u; j < n; ++j) {
    sum = fma(m[(size_t)i * n + j], x[j], sum);
  }
  y[i] = sum;
}
