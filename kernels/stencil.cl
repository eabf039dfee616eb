// One Jacobi step of a five-point stencil: inner points become the mean of their four neighbours
// mixed with themselves, the border stays.
//
// A work-item computes items_y rows of items_x * `vector` neighbouring points, a vector at a time.

#define CENTRE 0.5f
#define NEIGHBOUR 0.125f

void one_point(__global const float* restrict input, __global float* restrict output, const int x,
               const int y, const int width, const int height) {
  if (x >= width || y >= height) return;
  const int i = y * width + x;
  if (x == 0 || y == 0 || x == width - 1 || y == height - 1) {
    output[i] = input[i];
    return;
  }
  output[i] = CENTRE * input[i] +
              NEIGHBOUR * (input[i - 1] + input[i + 1] + input[i - width] + input[i + width]);
}

#if vector > 1
#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)
#define FLOATS JOIN(float, vector)
#define VLOAD JOIN(vload, vector)
#define VSTORE JOIN(vstore, vector)

void one_vector(__global const float* restrict at, __global float* restrict to, const int width) {
  const FLOATS around = VLOAD(0, at - 1) + VLOAD(0, at + 1) + VLOAD(0, at - width) +
                        VLOAD(0, at + width);
  VSTORE(CENTRE * VLOAD(0, at) + NEIGHBOUR * around, 0, to);
}
#endif

__kernel __attribute__((reqd_work_group_size(block_size_x, block_size_y, 1)))
void stencil(__global const float* restrict input, __global float* restrict output,
             const int width, const int height) {
  const int x0 = (get_group_id(0) * block_size_x + get_local_id(0)) * vector * items_x;
  const int y0 = get_group_id(1) * block_size_y * items_y + get_local_id(1);
#if vector > 1
  const int inside = min(items_x * vector, width - x0);
#endif
#if unroll_rows
#pragma unroll
#endif
  for (int k = 0; k < items_y; ++k) {
    const int y = y0 + k * block_size_y;
    int done = 0;
#if vector > 1
    if (y > 0 && y < height - 1) {
      const int row = y * width;
      for (; done + vector <= inside; done += vector) {
        one_vector(input + row + x0 + done, output + row + x0 + done, width);
      }
      // Vectors at the border took points of the rows above and below for neighbours.
      if (done > 0 && x0 == 0) output[row] = input[row];
      if (done > 0 && x0 + done == width) output[row + width - 1] = input[row + width - 1];
    }
#endif
    for (; done < items_x * vector; ++done) one_point(input, output, x0 + done, y, width, height);
  }
}
