// output = the transpose of input, `height` rows of `width` floats.
//
// A workgroup moves a tile of TILE_X * TILE_Y elements, each work-item every block_y-th row and
// block_x-th column of it. With use_local the tile goes through local memory, so that both reading
// and writing touch neighbours; `padding` keeps its columns in different banks.

#define TILE_X (block_x * items_x)
#define TILE_Y (block_y * items_y)

__kernel void transpose(__global const float* restrict input, __global float* restrict output,
                        const uint width, const uint height) {
  const uint x0 = get_group_id(0) * TILE_X;
  const uint y0 = get_group_id(1) * TILE_Y;
  const uint lane_x = get_local_id(0);
  const uint lane_y = get_local_id(1);
#if use_local
  __local float tile[TILE_Y][TILE_X + padding];
  for (uint ty = lane_y; ty < TILE_Y; ty += block_y) {
    for (uint tx = lane_x; tx < TILE_X; tx += block_x) {
      if (x0 + tx < width && y0 + ty < height) {
        tile[ty][tx] = input[(y0 + ty) * width + x0 + tx];
      }
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  // The same work-items, now along the columns of the tile.
  const uint lane = lane_y * block_x + lane_x;
  for (uint k = lane; k < TILE_X * TILE_Y; k += block_x * block_y) {
    const uint tx = k / TILE_Y;
    const uint ty = k % TILE_Y;
    if (x0 + tx < width && y0 + ty < height) {
      output[(x0 + tx) * height + y0 + ty] = tile[ty][tx];
    }
  }
#else
  for (uint ty = lane_y; ty < TILE_Y; ty += block_y) {
    for (uint tx = lane_x; tx < TILE_X; tx += block_x) {
      if (x0 + tx < width && y0 + ty < height) {
        output[(x0 + tx) * height + y0 + ty] = input[(y0 + ty) * width + x0 + tx];
      }
    }
  }
#endif
}
