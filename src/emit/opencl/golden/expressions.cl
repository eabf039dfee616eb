#pragma OPENCL FP_CONTRACT OFF

static float vyre_ceil_f32(float a) {
  return fabs(a) < 0x1p+23f ? ceil(a) : a;
}

static uint vyre_div_u32(uint a, uint b) {
  return b == (uint)(0) ? ~(uint)(0) : a / (b == (uint)(0) ? (uint)(1) : b);
}

static float vyre_exp2_f32(float a) {
  const float value = exp2(a);
  return a != a ? a : value;
}

static float vyre_exp_f32(float a) {
  const float value = exp(a);
  return a != a ? a : value;
}

static uint vyre_f32_to_u32(float a) {
  return a >= 0x1p+32f ? ~(uint)0 : a > 0.0f ? (uint)a : 0;
}

static float vyre_floor_f32(float a) {
  return fabs(a) < 0x1p+23f ? floor(a) : a;
}

static float2 vyre_load_global_f32x2(__global const float* data, uint length, ulong at) {
  return at < length / 2 ? vload2(at, data) : (float2)(0);
}

static float4 vyre_load_global_f32x4(__global const float* data, uint length, ulong at) {
  return at < length / 4 ? vload4(at, data) : (float4)(0);
}

static uint2 vyre_load_global_u32x2(__global const uint* data, uint length, ulong at) {
  return at < length / 2 ? vload2(at, data) : (uint2)(0);
}

static float vyre_max_f32(float a, float b) {
  return (b > a) | (a != a) ? b : a;
}

static float vyre_min_f32(float a, float b) {
  return (b < a) | (a != a) ? b : a;
}

static float vyre_pow_f32(float a, float b) {
  const float value = pow(a, b != b ? (float)(1) : b);
  return (b != b) & (a != (float)(1)) ? b : value;
}

static float vyre_rint_f32(float a) {
  return fabs(a) < 0x1p+23f ? rint(a) : a;
}

static void vyre_store_global_f32x4(__global float* data, uint length, ulong at, float4 value) {
  if (at < length / 4) vstore4(value, at, data);
}

static void vyre_store_global_u32x2(__global uint* data, uint length, ulong at, uint2 value) {
  if (at < length / 2) vstore2(value, at, data);
}

static float vyre_tanh_f32(float a) {
  const float value = tanh(a);
  return a != a ? a : value;
}

static float vyre_trunc_f32(float a) {
  return fabs(a) < 0x1p+23f ? trunc(a) : a;
}

// program expressions
__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void expressions(
    __global const float* restrict x,
    __global const uint* restrict k,
    __global float* restrict out,
    __global uint* restrict bits,
    uint n,
    float a,
    int s) {
  const uint x_length = n;
  const uint k_length = n;
  const uint out_length = n;
  const uint bits_length = n;
  const uint i = (uint)get_global_id(0);
  const uint sizes = (uint)get_local_id(1) + (uint)get_group_id(2) + (uint)get_global_size(0) + 1u + (uint)get_num_groups(2);
  const uint left = i - 1u - 2u;
  const uint right = i - (1u - 2u);
  const uint mixed = vyre_div_u32((i + 1u) * 2u % 3u, 4u * i);
  const uint masks = (((i & 255u) | (i ^ 15u)) << 3u) >> ((1u + i) & 31u);
  const bool test = ((i < n) & ((i & 1u) == 0u)) | (!(i >= 4u) ^ (i != 7u));
  const bool order = (i <= n) == (i > 2u);
  const int signs = (int)(0u - (uint)s + (uint)-3 - 4294967293u - (uint)-(-3) + (uint)~s);
  const ulong wide = ((ulong)i * 4294967296ul) | 255ul;
  const long narrow = (long)((ulong)(long)wide - 9223372036854775808ul);
  const float cast = (float)s + (float)test * 1.5f + (float)vyre_f32_to_u32(a);
  const float real = fma(a, -0.0f, 0x1.5af1d8p+66f /* 1e+20 */) + as_float(0x7fc00000u) + as_float(0xff800000u);
  const float smallest = 0x1p-149f /* 1e-45 */;
  const float largest = 0x1.fffffep+127f /* 3.4028235e+38 */;
  const float again = as_float(as_uint(a) ^ 2147483648u);
  const float chosen = (isnan(a) != 0) ? 0.0f : a;
  const float calls = vyre_min_f32(a, vyre_max_f32(fabs(a), sqrt(rsqrt(vyre_exp_f32(vyre_exp2_f32(log(log2(a))))))));
  const float more = vyre_pow_f32(sin(cos(vyre_tanh_f32(a))), vyre_floor_f32(vyre_ceil_f32(vyre_trunc_f32(vyre_rint_f32(-(a + 1.0f))))));
  const uint ints = popcount(clz(mul_hi(i, 2654435769u)));
  const float4 v = vyre_load_global_f32x4(x, x_length, i);
  const uint2 w = vyre_load_global_u32x2(k, k_length, i + 1u);
  const float4 u = (float4)(v.x, v.y, -v.z, v.w) * v;
  const float sum = u.x + (u + v).y + vyre_load_global_f32x2(x, x_length, 0u).y + ((float2)(a, a)).x;
  vyre_store_global_f32x4(out, out_length, i, test ? u : v);
  vyre_store_global_u32x2(bits, bits_length, i, w & (uint2)(1u, 2u));
  bits[(size_t)bits_length - 1u] = w.x;
}
