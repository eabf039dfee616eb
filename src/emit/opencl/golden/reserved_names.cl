#pragma OPENCL FP_CONTRACT OFF

static float vyre_load_global_f32(__global const float* data, uint length, ulong at) {
  return at < length ? data[at] : (float)0;
}

static uint vyre_load_private_u32(__private const uint* data, uint length, ulong at) {
  return at < length ? data[at] : (uint)0;
}

static void vyre_store_global_f32(__global float* data, uint length, ulong at, float value) {
  if (at < length) data[at] = value;
}

static void vyre_store_private_u32(__private uint* data, uint length, ulong at, uint value) {
  if (at < length) data[at] = value;
}

static uint vyre_trip_count_u32(uint begin, uint end, uint step) {
  return begin < end && step > 0 ? ((uint)end - (uint)begin - 1) / (uint)step + 1 : 0;
}

// program kernels
__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void kernels(
    __global const float* restrict v_global,
    __global const float* restrict v_vyre_load,
    __global float* restrict x,
    __global float* restrict v_get_id,
    uint N,
    uint v_MAX,
    float v_float4,
    float v_step) {
  const uint v_int = 3u;
  const uint global_length = N;
  const uint v_vyre_load_length = v_MAX;
  const uint x_length_2 = N;
  const uint v_get_id_length = N;
  uint v_p[4] = {0};
  const uint v_kernel = (uint)get_global_id(0);
  const uint x_length = x_length_2 + v_get_id_length;
  {
    uint k = 0u;
    for (uint k_left_2 = vyre_trip_count_u32(k, x_length, v_int); k_left_2 != 0; --k_left_2, k += v_int) {
      const uint k_end = k + v_kernel;
      const uint k_left = k_end;
      const uint v_x = k_left;
      vyre_store_global_f32(x, x_length_2, k, vyre_load_global_f32(v_global, global_length, k) * v_step + vyre_load_global_f32(v_vyre_load, v_vyre_load_length, v_x) * v_float4);
      vyre_store_private_u32(v_p, 4u, v_kernel, v_x);
      vyre_store_global_f32(v_get_id, v_get_id_length, vyre_load_private_u32(v_p, 4u, k), 1.0f);
    }
  }
}
