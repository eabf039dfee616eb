// output = input convolved with a filter of filter_size * filter_size, without borders: the input
// has filter_size - 1 more columns and rows than the output's `width` and `height`.
//
// A work-item computes items_x * items_y outputs, block_x and block_y apart. With use_local the
// part of the input that a workgroup needs is brought to local memory first.

#define TILE_X (block_x * items_x)
#define TILE_Y (block_y * items_y)
#define HALO (filter_size - 1)

__kernel __attribute__((reqd_work_group_size(block_x, block_y, 1)))
void conv2d(__global const float* restrict input, __constant float* restrict filter,
            __global float* restrict output, const int width, const int height) {
  const int x0 = get_group_id(0) * TILE_X;
  const int y0 = get_group_id(1) * TILE_Y;
  const int lane_x = get_local_id(0);
  const int lane_y = get_local_id(1);
  const int input_width = width + HALO;
  const int input_height = height + HALO;

#if use_local
  __local float tile[TILE_Y + HALO][TILE_X + HALO];
  for (int ty = lane_y; ty < TILE_Y + HALO; ty += block_y) {
    for (int tx = lane_x; tx < TILE_X + HALO; tx += block_x) {
      const int x = min(x0 + tx, input_width - 1);
      const int y = min(y0 + ty, input_height - 1);
      tile[ty][tx] = input[y * input_width + x];
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
#define INPUT(tx, ty) tile[ty][tx]
#else
#define INPUT(tx, ty) \
  input[min(y0 + (ty), input_height - 1) * input_width + min(x0 + (tx), input_width - 1)]
#endif

  float sums[items_y][items_x];
  for (int iy = 0; iy < items_y; ++iy) {
    for (int ix = 0; ix < items_x; ++ix) sums[iy][ix] = 0.0f;
  }
#if unroll_filter
#pragma unroll
#endif
  for (int fy = 0; fy < filter_size; ++fy) {
#if unroll_filter
#pragma unroll
#endif
    for (int fx = 0; fx < filter_size; ++fx) {
      const float weight = filter[fy * filter_size + fx];
      for (int iy = 0; iy < items_y; ++iy) {
        for (int ix = 0; ix < items_x; ++ix) {
          sums[iy][ix] += weight * INPUT(lane_x + ix * block_x + fx, lane_y + iy * block_y + fy);
        }
      }
    }
  }
  for (int iy = 0; iy < items_y; ++iy) {
    for (int ix = 0; ix < items_x; ++ix) {
      const int x = x0 + lane_x + ix * block_x;
      const int y = y0 + lane_y + iy * block_y;
      if (x < width && y < height) output[y * width + x] = sums[iy][ix];
    }
  }
}
