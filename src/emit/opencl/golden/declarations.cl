#pragma OPENCL FP_CONTRACT OFF

// program declarations
__kernel __attribute__((reqd_work_group_size(64, 1, 4)))
void declarations(
    __global const float* restrict x,
    __global long* restrict y,
    __global int* restrict z,
    __global ulong* restrict w,
    uint n,
    uint rows,
    uint flag_bits,
    int small,
    ulong big,
    long far,
    float a) {
  const bool flag = flag_bits != 0;
  __local float t[256];
  int acc[4] = {0};
}
