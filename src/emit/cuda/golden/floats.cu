using u64 = unsigned long long;
using i64 = long long;

static __device__ float vyre_ceil_f32(float a) {
  return ceilf(a);
}

static __device__ float vyre_cos_f32(float a) {
  return cosf(a);
}

static __device__ float vyre_exp2_f32(float a) {
  return exp2f(a);
}

static __device__ float vyre_exp_f32(float a) {
  return expf(a);
}

static __device__ float vyre_fabs_f32(float a) {
  return fabsf(a);
}

static __device__ float vyre_floor_f32(float a) {
  return floorf(a);
}

static __device__ float vyre_fma_f32(float a, float b, float c) {
  return fmaf(a, b, c);
}

static __device__ float vyre_fmax_f32(float a, float b) {
  return fmaxf(a, b);
}

static __device__ float vyre_fmin_f32(float a, float b) {
  return fminf(a, b);
}

static __device__ bool vyre_is_nan_f32(float a) {
  return a != a;
}

static __device__ float vyre_log2_f32(float a) {
  return log2f(a);
}

static __device__ float vyre_log_f32(float a) {
  return logf(a);
}

static __device__ float vyre_pow_f32(float a, float b) {
  return powf(a, b);
}

static __device__ float vyre_rint_f32(float a) {
  return rintf(a);
}

static __device__ float vyre_rsqrt_f32(float a) {
  return rsqrtf(a);
}

static __device__ float vyre_sin_f32(float a) {
  return sinf(a);
}

static __device__ float vyre_sqrt_f32(float a) {
  return sqrtf(a);
}

static __device__ float vyre_tanh_f32(float a) {
  return tanhf(a);
}

static __device__ float vyre_trunc_f32(float a) {
  return truncf(a);
}

// program floats
extern "C" __global__ void __launch_bounds__(64)
floats(const float* __restrict__ x, float* __restrict__ y, unsigned n, float a) {
  const float eps = 0x1.0c6f7ap-20f /* 1e-06 */;
  const float huge = __uint_as_float(0x7f800000u);
  const unsigned i = (blockIdx.x * 64u + threadIdx.x);
  if (i < n) {
    const float v = x[i];
    float s = v * a + 0x1.99999ap-4f /* 0.1 */ - -0.0f / (v - eps) + vyre_fabs_f32(v) * -1.5f;
    s = vyre_fmin_f32(s, vyre_fmax_f32(v, huge)) + vyre_fma_f32(v, a, s) + __uint_as_float(0x7fc00000u);
    s = s + vyre_sqrt_f32(v) + vyre_rsqrt_f32(v) + vyre_exp_f32(v) + vyre_exp2_f32(v) + vyre_log_f32(v) + vyre_log2_f32(v) + vyre_sin_f32(v) + vyre_cos_f32(v) + vyre_tanh_f32(v);
    s = s + vyre_pow_f32(v, a) + vyre_floor_f32(v) + vyre_ceil_f32(v) + vyre_trunc_f32(v) + vyre_rint_f32(v);
    y[i] = (vyre_is_nan_f32(s) | (s >= 0x1.fffffep+127f /* 3.4028235e+38 */)) ? 0x1p-149f /* 1e-45 */ : s;
  }
}
