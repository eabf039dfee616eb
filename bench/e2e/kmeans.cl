// The distance of each point to the nearest of `count` centres, squared.
//
// A work-item has `items` points, `block` apart; copy_points brings them to private memory first.
// With use_local the centres are brought to local memory, centres_tile at a time.

#define DIMENSIONS 8

__kernel __attribute__((reqd_work_group_size(block, 1, 1)))
void kmeans(__global const float* restrict points, __global const float* restrict centres,
            __global float* restrict nearest, const int n, const int count) {
  const int lane = get_local_id(0);
  const int first = get_group_id(0) * block * items + lane;
#if use_local
  __local float tile[centres_tile * DIMENSIONS];
#define CENTRE(c, d) tile[(c) * DIMENSIONS + (d)]
#else
#define CENTRE(c, d) centres[(c0 + (c)) * DIMENSIONS + (d)]
#endif
#define POINT(i, d) points[(i) * DIMENSIONS + (d)]

#if copy_points
  float own[items][DIMENSIONS];
  for (int k = 0; k < items; ++k) {
    for (int d = 0; d < DIMENSIONS; ++d) own[k][d] = POINT(first + k * block, d);
  }
#define OWN(k, d) own[k][d]
#else
#define OWN(k, d) POINT(first + (k) * block, d)
#endif
  float best[items];
  for (int k = 0; k < items; ++k) best[k] = INFINITY;
  for (int c0 = 0; c0 < count; c0 += centres_tile) {
#if use_local
    for (int e = lane; e < centres_tile * DIMENSIONS; e += block) {
      tile[e] = centres[c0 * DIMENSIONS + e];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
#endif
#pragma unroll unroll
    for (int c = 0; c < centres_tile; ++c) {
      for (int k = 0; k < items; ++k) {
        float distance = 0.0f;
        for (int d = 0; d < DIMENSIONS; ++d) {
          const float difference = OWN(k, d) - CENTRE(c, d);
          distance += difference * difference;
        }
        best[k] = fmin(best[k], distance);
      }
    }
#if use_local
    barrier(CLK_LOCAL_MEM_FENCE);
#endif
  }
  for (int k = 0; k < items; ++k) nearest[first + k * block] = best[k];
}
