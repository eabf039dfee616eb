using u64 = unsigned long long;
using i64 = long long;

struct vyre_f32x2 {
  float x, y;
  template <class F, class... V>
  static __device__ vyre_f32x2 each(F f, V... v) {
    return {f(v.x...), f(v.y...)};
  }
  static __device__ vyre_f32x2 load(const float* data, u64 at) {
    return {data[at * 2], data[at * 2 + 1]};
  }
  static __device__ void store(float* data, u64 at, vyre_f32x2 value) {
    data[at * 2] = value.x;
    data[at * 2 + 1] = value.y;
  }
};

struct vyre_f32x4 {
  float x, y, z, w;
  template <class F, class... V>
  static __device__ vyre_f32x4 each(F f, V... v) {
    return {f(v.x...), f(v.y...), f(v.z...), f(v.w...)};
  }
  static __device__ vyre_f32x4 load(const float* data, u64 at) {
    return {data[at * 4], data[at * 4 + 1], data[at * 4 + 2], data[at * 4 + 3]};
  }
  static __device__ void store(float* data, u64 at, vyre_f32x4 value) {
    data[at * 4] = value.x;
    data[at * 4 + 1] = value.y;
    data[at * 4 + 2] = value.z;
    data[at * 4 + 3] = value.w;
  }
};

struct vyre_u32x2 {
  unsigned x, y;
  template <class F, class... V>
  static __device__ vyre_u32x2 each(F f, V... v) {
    return {f(v.x...), f(v.y...)};
  }
  static __device__ vyre_u32x2 load(const unsigned* data, u64 at) {
    return {data[at * 2], data[at * 2 + 1]};
  }
  static __device__ void store(unsigned* data, u64 at, vyre_u32x2 value) {
    data[at * 2] = value.x;
    data[at * 2 + 1] = value.y;
  }
};

static __device__ vyre_u32x2 operator&(vyre_u32x2 a, vyre_u32x2 b) {
  return vyre_u32x2::each([](unsigned p, unsigned q) { return p & q; }, a, b);
}

static __device__ vyre_f32x4 operator*(vyre_f32x4 a, vyre_f32x4 b) {
  return vyre_f32x4::each([](float p, float q) { return p * q; }, a, b);
}

static __device__ vyre_f32x4 operator+(vyre_f32x4 a, vyre_f32x4 b) {
  return vyre_f32x4::each([](float p, float q) { return p + q; }, a, b);
}

template <class T>
static __device__ unsigned vyre_bits_u32(T a) {
  return (unsigned)a;
}
static __device__ unsigned vyre_bits_u32(float a) {
  return (unsigned)__float_as_uint(a);
}

static __device__ float vyre_ceil_f32(float a) {
  return ceilf(a);
}

static __device__ unsigned vyre_clz_u32(unsigned a) {
  return sizeof(a) == 8 ? __clzll((i64)a) : __clz((int)a);
}

static __device__ float vyre_cos_f32(float a) {
  return cosf(a);
}

static __device__ unsigned vyre_div_u32(unsigned a, unsigned b) {
  return b == 0 ? ~(unsigned)0 : a / b;
}

static __device__ float vyre_exp2_f32(float a) {
  return exp2f(a);
}

static __device__ float vyre_exp_f32(float a) {
  return expf(a);
}

static __device__ unsigned vyre_f32_to_u32(float a) {
  return a >= 0x1p+32f ? ~(unsigned)0 : a > 0.0f ? (unsigned)a : 0;
}

static __device__ float vyre_fabs_f32(float a) {
  return fabsf(a);
}

