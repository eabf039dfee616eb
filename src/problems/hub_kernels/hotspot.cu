// Steps of the heat equation on a chip, several of them in shared memory: a kernel for the hub's T1
// file `hotspot_milo`. The power has a border of 460 cells around the grid.

#define border 460
#define power_width (grid_width + 2 * border)
#define inner_x (block_size_x * tile_size_x)
#define inner_y (block_size_y * tile_size_y)
#define outer_x (inner_x + 2 * temporal_tiling_factor)
#define outer_y (inner_y + 2 * temporal_tiling_factor)
#define ambient 80.0f

__device__ inline int clamped(int value, int most) {
  return value < 0 ? 0 : value > most ? most : value;
}

extern "C" __global__ void __launch_bounds__(block_size_x * block_size_y)
calculate_temp(const float* power, const float* temp, float* temp_dst, float Rx_1, float Ry_1,
               float Rz_1, float step_div_cap) {
  __shared__ float heat[2][outer_y][outer_x];
#if sh_power
  __shared__ float own_power[outer_y][outer_x];
#endif
  const int x0 = (int)(blockIdx.x * inner_x) - temporal_tiling_factor;
  const int y0 = (int)(blockIdx.y * inner_y) - temporal_tiling_factor;
  for (int y = threadIdx.y; y < outer_y; y += block_size_y) {
    for (int x = threadIdx.x; x < outer_x; x += block_size_x) {
      const int gx = clamped(x0 + x, grid_width - 1);
      const int gy = clamped(y0 + y, grid_height - 1);
      heat[0][y][x] = temp[gy * grid_width + gx];
#if sh_power
      own_power[y][x] = power[(gy + border) * power_width + gx + border];
#endif
    }
  }
  __syncthreads();
  int now = 0;
#pragma unroll loop_unroll_factor_t
  for (int step = 1; step <= temporal_tiling_factor; ++step) {
    for (int y = threadIdx.y + step; y < outer_y - step; y += block_size_y) {
      for (int x = threadIdx.x + step; x < outer_x - step; x += block_size_x) {
#if sh_power
        const float given = own_power[y][x];
#else
        const int gx = clamped(x0 + x, grid_width - 1);
        const int gy = clamped(y0 + y, grid_height - 1);
        const float given = power[(gy + border) * power_width + gx + border];
#endif
        const float old = heat[now][y][x];
        const float along_y = heat[now][y + 1][x] + heat[now][y - 1][x] - 2.0f * old;
        const float along_x = heat[now][y][x + 1] + heat[now][y][x - 1] - 2.0f * old;
        heat[1 - now][y][x] = old + step_div_cap * (given + along_y * Ry_1 + along_x * Rx_1 +
                                                    (ambient - old) * Rz_1);
      }
    }
    now = 1 - now;
    __syncthreads();
  }
  for (int y = threadIdx.y; y < inner_y; y += block_size_y) {
    for (int x = threadIdx.x; x < inner_x; x += block_size_x) {
      const int gx = blockIdx.x * inner_x + x;
      const int gy = blockIdx.y * inner_y + y;
      if (gx >= grid_width || gy >= grid_height) continue;
      temp_dst[gy * grid_width + gx] =
          heat[now][y + temporal_tiling_factor][x + temporal_tiling_factor];
    }
  }
}
