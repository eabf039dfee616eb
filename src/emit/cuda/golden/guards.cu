using u64 = unsigned long long;
using i64 = long long;

static __device__ unsigned vyre_f32_to_u32(float a) {
  return a >= 0x1p+32f ? ~(unsigned)0 : a > 0.0f ? (unsigned)a : 0;
}

static __device__ unsigned vyre_load_global_u32(const unsigned* data, unsigned length, u64 at) {
  return at < length ? data[at] : (unsigned)0;
}

static __device__ float vyre_load_local_f32(const float* data, unsigned length, u64 at) {
  return at < length ? data[at] : (float)0;
}

static __device__ i64 vyre_load_private_i64(const i64* data, unsigned length, u64 at) {
  return at < length ? data[at] : (i64)0;
}

static __device__ void vyre_store_global_u32(unsigned* data, unsigned length, u64 at, unsigned value) {
  if (at < length) data[at] = value;
}

static __device__ void vyre_store_local_f32(float* data, unsigned length, u64 at, float value) {
  if (at < length) data[at] = value;
}

static __device__ void vyre_store_private_i64(i64* data, unsigned length, u64 at, i64 value) {
  if (at < length) data[at] = value;
}

// program guards
extern "C" __global__ void __launch_bounds__(64)
guards(
    const unsigned* __restrict__ x,
    unsigned* __restrict__ y,
    unsigned n,
    unsigned s,
    int d,
    u64 w) {
  const unsigned x_length = n;
  const unsigned y_length = n + 1u;
  __shared__ float t[70];
  i64 p[3] = {};
  for (unsigned zero_at = threadIdx.x; zero_at < 70; zero_at += 64) t[zero_at] = 0;
  __syncthreads();
  const unsigned i = (blockIdx.x * 64u + threadIdx.x);
  vyre_store_global_u32(y, y_length, i, vyre_load_global_u32(x, x_length, i) + vyre_load_global_u32(x, x_length, d) + vyre_load_global_u32(x, x_length, w) + vyre_load_global_u32(x, x_length, i * s));
  y[n] = x[(u64)n - 1u] + vyre_load_global_u32(x, x_length, i - 1u);
  vyre_store_local_f32(t, 70u, i, vyre_load_local_f32(t, 70u, s) + t[(u64)threadIdx.x + 6u]);
  vyre_store_private_i64(p, 3u, s, (i64)((u64)vyre_load_private_i64(p, 3u, s % 4u) + (u64)p[s % 3u]));
  vyre_store_global_u32(y, y_length, i + 1u, (i < n ? x[i] : vyre_load_global_u32(x, x_length, s)) + vyre_f32_to_u32(vyre_load_local_f32(t, 70u, i)) + (unsigned)vyre_load_private_i64(p, 3u, d));
}
