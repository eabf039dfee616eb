#pragma OPENCL FP_CONTRACT OFF

static float vyre_load_global_f32(__global const float* data, uint length, ulong at) {
  return at < length ? data[at] : (float)0;
}

static void vyre_store_global_f32(__global float* data, uint length, ulong at, float value) {
  if (at < length) data[at] = value;
}

// program saxpy
__kernel __attribute__((reqd_work_group_size(256, 1, 1)))
void saxpy(__global const float* restrict x, __global float* restrict y, uint n, float a) {
  const uint x_length = n;
  const uint y_length = n;
  const uint i = (uint)get_global_id(0);
  if (i < n) {
    vyre_store_global_f32(y, y_length, i, a * vyre_load_global_f32(x, x_length, i) + vyre_load_global_f32(y, y_length, i));
  }
}
