// One Jacobi step of a five-point stencil: inner points become the mean of their four neighbours
// mixed with themselves, the border stays. The twin of stencil.cl.
//
// A thread computes items_y rows, block_size_y apart, of items_x * `vector` points, block_size_x
// apart: neighbouring threads then read neighbours. `vector` points are computed before the next
// ones begin.

#define CENTRE 0.5f
#define NEIGHBOUR 0.125f

__device__ inline void one_point(const float* __restrict__ input, float* __restrict__ output, int x,
                                 int y, int width, int height) {
  if (x >= width || y >= height) return;
  const int i = y * width + x;
  if (x == 0 || y == 0 || x == width - 1 || y == height - 1) {
    output[i] = input[i];
    return;
  }
  output[i] = CENTRE * input[i] +
              NEIGHBOUR * (input[i - 1] + input[i + 1] + input[i - width] + input[i + width]);
}

extern "C" __global__ void __launch_bounds__(block_size_x * block_size_y)
stencil(const float* __restrict__ input, float* __restrict__ output, int width, int height) {
  const int x0 = blockIdx.x * block_size_x * vector * items_x + threadIdx.x;
  const int y0 = blockIdx.y * block_size_y * items_y + threadIdx.y;
#if unroll_rows
#pragma unroll
#else
#pragma unroll 1
#endif
  for (int k = 0; k < items_y; ++k) {
    const int y = y0 + k * block_size_y;
#pragma unroll 1
    for (int done = 0; done < items_x * vector; done += vector) {
#pragma unroll
      for (int v = 0; v < vector; ++v) {
        one_point(input, output, x0 + (done + v) * block_size_x, y, width, height);
      }
    }
  }
}
