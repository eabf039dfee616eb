// output = the transpose of input, `height` rows of `width` floats.
//
// A workgroup moves a tile of TILE_X * TILE_Y elements. A work-item has items_y rows of items_x
// elements: the elements block_size_x apart, the rows next to each other, so that it writes
// neighbours. With use_local the tile goes through local memory, so that both reading and writing
// touch neighbours; `padding` keeps its columns in different banks. With use_vectors a work-item
// takes squares of 4 * 4 elements.

#define TILE_X (block_size_x * items_x)
#define TILE_Y (block_size_y * items_y)

#if use_vectors
void one_square(__global const float* restrict from, __global float* restrict to, const uint width,
                const uint height) {
  const float4 a = vload4(0, from);
  const float4 b = vload4(0, from + width);
  const float4 c = vload4(0, from + 2 * width);
  const float4 d = vload4(0, from + 3 * width);
  vstore4((float4)(a.s0, b.s0, c.s0, d.s0), 0, to);
  vstore4((float4)(a.s1, b.s1, c.s1, d.s1), 0, to + height);
  vstore4((float4)(a.s2, b.s2, c.s2, d.s2), 0, to + 2 * height);
  vstore4((float4)(a.s3, b.s3, c.s3, d.s3), 0, to + 3 * height);
}
#endif

__kernel __attribute__((reqd_work_group_size(block_size_x, block_size_y, 1)))
void transpose(__global const float* restrict input, __global float* restrict output,
               const uint width, const uint height) {
  const uint x0 = get_group_id(0) * TILE_X;
  const uint y0 = get_group_id(1) * TILE_Y;
  const uint lane_x = get_local_id(0);
  const uint lane_y = get_local_id(1);
#if use_local
  __local float tile[TILE_Y][TILE_X + padding];
  for (uint ty = lane_y; ty < TILE_Y; ty += block_size_y) {
    for (uint tx = lane_x; tx < TILE_X; tx += block_size_x) {
      if (x0 + tx < width && y0 + ty < height) {
        tile[ty][tx] = input[(y0 + ty) * width + x0 + tx];
      }
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  // The same work-items, now along the columns of the tile.
  const uint lane = lane_y * block_size_x + lane_x;
  for (uint k = lane; k < TILE_X * TILE_Y; k += block_size_x * block_size_y) {
    const uint tx = k / TILE_Y;
    const uint ty = k % TILE_Y;
    if (x0 + tx < width && y0 + ty < height) {
      output[(x0 + tx) * height + y0 + ty] = tile[ty][tx];
    }
  }
#else
  const uint y1 = min(y0 + (lane_y + 1) * items_y, height);
#if use_vectors
  for (uint tx = 0; tx < items_x; tx += 4) {
    const uint x = x0 + lane_x * items_x + tx;
    uint y = y0 + lane_y * items_y;
    if (x + 4 <= width) {
      for (; y + 4 <= y1; y += 4) {
        one_square(input + y * width + x, output + x * height + y, width, height);
      }
    }
    for (; y < y1; ++y) {
      for (uint k = x; k < min(x + 4, width); ++k) output[k * height + y] = input[y * width + k];
    }
  }
#else
  for (uint x = x0 + lane_x; x < min(x0 + TILE_X, width); x += block_size_x) {
    for (uint y = y0 + lane_y * items_y; y < y1; ++y) {
      output[x * height + y] = input[y * width + x];
    }
  }
#endif
#endif
}
