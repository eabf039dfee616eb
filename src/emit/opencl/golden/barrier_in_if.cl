#pragma OPENCL FP_CONTRACT OFF

static void vyre_store_global_u32(__global uint* data, uint length, ulong at, uint value) {
  if (at < length) data[at] = value;
}

// program barrier_in_if
__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void barrier_in_if(__global uint* restrict y, uint n) {
  const uint y_length = n * 3u;
  __local uint t[64];
  const uint i = (uint)get_global_id(0);
  if (n < 182u) {
    t[(uint)get_local_id(0)] = i;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    vyre_store_global_u32(y, y_length, i * 3u + 1u, t[(size_t)63u - (uint)get_local_id(0)]);
    barrier(CLK_LOCAL_MEM_FENCE);
  } else {
    vyre_store_global_u32(y, y_length, i * 3u + 2u, 1u);
  }
  vyre_store_global_u32(y, y_length, i * 3u, 2u);
}
