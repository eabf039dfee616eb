#pragma OPENCL FP_CONTRACT OFF

// program natural_gradient_block_apply
__kernel __attribute__((reqd_work_group_size(256, 1, 1)))
void natural_gradient_block_apply(
    __global const uint* restrict m,
    __global const uint* restrict grad,
    __global uint* restrict out) {
  const uint i = (uint)get_global_id(0);
  if (i < 4096u) {
    ulong sum = 0ul;
    for (uint j = 0u; j < 4096u; ++j) {
      sum = sum + (((ulong)m[(size_t)i * 4096u + j] * (ulong)grad[j]) >> 16u);
    }
    out[i] = (uint)min(sum, 4294967295ul);
  }
}
