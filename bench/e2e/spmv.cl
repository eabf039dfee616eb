// y = A x, where A is sparse with `width` entries in every row, in ELL format: entry k of row r is
// values[k * rows + r], in column columns[k * rows + r].
//
// `lanes` work-items share the entries of a row and add up their parts in local memory. A work-item
// has rows_each rows, side by side or a workgroup's rows apart.

#define ROWS_APART (block / lanes)

__kernel __attribute__((reqd_work_group_size(block, 1, 1)))
void spmv(__global const float* restrict values, __global const int* restrict columns,
          __global const float* restrict x, __global float* restrict y, const int rows,
          const int width) {
  const int id = get_local_id(0);
  const int row_lane = id % ROWS_APART;
  const int lane = id / ROWS_APART;
  const int row0 = get_group_id(0) * ROWS_APART * rows_each;
#if side_by_side
#define ROW(r) (row0 + row_lane * rows_each + (r))
#else
#define ROW(r) (row0 + row_lane + (r) * ROWS_APART)
#endif

  float sums[rows_each];
  for (int r = 0; r < rows_each; ++r) sums[r] = 0.0f;
#pragma unroll unroll
  for (int k = lane; k < width; k += lanes) {
    for (int r = 0; r < rows_each; ++r) {
      const int at = k * rows + ROW(r);
      sums[r] += values[at] * x[columns[at]];
    }
  }
#if lanes > 1
  __local float parts[rows_each][block];
  for (int r = 0; r < rows_each; ++r) parts[r][id] = sums[r];
  barrier(CLK_LOCAL_MEM_FENCE);
  if (lane == 0) {
    for (int r = 0; r < rows_each; ++r) {
      float sum = 0.0f;
      for (int l = 0; l < lanes; ++l) sum += parts[r][l * ROWS_APART + row_lane];
      y[ROW(r)] = sum;
    }
  }
#else
  for (int r = 0; r < rows_each; ++r) y[ROW(r)] = sums[r];
#endif
}
