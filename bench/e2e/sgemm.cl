// c = a b, all of them row by row: m rows of k, k rows of n, m rows of n.
//
// A workgroup computes a tile of TILE_M rows and TILE_N columns, tile_k terms at a time. A work-item
// has items_y rows, block_y apart, of items_x neighbouring columns; its sums are private. local_a
// and local_b bring the tiles of a and b to local memory first.

#define TILE_M (block_y * items_y)
#define TILE_N (block_x * items_x)
#define LANES (block_x * block_y)

__kernel __attribute__((reqd_work_group_size(block_x, block_y, 1)))
void sgemm(__global const float* restrict a, __global const float* restrict b,
           __global float* restrict c, const int m, const int n, const int k) {
  const int lane_x = get_local_id(0);
  const int lane_y = get_local_id(1);
  const int row0 = get_group_id(1) * TILE_M;
  const int col0 = get_group_id(0) * TILE_N;
#if local_a || local_b
  const int lane = lane_y * block_x + lane_x;
#endif
#if local_a
  __local float tile_a[TILE_M][tile_k];
#define A(y, p) tile_a[y][p]
#else
#define A(y, p) a[(row0 + (y)) * k + t + (p)]
#endif
#if local_b
  __local float tile_b[tile_k][TILE_N];
#define B(p, x) tile_b[p][x]
#else
#define B(p, x) b[(t + (p)) * n + col0 + (x)]
#endif

  float sums[items_y][items_x];
  for (int y = 0; y < items_y; ++y) {
    for (int x = 0; x < items_x; ++x) sums[y][x] = 0.0f;
  }
  for (int t = 0; t < k; t += tile_k) {
#if local_a
    for (int e = lane; e < TILE_M * tile_k; e += LANES) {
      tile_a[e / tile_k][e % tile_k] = a[(row0 + e / tile_k) * k + t + e % tile_k];
    }
#endif
#if local_b
    for (int e = lane; e < TILE_N * tile_k; e += LANES) {
      tile_b[e / TILE_N][e % TILE_N] = b[(t + e / TILE_N) * n + col0 + e % TILE_N];
    }
#endif
#if local_a || local_b
    barrier(CLK_LOCAL_MEM_FENCE);
#endif
#if unroll_k
#pragma unroll
#else
#pragma unroll 1
#endif
    for (int p = 0; p < tile_k; ++p) {
      for (int y = 0; y < items_y; ++y) {
        const float factor = A(lane_y + y * block_y, p);
        for (int x = 0; x < items_x; ++x) sums[y][x] += factor * B(p, lane_x * items_x + x);
      }
    }
#if local_a || local_b
    barrier(CLK_LOCAL_MEM_FENCE);
#endif
  }
  for (int y = 0; y < items_y; ++y) {
    for (int x = 0; x < items_x; ++x) {
      c[(row0 + lane_y + y * block_y) * n + col0 + lane_x * items_x + x] = sums[y][x];
    }
  }
}
