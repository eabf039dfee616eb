using u64 = unsigned long long;
using i64 = long long;

// program declarations
extern "C" __global__ void __launch_bounds__(256)
declarations(
    const float* __restrict__ x,
    i64* __restrict__ y,
    int* __restrict__ z,
    u64* __restrict__ w,
    unsigned n,
    unsigned rows,
    unsigned flag_bits,
    int small,
    u64 big,
    i64 far,
    float a) {
  const bool flag = flag_bits != 0;
  __shared__ float t[256];
  int acc[4] = {};
}
