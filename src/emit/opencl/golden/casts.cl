#pragma OPENCL FP_CONTRACT OFF

static int vyre_f32_to_i32(float a) {
  const int most = (int)(~(uint)0 >> 1);
  return a >= 0x1p+31f ? most : a >= -0x1p+31f ? (int)a : a < 0.0f ? -most - 1 : 0;
}

static long vyre_f32_to_i64(float a) {
  const long most = (long)(~(ulong)0 >> 1);
  return a >= 0x1p+63f ? most : a >= -0x1p+63f ? (long)a : a < 0.0f ? -most - 1 : 0;
}

static uint vyre_f32_to_u32(float a) {
  return a >= 0x1p+32f ? ~(uint)0 : a > 0.0f ? (uint)a : 0;
}

static ulong vyre_f32_to_u64(float a) {
  return a >= 0x1p+64f ? ~(ulong)0 : a > 0.0f ? (ulong)a : 0;
}

static long vyre_i32_to_i64(int a) {
  return (long)(((ulong)(uint)a ^ 0x80000000ul) - 0x80000000ul);
}

// program casts
__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void casts(
    __global const float* restrict f,
    __global const long* restrict l,
    __global uint* restrict y,
    __global long* restrict z,
    __global float* restrict g,
    uint n,
    uint flag_bits) {
  const bool flag = flag_bits != 0;
  const uint i = (uint)get_global_id(0);
  if (i < n) {
    const float v = f[i];
    const long w = l[i];
    y[i] = vyre_f32_to_u32(v) + (uint)vyre_f32_to_i32(v) + (uint)vyre_f32_to_u64(v) + (uint)vyre_f32_to_i64(v) + (uint)flag + (uint)(v != 0.0f) + (uint)w;
    z[i] = (long)((ulong)(long)(ulong)w + (ulong)vyre_i32_to_i64((int)w) + (ulong)(long)i + (ulong)vyre_i32_to_i64(flag) + (ulong)as_long((ulong)w));
    g[i] = (float)w + (float)(ulong)w + (float)(int)w + (float)i + (float)flag + (float)(w != 0l);
    g[i] = as_float(as_uint(g[i]) + as_uint(as_int(v)));
  }
}
