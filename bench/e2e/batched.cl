// Products of many small square matrices: c[i] = a[i] b[i], each SIZE * SIZE, row by row.
//
// A workgroup has `matrices` of them. A work-item computes rows_each rows of cols_each columns of
// one product. use_local brings a's and b's matrices to local memory, `padding` columns wider.

#define SIZE 12
#define LANES_X (SIZE / cols_each)
#define LANES_Y (SIZE / rows_each)
#define LANES (LANES_X * LANES_Y)
#define WIDE (SIZE + padding)

__kernel __attribute__((reqd_work_group_size(LANES, matrices, 1)))
void batched(__global const float* restrict a, __global const float* restrict b,
             __global float* restrict c, const int count) {
  const int lane = get_local_id(0);
  const int slot = get_local_id(1);
  const int first = (get_group_id(0) * matrices + slot) * SIZE * SIZE;
  const int x = lane % LANES_X * cols_each;
  const int y = lane / LANES_X * rows_each;
#if use_local
  __local float tile_a[matrices][SIZE * WIDE];
  __local float tile_b[matrices][SIZE * WIDE];
  for (int e = lane; e < SIZE * SIZE; e += LANES) {
    const int to = e / SIZE * WIDE + e % SIZE;
    tile_a[slot][to] = a[first + e];
    tile_b[slot][to] = b[first + e];
  }
  barrier(CLK_LOCAL_MEM_FENCE);
#define A(row, p) tile_a[slot][(row) * WIDE + (p)]
#define B(p, col) tile_b[slot][(p) * WIDE + (col)]
#else
#define A(row, p) a[first + (row) * SIZE + (p)]
#define B(p, col) b[first + (p) * SIZE + (col)]
#endif
  float sums[rows_each][cols_each];
  for (int r = 0; r < rows_each; ++r) {
    for (int k = 0; k < cols_each; ++k) sums[r][k] = 0.0f;
  }
#pragma unroll unroll
  for (int p = 0; p < SIZE; ++p) {
    for (int r = 0; r < rows_each; ++r) {
      const float factor = A(y + r, p);
      for (int k = 0; k < cols_each; ++k) sums[r][k] += factor * B(p, x + k);
    }
  }
  for (int r = 0; r < rows_each; ++r) {
    for (int k = 0; k < cols_each; ++k) c[first + (y + r) * SIZE + x + k] = sums[r][k];
  }
}
