#pragma OPENCL FP_CONTRACT OFF

static float vyre_max_f32(float a, float b) {
  return (b > a) | (a != a) ? b : a;
}

static float vyre_min_f32(float a, float b) {
  return (b < a) | (a != a) ? b : a;
}

static float vyre_round_f32(float a) {
  return fabs(a) < 0x1p+23f ? rint(a) : a;
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
    s = s + sqrt(v) + rsqrt(v) + exp(v) + exp2(v) + log(v) + log2(v) + sin(v) + cos(v) + tanh(v);
    s = s + pow(v, a) + floor(v) + ceil(v) + trunc(v) + vyre_round_f32(v);
    y[i] = ((isnan(s) != 0) | (s >= 0x1.fffffep+127f /* 3.4028235e+38 */)) ? 0x1p-149f /* 1e-45 */ : s;
  }
}
