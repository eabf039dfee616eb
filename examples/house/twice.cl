// y = 2 x. Each work-item has `items` elements, a workgroup's width apart.
__kernel void twice(__global const float* restrict x, __global float* restrict y, const uint n) {
  const uint first = get_group_id(0) * block * items + get_local_id(0);
  for (uint k = 0; k < items; ++k) {
    const uint i = first + k * block;
    if (i < n) y[i] = 2.0f * x[i];
  }
}
