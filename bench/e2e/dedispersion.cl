// A radio signal arrives later in lower channels, by an amount that depends on what lies between
// us and its source. For each of `measures` guesses: the sum over all channels of the samples that
// would have been sent together.
//
// A work-item computes items_x samples, block_x apart or neighbours, for items_y measures.

#define DELAY(measure, channel) (((measure) * (channel)) >> 3)

__kernel __attribute__((reqd_work_group_size(block_x, block_y, 1)))
void dedispersion(__global const float* restrict input, __global float* restrict output,
                  const int samples, const int measures, const int channels, const int row) {
  const int lane_x = get_local_id(0);
  const int lane_y = get_local_id(1);
  const int t0 = get_group_id(0) * block_x * items_x;
  const int m0 = get_group_id(1) * block_y * items_y;
#if neighbours
#define T(x) (t0 + lane_x * items_x + (x))
#else
#define T(x) (t0 + lane_x + (x) * block_x)
#endif
#define M(y) (m0 + lane_y + (y) * block_y)

  float sums[items_y][items_x];
  for (int y = 0; y < items_y; ++y) {
    for (int x = 0; x < items_x; ++x) sums[y][x] = 0.0f;
  }
#pragma unroll unroll
  for (int c = 0; c < channels; ++c) {
    for (int y = 0; y < items_y; ++y) {
      __global const float* at = input + c * row + DELAY(M(y), c);
      for (int x = 0; x < items_x; ++x) sums[y][x] += at[T(x)];
    }
  }
  for (int y = 0; y < items_y; ++y) {
    for (int x = 0; x < items_x; ++x) output[M(y) * samples + T(x)] = sums[y][x];
  }
}
