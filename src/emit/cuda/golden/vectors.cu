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

struct vyre_u32x4 {
  unsigned x, y, z, w;
  template <class F, class... V>
  static __device__ vyre_u32x4 each(F f, V... v) {
    return {f(v.x...), f(v.y...), f(v.z...), f(v.w...)};
  }
  static __device__ vyre_u32x4 load(const unsigned* data, u64 at) {
    return {data[at * 4], data[at * 4 + 1], data[at * 4 + 2], data[at * 4 + 3]};
  }
  static __device__ void store(unsigned* data, u64 at, vyre_u32x4 value) {
    data[at * 4] = value.x;
    data[at * 4 + 1] = value.y;
    data[at * 4 + 2] = value.z;
    data[at * 4 + 3] = value.w;
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

static __device__ vyre_u32x2 operator+(vyre_u32x2 a, vyre_u32x2 b) {
  return vyre_u32x2::each([](unsigned p, unsigned q) { return p + q; }, a, b);
}

static __device__ vyre_f32x4 operator-(vyre_f32x4 a) {
  return vyre_f32x4::each([](float p) { return -p; }, a);
}

static __device__ vyre_f32x4 operator/(vyre_f32x4 a, vyre_f32x4 b) {
  return vyre_f32x4::each([](float p, float q) { return p / q; }, a, b);
}

static __device__ vyre_u32x2 operator^(vyre_u32x2 a, vyre_u32x2 b) {
  return vyre_u32x2::each([](unsigned p, unsigned q) { return p ^ q; }, a, b);
}

static __device__ vyre_u32x2 operator|(vyre_u32x2 a, vyre_u32x2 b) {
  return vyre_u32x2::each([](unsigned p, unsigned q) { return p | q; }, a, b);
}

static __device__ vyre_u32x2 operator~(vyre_u32x2 a) {
  return vyre_u32x2::each([](unsigned p) { return ~p; }, a);
}

static __device__ unsigned vyre_div_u32(unsigned a, unsigned b) {
  return b == 0 ? ~(unsigned)0 : a / b;
}

static __device__ vyre_u32x2 vyre_div_u32x2(vyre_u32x2 a, vyre_u32x2 b) {
  return vyre_u32x2::each([](unsigned p, unsigned q) { return vyre_div_u32(p, q); }, a, b);
}

static __device__ float vyre_fabs_f32(float a) {
  return fabsf(a);
}

static __device__ vyre_f32x4 vyre_fabs_f32x4(vyre_f32x4 a) {
  return vyre_f32x4::each([](float p) { return vyre_fabs_f32(p); }, a);
}

static __device__ float vyre_fma_f32(float a, float b, float c) {
  return fmaf(a, b, c);
}

static __device__ vyre_f32x4 vyre_fma_f32x4(vyre_f32x4 a, vyre_f32x4 b, vyre_f32x4 c) {
  return vyre_f32x4::each([](float p, float q, float r) { return vyre_fma_f32(p, q, r); }, a, b, c);
}

static __device__ float vyre_fmax_f32(float a, float b) {
  return fmaxf(a, b);
}

static __device__ vyre_f32x4 vyre_fmax_f32x4(vyre_f32x4 a, vyre_f32x4 b) {
  return vyre_f32x4::each([](float p, float q) { return vyre_fmax_f32(p, q); }, a, b);
}

static __device__ float vyre_fmin_f32(float a, float b) {
  return fminf(a, b);
}

static __device__ vyre_f32x4 vyre_fmin_f32x4(vyre_f32x4 a, vyre_f32x4 b) {
  return vyre_f32x4::each([](float p, float q) { return vyre_fmin_f32(p, q); }, a, b);
}

static __device__ vyre_f32x4 vyre_load_global_f32x4(const float* data, unsigned length, u64 at) {
  return at < length / 4 ? vyre_f32x4::load(data, at) : vyre_f32x4{};
}

static __device__ unsigned vyre_min_u32(unsigned a, unsigned b) {
  return b < a ? b : a;
}

static __device__ unsigned vyre_mod_u32(unsigned a, unsigned b) {
  return b == 0 ? 0 : a % b;
}

static __device__ vyre_u32x2 vyre_mod_u32x2(vyre_u32x2 a, vyre_u32x2 b) {
  return vyre_u32x2::each([](unsigned p, unsigned q) { return vyre_mod_u32(p, q); }, a, b);
}

static __device__ unsigned vyre_mulhi_u32(unsigned a, unsigned b) {
  return sizeof(a) == 8 ? (unsigned)__umul64hi(a, b) : (unsigned)__umulhi((unsigned)a, (unsigned)b);
}

static __device__ vyre_u32x2 vyre_mulhi_u32x2(vyre_u32x2 a, vyre_u32x2 b) {
  return vyre_u32x2::each([](unsigned p, unsigned q) { return vyre_mulhi_u32(p, q); }, a, b);
}

static __device__ unsigned vyre_popcount_u32(unsigned a) {
  return sizeof(a) == 8 ? __popcll((u64)a) : __popc((unsigned)a);
}

static __device__ vyre_u32x2 vyre_popcount_u32x2(vyre_u32x2 a) {
  return vyre_u32x2::each([](unsigned p) { return vyre_popcount_u32(p); }, a);
}

static __device__ float vyre_sqrt_f32(float a) {
  return sqrtf(a);
}

static __device__ vyre_f32x4 vyre_sqrt_f32x4(vyre_f32x4 a) {
  return vyre_f32x4::each([](float p) { return vyre_sqrt_f32(p); }, a);
}

static __device__ void vyre_store_global_u32x2(unsigned* data, unsigned length, u64 at, vyre_u32x2 value) {
  if (at < length / 2) vyre_u32x2::store(data, at, value);
}

// program vectors
extern "C" __global__ void __launch_bounds__(64)
vectors(
    const float* __restrict__ x,
    const unsigned* __restrict__ a,
    float* __restrict__ y,
    unsigned* __restrict__ b,
    unsigned n,
    unsigned k) {
  const unsigned x_length = n;
  const unsigned b_length = n;
  __shared__ float t[256];
  unsigned p[8] = {};
  for (unsigned zero_at = threadIdx.x; zero_at < 256; zero_at += 64) t[zero_at] = 0;
  __syncthreads();
  const unsigned i = (blockIdx.x * 64u + threadIdx.x);
  const unsigned l = threadIdx.x;
  if (i < n / 4u) {
    const vyre_f32x4 v = vyre_f32x4::load(x, i);
    const vyre_f32x4 w = vyre_load_global_f32x4(x, x_length, i + k);
    vyre_f32x4::store(t, l, vyre_fmin_f32x4(v, w) * vyre_fmax_f32x4(v, w) + vyre_fma_f32x4(v, w, -vyre_fabs_f32x4(v)));
    vyre_f32x4::store(y, i, v.x < w.w ? vyre_f32x4::load(t, l) : v / w);
    vyre_f32x2::store(y, (u64)i * 2u, vyre_f32x2{v.x, vyre_sqrt_f32x4(w).y});
    const vyre_u32x2 c = vyre_u32x2::load(a, i);
    vyre_u32x2::store(p, i % 4u, vyre_div_u32x2(c, vyre_u32x2{k, 3u}) + vyre_mod_u32x2(c, vyre_u32x2{1u, i}));
    vyre_store_global_u32x2(b, b_length, k, (vyre_u32x2::load(p, 1u) & ~c) | (c ^ (vyre_mulhi_u32x2(c, c) + vyre_popcount_u32x2(c))));
    vyre_u32x4::store(b, i, vyre_u32x4{c.x, c.y, k, vyre_min_u32(i, k)});
  }
}
