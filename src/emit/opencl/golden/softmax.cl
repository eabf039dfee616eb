#pragma OPENCL FP_CONTRACT OFF

static float vyre_exp_f32(float a) {
  const float value = exp(a);
  return a != a ? a : value;
}

static void vyre_store_global_f32(__global float* data, uint length, ulong at, float value) {
  if (at < length) data[at] = value;
}

// program partial_sums
__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void partial_sums(
    __global const float* restrict cost,
    __global float* restrict sums,
    uint n,
    float inverse) {
  const uint tile = 64u;
  const uint sums_length = (n + tile - 1u) / tile;
  __local float part[64];
  const uint i = (uint)get_global_id(0);
  const uint lane = (uint)get_local_id(0);
  // load
  {
    part[lane] = i < n ? vyre_exp_f32(-cost[i] * inverse) : 0.0f;
  }
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  if (lane == 0u) {
    float total = 0.0f;
    #pragma unroll 4
    for (uint j = 0u; j < tile; ++j) {
      total = total + part[j];
    }
    vyre_store_global_f32(sums, sums_length, (uint)get_group_id(0), total);
  }
}

// program converged
__kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void converged(__global const float* restrict sums, __global uint* restrict done, uint m) {
  done[0u] = (uint)(sums[0u] > 0.0f);
}
