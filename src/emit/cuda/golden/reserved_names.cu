using u64 = unsigned long long;
using i64 = long long;

static __device__ float vyre_load_global_f32(const float* data, unsigned length, u64 at) {
  return at < length ? data[at] : (float)0;
}

static __device__ unsigned vyre_load_private_u32(const unsigned* data, unsigned length, u64 at) {
  return at < length ? data[at] : (unsigned)0;
}

static __device__ void vyre_store_global_f32(float* data, unsigned length, u64 at, float value) {
  if (at < length) data[at] = value;
}

static __device__ void vyre_store_private_u32(unsigned* data, unsigned length, u64 at, unsigned value) {
  if (at < length) data[at] = value;
}

static __device__ unsigned vyre_trip_count_u32(unsigned begin, unsigned end, unsigned step) {
  return begin < end && step > 0 ? ((unsigned)end - (unsigned)begin - 1) / (unsigned)step + 1 : 0;
}

// program kernels
extern "C" __global__ void __launch_bounds__(64)
kernels(
    const float* __restrict__ global,
    const float* __restrict__ v_vyre_load,
    float* __restrict__ x,
    float* __restrict__ get_id,
    unsigned N,
    unsigned v_MAX,
    float v_float4,
    float step) {
  const unsigned v_int = 3u;
  const unsigned global_length = N;
  const unsigned v_vyre_load_length = v_MAX;
  const unsigned x_length_2 = N;
  const unsigned get_id_length = N;
  unsigned v_p[4] = {};
  const unsigned kernel = (blockIdx.x * 64u + threadIdx.x);
  const unsigned x_length = x_length_2 + get_id_length;
  {
    unsigned k = 0u;
    for (unsigned k_left_2 = vyre_trip_count_u32(k, x_length, v_int); k_left_2 != 0; --k_left_2, k += v_int) {
      const unsigned k_end = k + kernel;
      const unsigned k_left = k_end;
      const unsigned v_x = k_left;
      vyre_store_global_f32(x, x_length_2, k, vyre_load_global_f32(global, global_length, k) * step + vyre_load_global_f32(v_vyre_load, v_vyre_load_length, v_x) * v_float4);
      vyre_store_private_u32(v_p, 4u, kernel, v_x);
      vyre_store_global_f32(get_id, get_id_length, vyre_load_private_u32(v_p, 4u, k), 1.0f);
    }
  }
}
