#pragma OPENCL FP_CONTRACT OFF

static uint2 vyre_div_u32x2(uint2 a, uint2 b) {
  return b == (uint2)(0) ? ~(uint2)(0) : a / (b == (uint2)(0) ? (uint2)(1) : b);
}

static float4 vyre_load_global_f32x4(__global const float* data, uint length, ulong at) {
  return at < length / 4 ? vload4(at, data) : (float4)(0);
}

static float4 vyre_max_f32x4(float4 a, float4 b) {
  return (b > a) | (a != a) ? b : a;
}

static float4 vyre_min_f32x4(float4 a, float4 b) {
  return (b < a) | (a != a) ? b : a;
}

static uint2 vyre_mod_u32x2(uint2 a, uint2 b) {
  return b == (uint2)(0) ? (uint2)(0) : a % (b == (uint2)(0) ? (uint2)(1) : b);
}

static void vyre_store_global_u32x2(__global uint* data, uint length, ulong at, uint2 value) {
  if (at < length / 2) vstore2(value, at, data);
}

// program vectors
__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void vectors(
    __global const float* restrict x,
    __global const uint* restrict a,
    __global float* restrict y,
    __global uint* restrict b,
    uint n,
    uint k) {
  const uint x_length = n;
  const uint b_length = n;
  __local float t[256];
  uint p[8] = {0};
  for (uint zero_at = get_local_id(0); zero_at < 256; zero_at += 64) t[zero_at] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  const uint i = (uint)get_global_id(0);
  const uint l = (uint)get_local_id(0);
  if (i < n / 4u) {
    const float4 v = vload4(i, x);
    const float4 w = vyre_load_global_f32x4(x, x_length, i + k);
    vstore4(vyre_min_f32x4(v, w) * vyre_max_f32x4(v, w) + fma(v, w, -fabs(v)), l, t);
    vstore4(v.x < w.w ? vload4(l, t) : v / w, i, y);
    vstore2((float2)(v.x, sqrt(w).y), (size_t)i * 2u, y);
    const uint2 c = vload2(i, a);
    vstore2(vyre_div_u32x2(c, (uint2)(k, 3u)) + vyre_mod_u32x2(c, (uint2)(1u, i)), i % 4u, p);
    vyre_store_global_u32x2(b, b_length, k, (vload2(1u, p) & ~c) | (c ^ (mul_hi(c, c) + popcount(c))));
    vstore4((uint4)(c.x, c.y, k, min(i, k)), i, b);
  }
}
