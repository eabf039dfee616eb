using u64 = unsigned long long;
using i64 = long long;

static __device__ unsigned vyre_clz_u32(unsigned a) {
  return sizeof(a) == 8 ? __clzll((i64)a) : __clz((int)a);
}

static __device__ unsigned vyre_div_u32(unsigned a, unsigned b) {
  return b == 0 ? ~(unsigned)0 : a / b;
}

static __device__ u64 vyre_div_u64(u64 a, u64 b) {
  return b == 0 ? ~(u64)0 : a / b;
}

static __device__ unsigned vyre_max_u32(unsigned a, unsigned b) {
  return b > a ? b : a;
}

static __device__ unsigned vyre_min_u32(unsigned a, unsigned b) {
  return b < a ? b : a;
}

static __device__ unsigned vyre_mod_u32(unsigned a, unsigned b) {
  return b == 0 ? 0 : a % b;
}

static __device__ u64 vyre_mod_u64(u64 a, u64 b) {
  return b == 0 ? 0 : a % b;
}

static __device__ unsigned vyre_mulhi_u32(unsigned a, unsigned b) {
  return sizeof(a) == 8 ? (unsigned)__umul64hi(a, b) : (unsigned)__umulhi((unsigned)a, (unsigned)b);
}

static __device__ u64 vyre_mulhi_u64(u64 a, u64 b) {
  return sizeof(a) == 8 ? (u64)__umul64hi(a, b) : (u64)__umulhi((unsigned)a, (unsigned)b);
}

static __device__ unsigned vyre_popcount_u32(unsigned a) {
  return sizeof(a) == 8 ? __popcll((u64)a) : __popc((unsigned)a);
}

// program unsigned_integers
extern "C" __global__ void __launch_bounds__(64)
unsigned_integers(
    const unsigned* __restrict__ a,
    const u64* __restrict__ b,
    unsigned* __restrict__ y,
    u64* __restrict__ z,
    unsigned n,
    unsigned s,
    u64 t) {
  const unsigned i = (blockIdx.x * 64u + threadIdx.x);
  if (i >= n) {
    return;
  }
  const unsigned p = a[i];
  const u64 q = b[i];
  y[i] = vyre_div_u32(p, s) + vyre_mod_u32(p, s) + p / 3u + p % n;
  y[i] = ((y[i] << (s & 31u)) ^ (y[i] >> (s & 31u))) | ~p;
  y[i] = y[i] + vyre_mulhi_u32(p, s) * vyre_popcount_u32(p) - vyre_clz_u32(p) + vyre_min_u32(p, vyre_max_u32(s, 4u));
  z[i] = vyre_div_u64(q, t) + vyre_mod_u64(q, t) + q / 10ull + (q << (s & 63u)) + (q >> 40u) * 18446744073709551615ull;
  z[i] = z[i] + (u64)p * (u64)s + vyre_mulhi_u64(q, t);
}
