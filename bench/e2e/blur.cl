// A blur of 2 * RADIUS + 1 by 2 * RADIUS + 1 points that is the product of a row and a column of
// weights. The input has RADIUS more columns and rows on each side.
//
// A workgroup computes a tile of TILE_X * TILE_Y points: first rows, into local memory, then
// columns from there. copy_input brings the input to local memory before that. Without
// separate, a work-item takes all points of its square from the input.

#define RADIUS 3
#define SIZE (2 * RADIUS + 1)
#define TILE_X (block_x * items_x)
#define TILE_Y (block_y * items_y)

__kernel __attribute__((reqd_work_group_size(block_x, block_y, 1)))
void blur(__global const float* restrict input, __constant float* restrict weights,
          __global float* restrict output, const int width, const int height) {
  const int lane_x = get_local_id(0);
  const int lane_y = get_local_id(1);
  const int x0 = get_group_id(0) * TILE_X;
  const int y0 = get_group_id(1) * TILE_Y;
  const int row = width + 2 * RADIUS;
  __global const float* from = input + y0 * row + x0;

#if copy_input
  __local float copy[TILE_Y + 2 * RADIUS][TILE_X + 2 * RADIUS];
  for (int ty = lane_y; ty < TILE_Y + 2 * RADIUS; ty += block_y) {
    for (int tx = lane_x; tx < TILE_X + 2 * RADIUS; tx += block_x) {
      copy[ty][tx] = from[ty * row + tx];
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
#define INPUT(tx, ty) copy[ty][tx]
#else
#define INPUT(tx, ty) from[(ty) * row + (tx)]
#endif

#if separate
  __local float rows[TILE_Y + 2 * RADIUS][TILE_X];
  for (int ty = lane_y; ty < TILE_Y + 2 * RADIUS; ty += block_y) {
    for (int tx = lane_x; tx < TILE_X; tx += block_x) {
      float sum = 0.0f;
#if unroll
#pragma unroll
#endif
      for (int k = 0; k < SIZE; ++k) sum += weights[k] * INPUT(tx + k, ty);
      rows[ty][tx] = sum;
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
#endif
  for (int iy = 0; iy < items_y; ++iy) {
    for (int ix = 0; ix < items_x; ++ix) {
      const int tx = lane_x + ix * block_x;
      const int ty = lane_y + iy * block_y;
      float sum = 0.0f;
#if unroll
#pragma unroll
#endif
      for (int k = 0; k < SIZE; ++k) {
#if separate
        sum += weights[k] * rows[ty + k][tx];
#else
        float part = 0.0f;
        for (int l = 0; l < SIZE; ++l) part += weights[l] * INPUT(tx + l, ty + k);
        sum += weights[k] * part;
#endif
      }
      output[(y0 + ty) * width + x0 + tx] = sum;
    }
  }
}
