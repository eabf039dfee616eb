// output = input convolved with a filter of filter_size * filter_size, without borders: the twin of
// conv2d.cl. The input has filter_size - 1 more columns and rows than the output's `width` and
// `height`; the filter is in constant memory.
//
// A thread computes items_y rows, block_size_y apart, of `vector` outputs, block_size_x apart:
// neighbouring threads then read neighbours. With use_local the part of the input that a block
// needs is brought to shared memory first.

#define TILE_X (block_size_x * vector)
#define TILE_Y (block_size_y * items_y)
#define HALO (filter_size - 1)

__constant__ float filter[filter_size * filter_size];

// For images that are smaller than a tile.
__device__ inline void one_by_one(const float* __restrict__ input, float* __restrict__ output,
                                  int width, int height) {
  for (int y = threadIdx.y; y < height; y += block_size_y) {
    for (int x = threadIdx.x; x < width; x += block_size_x) {
      float sum = 0.0f;
      for (int f = 0; f < filter_size * filter_size; ++f) {
        sum += filter[f] * input[(y + f / filter_size) * (width + HALO) + x + f % filter_size];
      }
      output[y * width + x] = sum;
    }
  }
}

extern "C" __global__ void __launch_bounds__(block_size_x * block_size_y)
conv2d(const float* __restrict__ input, float* __restrict__ output, int width, int height) {
  if (TILE_X > width || TILE_Y > height) {
    if (blockIdx.x == 0 && blockIdx.y == 0) one_by_one(input, output, width, height);
    return;
  }
  // The last tiles are moved inside, so that no access needs a check. Outputs that two tiles have
  // are written twice, with the same values.
  const int tile_x = blockIdx.x * TILE_X;
  const int tile_y = blockIdx.y * TILE_Y;
  const int x0 = tile_x < width - TILE_X ? tile_x : width - TILE_X;
  const int y0 = tile_y < height - TILE_Y ? tile_y : height - TILE_Y;
  const int lane_x = threadIdx.x;
  const int lane_y = threadIdx.y;
  const int input_width = width + HALO;
  const float* __restrict__ from = input + y0 * input_width + x0;

#if use_local
  __shared__ float tile[TILE_Y + HALO][TILE_X + HALO];
  for (int ty = lane_y; ty < TILE_Y + HALO; ty += block_size_y) {
    for (int tx = lane_x; tx < TILE_X + HALO; tx += block_size_x) {
      tile[ty][tx] = from[ty * input_width + tx];
    }
  }
  __syncthreads();
#define INPUT(tx, ty) tile[ty][tx]
#else
#define INPUT(tx, ty) from[(ty) * input_width + (tx)]
#endif

  float sums[items_y][vector] = {};
#if unroll_filter
#pragma unroll
#else
#pragma unroll 1
#endif
  for (int fy = 0; fy < filter_size; ++fy) {
#if unroll_filter
#pragma unroll
#else
#pragma unroll 1
#endif
    for (int fx = 0; fx < filter_size; ++fx) {
      const float weight = filter[fy * filter_size + fx];
#pragma unroll
      for (int iy = 0; iy < items_y; ++iy) {
#pragma unroll
        for (int ix = 0; ix < vector; ++ix) {
          const int x = lane_x + ix * block_size_x + fx;
          sums[iy][ix] += weight * INPUT(x, lane_y + iy * block_size_y + fy);
        }
      }
    }
  }
#pragma unroll
  for (int iy = 0; iy < items_y; ++iy) {
    const int y = y0 + lane_y + iy * block_size_y;
#pragma unroll
    for (int ix = 0; ix < vector; ++ix) {
      output[y * width + x0 + lane_x + ix * block_size_x] = sums[iy][ix];
    }
  }
}
