#pragma OPENCL FP_CONTRACT OFF

static float vyre_ceil_f32(float a) {
  return fabs(a) < 0x1p+23f ? ceil(a) : a;
}

static float vyre_exp2_f32(float a) {
  const float value = exp2(a);
  return a != a ? a : value;
}

static float vyre_exp_f32(float a) {
  const float value = exp(a);
  return a != a ? a : value;
}

static float vyre_floor_f32(float a) {
  return fabs(a) < 0x1p+23f ? floor(a) : a;
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

static float vyre_tanh_f32(float a) {
  const float value = tanh(a);
  return a != a ? a : value;
}

static float vyre_trunc_f32(float a) {
  return fabs(a) < 0x1p+23f ? trunc(a) : a;
}

// program floats
__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void floats(__global const float* restrict x, __global float* restrict y, uint n, float a) {
  const float eps = 0x1.0c6f7ap-20f /* 1e-06 */;
  const float huge = as_float(0x7f800000u);
  const uint i = (uint)get_global_id(0);
  if (i < n) {
    const float v = x[i];
    float s = v * a + 0x1.99999ap-4f /* 0.1 */ - -0.0f / (v - eps) + fabs(v) * -1.5f;
    s = vyre_min_f32(s, vyre_max_f32(v, huge)) + fma(v, a, s) + as_float(0x7fc00000u);
    s = s + sqrt(v) + rsqrt(v) + vyre_exp_f32(v) + vyre_exp2_f32(v) + log(v) + log2(v) + sin(v) + cos(v) + vyre_tanh_f32(v);
    s = s + vyre_pow_f32(v, a) + vyre_floor_f32(v) + vyre_ceil_f32(v) + vyre_trunc_f32(v) + vyre_rint_f32(v);
    y[i] = ((isnan(s) != 0) | (s >= 0x1.fffffep+127f /* 3.4028235e+38 */)) ? 0x1p-149f /* 1e-45 */ : s;
  }
}
