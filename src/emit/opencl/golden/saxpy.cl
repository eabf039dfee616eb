#pragma OPENCL FP_CONTRACT OFF

// program saxpy
__kernel __attribute__((reqd_work_group_size(256, 1, 1)))
void saxpy(__global const float* restrict x, __global float* restrict y, uint n, float a) {
  const uint i = (uint)get_global_id(0);
  if (i < n) {
    y[i] = a * x[i] + y[i];
  }
}
