using u64 = unsigned long long;
using i64 = long long;

template <class T>
static __device__ int vyre_bits_i32(T a) {
  return (int)a;
}
static __device__ int vyre_bits_i32(float a) {
  return (int)__float_as_uint(a);
}

template <class T>
static __device__ i64 vyre_bits_i64(T a) {
  return (i64)a;
}
static __device__ i64 vyre_bits_i64(float a) {
  return (i64)__float_as_uint(a);
}

template <class T>
static __device__ unsigned vyre_bits_u32(T a) {
  return (unsigned)a;
}
static __device__ unsigned vyre_bits_u32(float a) {
  return (unsigned)__float_as_uint(a);
}

static __device__ int vyre_f32_to_i32(float a) {
  const int most = (int)(~(unsigned)0 >> 1);
  return a >= 0x1p+31f ? most : a >= -0x1p+31f ? (int)a : a < 0.0f ? -most - 1 : 0;
}

static __device__ i64 vyre_f32_to_i64(float a) {
  const i64 most = (i64)(~(u64)0 >> 1);
  return a >= 0x1p+63f ? most : a >= -0x1p+63f ? (i64)a : a < 0.0f ? -most - 1 : 0;
}

static __device__ unsigned vyre_f32_to_u32(float a) {
  return a >= 0x1p+32f ? ~(unsigned)0 : a > 0.0f ? (unsigned)a : 0;
}

static __device__ u64 vyre_f32_to_u64(float a) {
  return a >= 0x1p+64f ? ~(u64)0 : a > 0.0f ? (u64)a : 0;
}

template <class T>
static __device__ float vyre_float_bits_f32(T a) {
  return __uint_as_float((unsigned)a);
}
static __device__ float vyre_float_bits_f32(float a) {
  return a;
}

// program casts
extern "C" __global__ void __launch_bounds__(64)
casts(
    const float* __restrict__ f,
    const i64* __restrict__ l,
    unsigned* __restrict__ y,
    i64* __restrict__ z,
    float* __restrict__ g,
    unsigned n,
    unsigned flag_bits) {
  const bool flag = flag_bits != 0;
  const unsigned i = (blockIdx.x * 64u + threadIdx.x);
  if (i < n) {
    const float v = f[i];
    const i64 w = l[i];
    y[i] = vyre_f32_to_u32(v) + (unsigned)vyre_f32_to_i32(v) + (unsigned)vyre_f32_to_u64(v) + (unsigned)vyre_f32_to_i64(v) + (unsigned)flag + (unsigned)(v != 0.0f) + (unsigned)w;
    z[i] = (i64)((u64)(i64)(u64)w + (u64)(i64)(int)w + (u64)(i64)i + (u64)(i64)flag + (u64)vyre_bits_i64((u64)w));
    g[i] = (float)w + (float)(u64)w + (float)(int)w + (float)i + (float)flag + (float)(w != 0ll);
    g[i] = vyre_float_bits_f32(vyre_bits_u32(g[i]) + vyre_bits_u32(vyre_bits_i32(v)));
  }
}
