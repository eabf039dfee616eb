#pragma OPENCL FP_CONTRACT OFF

static uint vyre_f32_to_u32(float a) {
  return a >= 0x1p+32f ? ~(uint)0 : a > 0.0f ? (uint)a : 0;
}

static uint vyre_load_global_u32(__global const uint* data, uint length, ulong at) {
  return at < length ? data[at] : (uint)0;
}

static float vyre_load_local_f32(__local const float* data, uint length, ulong at) {
  return at < length ? data[at] : (float)0;
}

static long vyre_load_private_i64(__private const long* data, uint length, ulong at) {
  return at < length ? data[at] : (long)0;
}

static void vyre_store_global_u32(__global uint* data, uint length, ulong at, uint value) {
  if (at < length) data[at] = value;
}

static void vyre_store_local_f32(__local float* data, uint length, ulong at, float value) {
  if (at < length) data[at] = value;
}

static void vyre_store_private_i64(__private long* data, uint length, ulong at, long value) {
  if (at < length) data[at] = value;
}

// program guards
__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void guards(
    __global const uint* restrict x,
    __global uint* restrict y,
    uint n,
    uint s,
    int d,
    ulong w) {
  const uint x_length = n;
  const uint y_length = n + 1u;
  __local float t[70];
  long p[3] = {0};
  for (uint zero_at = get_local_id(0); zero_at < 70; zero_at += 64) t[zero_at] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  const uint i = (uint)get_global_id(0);
  vyre_store_global_u32(y, y_length, i, vyre_load_global_u32(x, x_length, i) + vyre_load_global_u32(x, x_length, d) + vyre_load_global_u32(x, x_length, w) + vyre_load_global_u32(x, x_length, i * s));
  y[n] = x[(size_t)n - 1u] + vyre_load_global_u32(x, x_length, i - 1u);
  vyre_store_local_f32(t, 70u, i, vyre_load_local_f32(t, 70u, s) + t[(size_t)(uint)get_local_id(0) + 6u]);
  vyre_store_private_i64(p, 3u, s, (long)((ulong)vyre_load_private_i64(p, 3u, s % 4u) + (ulong)p[s % 3u]));
  vyre_store_global_u32(y, y_length, i + 1u, (i < n ? x[i] : vyre_load_global_u32(x, x_length, s)) + vyre_f32_to_u32(vyre_load_local_f32(t, 70u, i)) + (uint)vyre_load_private_i64(p, 3u, d));
}
