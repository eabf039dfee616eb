// Accelerations of n bodies that attract each other.
//
// A work-item has `items` bodies, `block` apart. With use_local the bodies of the other side are
// brought to local memory, `block` at a time. A body is three coordinates and a mass, read with one
// vector_load or one by one.

#define SOFTENING 0.01f

#if use_local
#define STEP block
#else
#define STEP unroll
#endif

__kernel __attribute__((reqd_work_group_size(block, 1, 1)))
void nbody(__global const float* restrict bodies, __global float* restrict acceleration,
           const int n) {
  const int lane = get_local_id(0);
  const int first = get_group_id(0) * block * items + lane;
#if vector_load
#define BODY(i) vload4(i, bodies)
#else
#define BODY(i) \
  (float4)(bodies[4 * (i)], bodies[4 * (i) + 1], bodies[4 * (i) + 2], bodies[4 * (i) + 3])
#endif
#if use_local
  __local float4 tile[block];
#endif

  float4 own[items];
  float sum_x[items], sum_y[items], sum_z[items];
  for (int k = 0; k < items; ++k) {
    own[k] = BODY(first + k * block);
    sum_x[k] = sum_y[k] = sum_z[k] = 0.0f;
  }
  for (int j0 = 0; j0 < n; j0 += STEP) {
#if use_local
    tile[lane] = BODY(j0 + lane);
    barrier(CLK_LOCAL_MEM_FENCE);
#endif
#pragma unroll unroll
    for (int j = 0; j < STEP; ++j) {
#if use_local
      const float4 other = tile[j];
#else
      const float4 other = BODY(j0 + j);
#endif
      for (int k = 0; k < items; ++k) {
        const float dx = other.x - own[k].x;
        const float dy = other.y - own[k].y;
        const float dz = other.z - own[k].z;
        const float inverse = 1.0f / sqrt(dx * dx + dy * dy + dz * dz + SOFTENING);
        const float pull = other.w * inverse * inverse * inverse;
        sum_x[k] += dx * pull;
        sum_y[k] += dy * pull;
        sum_z[k] += dz * pull;
      }
    }
#if use_local
    barrier(CLK_LOCAL_MEM_FENCE);
#endif
  }
  for (int k = 0; k < items; ++k) {
    const int i = first + k * block;
    acceleration[i] = sum_x[k];
    acceleration[n + i] = sum_y[k];
    acceleration[2 * n + i] = sum_z[k];
  }
}
