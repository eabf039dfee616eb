// output = input convolved with a filter of filter_size * filter_size, without borders: the input
// has filter_size - 1 more columns and rows than the output's `width` and `height`.
//
// A work-item computes items_y rows, block_size_y apart, of `vector` neighbouring outputs; their
// sums are private. With use_local the part of the input that a workgroup needs is brought to local
// memory first.

#define TILE_X (block_size_x * vector)
#define TILE_Y (block_size_y * items_y)
#define HALO (filter_size - 1)

#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)
#if vector > 1
#define FLOATS JOIN(float, vector)
#define LOAD(p) JOIN(vload, vector)(0, p)
#define STORE(v, p) JOIN(vstore, vector)(v, 0, p)
#else
#define FLOATS float
#define LOAD(p) (*(p))
#define STORE(v, p) (*(p) = (v))
#endif

// For images that are smaller than a tile.
void one_by_one(__global const float* restrict input, __constant float* restrict filter,
                __global float* restrict output, const int width, const int height) {
  for (int y = get_local_id(1); y < height; y += block_size_y) {
    for (int x = get_local_id(0); x < width; x += block_size_x) {
      float sum = 0.0f;
      for (int f = 0; f < filter_size * filter_size; ++f) {
        sum += filter[f] * input[(y + f / filter_size) * (width + HALO) + x + f % filter_size];
      }
      output[y * width + x] = sum;
    }
  }
}

__kernel __attribute__((reqd_work_group_size(block_size_x, block_size_y, 1)))
void conv2d(__global const float* restrict input, __constant float* restrict filter,
            __global float* restrict output, const int width, const int height) {
  if (TILE_X > width || TILE_Y > height) {
    if (get_group_id(0) == 0 && get_group_id(1) == 0) {
      one_by_one(input, filter, output, width, height);
    }
    return;
  }
  // The last tiles are moved inside, so that no access needs a check. Outputs that two tiles have
  // are written twice, with the same values.
  const int x0 = min((int)get_group_id(0) * TILE_X, width - TILE_X);
  const int y0 = min((int)get_group_id(1) * TILE_Y, height - TILE_Y);
  const int lane_x = get_local_id(0);
  const int lane_y = get_local_id(1);
  const int input_width = width + HALO;
  __global const float* from = input + y0 * input_width + x0;

#if use_local
  __local float tile[TILE_Y + HALO][TILE_X + HALO];
  for (int ty = lane_y; ty < TILE_Y + HALO; ty += block_size_y) {
    for (int tx = lane_x; tx < TILE_X + HALO; tx += block_size_x) {
      tile[ty][tx] = from[ty * input_width + tx];
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
#define INPUT(tx, ty) &tile[ty][tx]
#else
#define INPUT(tx, ty) (from + (ty) * input_width + (tx))
#endif

  FLOATS sums[items_y];
  for (int iy = 0; iy < items_y; ++iy) sums[iy] = 0.0f;
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
        sums[iy] += weight * LOAD(INPUT(lane_x * vector + fx, lane_y + iy * block_size_y + fy));
      }
    }
  }
#pragma unroll
  for (int iy = 0; iy < items_y; ++iy) {
    const int y = y0 + lane_y + iy * block_size_y;
    STORE(sums[iy], output + y * width + x0 + lane_x * vector);
  }
}
