// An image convolved with a filter in constant memory: a kernel for the hub's T1 file `convolution`.
//
// A thread computes tile_size_y rows, block_size_y apart, of tile_size_x outputs, block_size_x
// apart. Each row of threads brings the part of an input row that it needs to shared memory.

#ifndef image_width
#define image_width 4096
#define image_height 4096
#endif
#define input_width (image_width + filter_width - 1)
#define input_height (image_height + filter_height - 1)
#define row_length (block_size_x * tile_size_x + filter_width - 1)

__constant__ float d_filter[filter_height * filter_width];

__device__ inline float at(const float* p, int index) {
#if read_only
  return __ldg(p + index);
#else
  return p[index];
#endif
}

extern "C" __global__ void __launch_bounds__(block_size_x * block_size_y)
convolution_kernel(float* output_image, const float* input_image) {
  __shared__ float row[block_size_y][row_length + use_padding];
  const int x0 = blockIdx.x * block_size_x * tile_size_x;
  const int y0 = blockIdx.y * block_size_y * tile_size_y + threadIdx.y;
  float sums[tile_size_y][tile_size_x] = {};
  for (int ty = 0; ty < tile_size_y; ++ty) {
    for (int fy = 0; fy < filter_height; ++fy) {
      const int y = y0 + ty * block_size_y + fy;
      __syncthreads();
      for (int k = threadIdx.x; k < row_length; k += block_size_x) {
        const bool inside = x0 + k < input_width && y < input_height;
        row[threadIdx.y][k] = inside ? at(input_image, y * input_width + x0 + k) : 0.0f;
      }
      __syncthreads();
#pragma unroll
      for (int fx = 0; fx < filter_width; ++fx) {
#pragma unroll
        for (int tx = 0; tx < tile_size_x; ++tx) {
          sums[ty][tx] += d_filter[fy * filter_width + fx] *
                          row[threadIdx.y][threadIdx.x + tx * block_size_x + fx];
        }
      }
    }
  }
  for (int ty = 0; ty < tile_size_y; ++ty) {
    for (int tx = 0; tx < tile_size_x; ++tx) {
      const int x = x0 + threadIdx.x + tx * block_size_x;
      const int y = y0 + ty * block_size_y;
      if (x < image_width && y < image_height) output_image[y * image_width + x] = sums[ty][tx];
    }
  }
}
