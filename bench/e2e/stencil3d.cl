// One step of heat flow in a box: the seven-point stencil. Points on the faces stay.
//
// A work-item computes items_z planes of `vector` neighbouring points. With use_local a plane's
// part of a workgroup, with its border, is in local memory.

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

#define TILE_X (block_x * vector)
#define FLOW 0.1f

// The input has a border of one point on each side of all three axes.
__kernel __attribute__((reqd_work_group_size(block_x, block_y, 1)))
void stencil3d(__global const float* restrict input, __global float* restrict output,
               const int nx, const int ny, const int nz) {
  const int lane_x = get_local_id(0);
  const int lane_y = get_local_id(1);
  const int x0 = get_group_id(0) * TILE_X;
  const int y0 = get_group_id(1) * block_y;
  const int x = x0 + lane_x * vector;
  const int y = y0 + lane_y;
  const int row = nx + 2;
  const int plane = row * (ny + 2);
#if use_local
  __local float tile[block_y + 2][TILE_X + 2];
#endif
#if unroll_z
#pragma unroll
#else
#pragma unroll 1
#endif
  for (int k = 0; k < items_z; ++k) {
    const int z = get_group_id(2) * items_z + k;
    __global const float* at = input + (z + 1) * plane + (y + 1) * row + x + 1;
#if use_local
    for (int ty = lane_y; ty < block_y + 2; ty += block_y) {
      for (int tx = lane_x; tx < TILE_X + 2; tx += block_x) {
        tile[ty][tx] = input[(z + 1) * plane + (y0 + ty) * row + x0 + tx];
      }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    __local const float* near = &tile[lane_y + 1][lane_x * vector + 1];
    const FLOATS own = LOAD(near);
    const FLOATS around = LOAD(near - 1) + LOAD(near + 1) + LOAD(near - (TILE_X + 2)) +
                          LOAD(near + TILE_X + 2);
    barrier(CLK_LOCAL_MEM_FENCE);
#else
    const FLOATS own = LOAD(at);
    const FLOATS around = LOAD(at - 1) + LOAD(at + 1) + LOAD(at - row) + LOAD(at + row);
#endif
    const FLOATS result = own + FLOW * (around + LOAD(at - plane) + LOAD(at + plane) - 6.0f * own);
    STORE(result, output + (z * ny + y) * nx + x);
  }
}
