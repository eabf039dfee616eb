using u64 = unsigned long long;
using i64 = long long;

static __device__ int vyre_abs_i32(int a) {
  return a < 0 ? (int)(0 - (unsigned)a) : a;
}

static __device__ i64 vyre_abs_i64(i64 a) {
  return a < 0 ? (i64)(0 - (u64)a) : a;
}

static __device__ int vyre_clz_i32(int a) {
  return sizeof(a) == 8 ? __clzll((i64)a) : __clz((int)a);
}

static __device__ int vyre_div_i32(int a, int b) {
  return b == 0 ? -1 : b == -1 ? (int)(0 - (unsigned)a) : a / b;
}

static __device__ i64 vyre_div_i64(i64 a, i64 b) {
  return b == 0 ? -1 : b == -1 ? (i64)(0 - (u64)a) : a / b;
}

static __device__ int vyre_max_i32(int a, int b) {
  return b > a ? b : a;
}

static __device__ int vyre_min_i32(int a, int b) {
  return b < a ? b : a;
}

static __device__ int vyre_mod_i32(int a, int b) {
  return b == 0 || b == -1 ? 0 : a % b;
}

static __device__ i64 vyre_mod_i64(i64 a, i64 b) {
  return b == 0 || b == -1 ? 0 : a % b;
}

static __device__ int vyre_mulhi_i32(int a, int b) {
  return sizeof(a) == 8 ? (int)__mul64hi(a, b) : (int)__mulhi((int)a, (int)b);
}

static __device__ i64 vyre_mulhi_i64(i64 a, i64 b) {
  return sizeof(a) == 8 ? (i64)__mul64hi(a, b) : (i64)__mulhi((int)a, (int)b);
}

static __device__ int vyre_popcount_i32(int a) {
  return sizeof(a) == 8 ? __popcll((u64)a) : __popc((unsigned)a);
}

// program signed_integers
extern "C" __global__ void __launch_bounds__(64)
signed_integers(
    const int* __restrict__ a,
    const i64* __restrict__ b,
    int* __restrict__ y,
    i64* __restrict__ z,
    unsigned n,
    int s,
    i64 t) {
  const unsigned i = (blockIdx.x * 64u + threadIdx.x);
  if (i < n) {
    const int p = a[i];
    const i64 q = b[i];
    y[i] = (int)(((unsigned)p + (unsigned)s) * ((unsigned)p - (unsigned)s) - (0u - (unsigned)p) + (unsigned)vyre_abs_i32(p) * 3u);
    y[i] = (int)((unsigned)y[i] + (unsigned)vyre_div_i32(p, s) + (unsigned)vyre_mod_i32(p, s) + (unsigned)(p / 7) + (unsigned)(p % -5) + (unsigned)vyre_div_i32(p, -1));
    y[i] = y[i] ^ ((int)((unsigned)p << ((unsigned)s & 31u)) | ((p >> 3u) & ~s));
    y[i] = (int)((unsigned)y[i] + (unsigned)vyre_mulhi_i32(p, s) + (unsigned)vyre_popcount_i32(p) + (unsigned)vyre_clz_i32(s) + (unsigned)vyre_min_i32(p, vyre_max_i32(s, -2147483647 - 1)));
    z[i] = (i64)(((u64)q + (u64)t) * ((u64)q - (u64)t) - (0u - (u64)q) + (u64)vyre_abs_i64(q) * 9223372036854775808ull);
    z[i] = (i64)((u64)z[i] + (u64)vyre_div_i64(q, t) + (u64)vyre_mod_i64(q, t) + (u64)(i64)((u64)q << 63u) + (u64)(q >> ((unsigned)s & 63u)) + (u64)vyre_mulhi_i64(q, t));
    z[i] = (i64)((u64)z[i] + (u64)((i64)p * 2ll));
  }
}