template <class T>
static __device__ float vyre_float_bits_f32(T a) {
  return __uint_as_float((unsigned)a);
}
static __device__ float vyre_float_bits_f32(float a) {
  return a;
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

static __device__ vyre_f32x2 vyre_load_global_f32x2(const float* data, unsigned length, u64 at) {
  return at < length / 2 ? vyre_f32x2::load(data, at) : vyre_f32x2{};
}

static __device__ vyre_f32x4 vyre_load_global_f32x4(const float* data, unsigned length, u64 at) {
  return at < length / 4 ? vyre_f32x4::load(data, at) : vyre_f32x4{};
}

static __device__ vyre_u32x2 vyre_load_global_u32x2(const unsigned* data, unsigned length, u64 at) {
  return at < length / 2 ? vyre_u32x2::load(data, at) : vyre_u32x2{};
}

static __device__ float vyre_log2_f32(float a) {
  return log2f(a);
}

static __device__ float vyre_log_f32(float a) {
  return logf(a);
}

static __device__ unsigned vyre_mulhi_u32(unsigned a, unsigned b) {
  return sizeof(a) == 8 ? (unsigned)__umul64hi(a, b) : (unsigned)__umulhi((unsigned)a, (unsigned)b);
}

static __device__ unsigned vyre_popcount_u32(unsigned a) {
  return sizeof(a) == 8 ? __popcll((u64)a) : __popc((unsigned)a);
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

static __device__ void vyre_store_global_f32x4(float* data, unsigned length, u64 at, vyre_f32x4 value) {
  if (at < length / 4) vyre_f32x4::store(data, at, value);
}

static __device__ void vyre_store_global_u32x2(unsigned* data, unsigned length, u64 at, vyre_u32x2 value) {
  if (at < length / 2) vyre_u32x2::store(data, at, value);
}

static __device__ float vyre_tanh_f32(float a) {
  return tanhf(a);
}

static __device__ float vyre_trunc_f32(float a) {
  return truncf(a);
}

// program expressions
extern "C" __global__ void __launch_bounds__(64)
expressions(
    const float* __restrict__ x,
    const unsigned* __restrict__ k,
    float* __restrict__ out,
    unsigned* __restrict__ bits,
    unsigned n,
    float a,
    int s) {
  const unsigned x_length = n;
  const unsigned k_length = n;
  const unsigned out_length = n;
  const unsigned bits_length = n;
  const unsigned i = (blockIdx.x * 64u + threadIdx.x);
  const unsigned sizes = threadIdx.y + blockIdx.z + (gridDim.x * 64u) + 1u + gridDim.z;
  const unsigned left = i - 1u - 2u;
  const unsigned right = i - (1u - 2u);
  const unsigned mixed = vyre_div_u32((i + 1u) * 2u % 3u, 4u * i);
  const unsigned masks = (((i & 255u) | (i ^ 15u)) << 3u) >> ((1u + i) & 31u);
  const bool test = ((i < n) & ((i & 1u) == 0u)) | (!(i >= 4u) ^ (i != 7u));
  const bool order = (i <= n) == (i > 2u);
  const int signs = (int)(0u - (unsigned)s + (unsigned)-3 - 4294967293u - (unsigned)-(-3) + (unsigned)~s);
  const u64 wide = ((u64)i * 4294967296ull) | 255ull;
  const i64 narrow = (i64)((u64)(i64)wide - 9223372036854775808ull);
  const float cast = (float)s + (float)test * 1.5f + (float)vyre_f32_to_u32(a);
  const float real = vyre_fma_f32(a, -0.0f, 0x1.5af1d8p+66f /* 1e+20 */) + __uint_as_float(0x7fc00000u) + __uint_as_float(0xff800000u);
  const float smallest = 0x1p-149f /* 1e-45 */;
  const float largest = 0x1.fffffep+127f /* 3.4028235e+38 */;
  const float again = vyre_float_bits_f32(vyre_bits_u32(a) ^ 2147483648u);
  const float chosen = vyre_is_nan_f32(a) ? 0.0f : a;
  const float calls = vyre_fmin_f32(a, vyre_fmax_f32(vyre_fabs_f32(a), vyre_sqrt_f32(vyre_rsqrt_f32(vyre_exp_f32(vyre_exp2_f32(vyre_log_f32(vyre_log2_f32(a))))))));
  const float more = vyre_pow_f32(vyre_sin_f32(vyre_cos_f32(vyre_tanh_f32(a))), vyre_floor_f32(vyre_ceil_f32(vyre_trunc_f32(vyre_rint_f32(-(a + 1.0f))))));
  const unsigned ints = vyre_popcount_u32(vyre_clz_u32(vyre_mulhi_u32(i, 2654435769u)));
  const vyre_f32x4 v = vyre_load_global_f32x4(x, x_length, i);
  const vyre_u32x2 w = vyre_load_global_u32x2(k, k_length, i + 1u);
  const vyre_f32x4 u = vyre_f32x4{v.x, v.y, -v.z, v.w} * v;
  const float sum = u.x + (u + v).y + vyre_load_global_f32x2(x, x_length, 0u).y + vyre_f32x2{a, a}.x;
  vyre_store_global_f32x4(out, out_length, i, test ? u : v);
  vyre_store_global_u32x2(bits, bits_length, i, w & vyre_u32x2{1u, 2u});
  bits[(u64)bits_length - 1u] = w.x;
}
