// Samples of all channels summed along the delay of each dispersion measure: a kernel for the hub's
// T1 file `dedispersion_milo`, which gives one sample and one shift. Channels and samples beyond
// those repeat the last one.

#ifndef nr_samples
#define nr_samples 25000
#define nr_dms 2048
#define nr_channels 16
#define nr_inputs 1
#define nr_shifts 1
#endif

__constant__ float shifts[nr_shifts];

__device__ inline int least(int a, int b) { return a < b ? a : b; }

extern "C" __global__ void __launch_bounds__(block_size_x * block_size_y)
dedispersion_kernel(const float* input_samples, float* output_arr) {
#if tile_stride_x
  const int step_x = block_size_x;
  const int x0 = blockIdx.x * block_size_x * tile_size_x + threadIdx.x;
#else
  const int step_x = 1;
  const int x0 = (blockIdx.x * block_size_x + threadIdx.x) * tile_size_x;
#endif
#if tile_stride_y
  const int step_y = block_size_y;
  const int y0 = blockIdx.y * block_size_y * tile_size_y + threadIdx.y;
#else
  const int step_y = 1;
  const int y0 = (blockIdx.y * block_size_y + threadIdx.y) * tile_size_y;
#endif
  float sums[tile_size_y][tile_size_x] = {};
#if loop_unroll_factor_channel
#pragma unroll loop_unroll_factor_channel
#endif
  for (int channel = 0; channel < nr_channels; ++channel) {
    const float shift = shifts[least(channel, nr_shifts - 1)];
    for (int ty = 0; ty < tile_size_y; ++ty) {
      const int delay = (int)(shift * (y0 + ty * step_y));
      for (int tx = 0; tx < tile_size_x; ++tx) {
        const int sample = least(x0 + tx * step_x + delay, nr_inputs - 1);
        sums[ty][tx] += input_samples[sample < 0 ? 0 : sample];
      }
    }
  }
  for (int ty = 0; ty < tile_size_y; ++ty) {
    for (int tx = 0; tx < tile_size_x; ++tx) {
      const int x = x0 + tx * step_x;
      const int y = y0 + ty * step_y;
      if (x < nr_samples && y < nr_dms) output_arr[y * nr_samples + x] = sums[ty][tx];
    }
  }
}
