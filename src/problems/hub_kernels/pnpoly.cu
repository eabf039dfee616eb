// Whether points lie in a polygon, by the crossing number: a kernel for the hub's T1 file `pnpoly`,
// which lists no arguments. So points are made of their numbers, and the answers are a symbol.

#define nr_vertices 600
#define nr_points 20000000

__constant__ float2 d_vertices[nr_vertices];
__device__ int d_inside[nr_points];

__device__ inline bool is_between(float a, float b, float y) {
#if between_method == 0
  return (a > y) != (b > y);
#elif between_method == 1
  return (a <= y && b > y) || (a > y && b <= y);
#elif between_method == 2
  return (a - y) * (b - y) < 0.0f;
#else
  return signbit(a - y) != signbit(b - y);
#endif
}

extern "C" __global__ void __launch_bounds__(block_size_x) cn_pnpoly() {
  const int first = blockIdx.x * block_size_x * tile_size + threadIdx.x;
  int crossings[tile_size] = {};
  float2 points[tile_size];
#pragma unroll
  for (int k = 0; k < tile_size; ++k) {
    const int point = first + k * block_size_x;
    points[k] = make_float2((point % 4096) / 4096.0f, (point / 4096) / 4096.0f);
  }
  float2 last = d_vertices[nr_vertices - 1];
  for (int v = 0; v < nr_vertices; ++v) {
    const float2 next = d_vertices[v];
    const float slope = (next.x - last.x) / (next.y - last.y);
#pragma unroll
    for (int k = 0; k < tile_size; ++k) {
      const bool crosses = is_between(next.y, last.y, points[k].y) &&
                           points[k].x < slope * (points[k].y - last.y) + last.x;
#if use_method == 0
      if (crosses) crossings[k] = 1 - crossings[k];
#elif use_method == 1
      crossings[k] += crosses;
#else
      crossings[k] ^= crosses;
#endif
    }
    last = next;
  }
#pragma unroll
  for (int k = 0; k < tile_size; ++k) {
    const int point = first + k * block_size_x;
    if (point < nr_points) d_inside[point] = crossings[k] & 1;
  }
}
