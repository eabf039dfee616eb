// output = the transpose of input, `height` rows of `width` floats: the twin of transpose.cl.
//
// A block moves a tile of TILE_X * TILE_Y elements. A thread has items_y rows of items_x elements:
// the elements block_size_x apart, the rows next to each other. With use_local the tile goes
// through shared memory, so that both reading and writing touch neighbours; `padding` keeps its
// columns in different banks. With use_vectors a thread takes squares of 4 * 4 elements.

#define TILE_X (block_size_x * items_x)
#define TILE_Y (block_size_y * items_y)

__device__ inline unsigned least(unsigned a, unsigned b) { return a < b ? a : b; }

#if use_vectors
// Elements one by one: rows of any width are aligned to 4 bytes only.
__device__ inline void one_square(const float* __restrict__ from, float* __restrict__ to,
                                  unsigned width, unsigned height) {
  float square[4][4];
#pragma unroll
  for (unsigned y = 0; y < 4; ++y) {
#pragma unroll
    for (unsigned x = 0; x < 4; ++x) square[y][x] = from[y * width + x];
  }
#pragma unroll
  for (unsigned x = 0; x < 4; ++x) {
#pragma unroll
    for (unsigned y = 0; y < 4; ++y) to[x * height + y] = square[y][x];
  }
}
#endif

extern "C" __global__ void __launch_bounds__(block_size_x * block_size_y)
transpose(const float* __restrict__ input, float* __restrict__ output, unsigned width,
          unsigned height) {
  const unsigned x0 = blockIdx.x * TILE_X;
  const unsigned y0 = blockIdx.y * TILE_Y;
  const unsigned lane_x = threadIdx.x;
  const unsigned lane_y = threadIdx.y;
#if use_local
  __shared__ float tile[TILE_Y][TILE_X + padding];
  for (unsigned ty = lane_y; ty < TILE_Y; ty += block_size_y) {
    for (unsigned tx = lane_x; tx < TILE_X; tx += block_size_x) {
      if (x0 + tx < width && y0 + ty < height) {
        tile[ty][tx] = input[(y0 + ty) * width + x0 + tx];
      }
    }
  }
  __syncthreads();
  // The same threads, now along the columns of the tile.
  const unsigned lane = lane_y * block_size_x + lane_x;
  for (unsigned k = lane; k < TILE_X * TILE_Y; k += block_size_x * block_size_y) {
    const unsigned tx = k / TILE_Y;
    const unsigned ty = k % TILE_Y;
    if (x0 + tx < width && y0 + ty < height) {
      output[(x0 + tx) * height + y0 + ty] = tile[ty][tx];
    }
  }
#else
  const unsigned y1 = least(y0 + (lane_y + 1) * items_y, height);
#if use_vectors
  for (unsigned tx = 0; tx < items_x; tx += 4) {
    const unsigned x = x0 + lane_x * items_x + tx;
    unsigned y = y0 + lane_y * items_y;
    if (x + 4 <= width) {
      for (; y + 4 <= y1; y += 4) {
        one_square(input + y * width + x, output + x * height + y, width, height);
      }
    }
    for (; y < y1; ++y) {
      for (unsigned k = x; k < least(x + 4, width); ++k) {
        output[k * height + y] = input[y * width + k];
      }
    }
  }
#else
  for (unsigned x = x0 + lane_x; x < least(x0 + TILE_X, width); x += block_size_x) {
    for (unsigned y = y0 + lane_y * items_y; y < y1; ++y) {
      output[x * height + y] = input[y * width + x];
    }
  }
#endif
#endif
}
