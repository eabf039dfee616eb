// Kernels in CUDA C++ that NVRTC compiles and the interpreter runs; tests compute the same on the
// host.

#pragma once

#include <string_view>

namespace vyre::fake_cuda_test {

inline constexpr std::string_view kCudaKernels = R"(
typedef unsigned u32;
typedef unsigned long long u64;
typedef long long i64;

extern "C" __global__ void integers(int* out, const int* a, const int* b) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int x = a[i], y = b[i];
  const u32 ux = x, uy = y;
  int* to = out + 16 * i;
  to[0] = x / y;
  to[1] = x % y;
  to[2] = (int)(ux / uy);
  to[3] = (int)(ux % uy);
  to[4] = __mulhi(x, y);
  to[5] = (int)__umulhi(ux, uy);
  to[6] = x / 7 + x % 13;
  to[7] = (int)(ux / 1000u);
  to[8] = __popc(ux) + __clz(x) + __ffs(x);
  to[9] = (int)__brev(ux);
  to[10] = (int)__byte_perm(ux, uy, 0x5140);
  to[11] = (int)__funnelshift_l(ux, uy, uy & 31);
  to[12] = min(x, y) ^ max(x, y) ^ abs(x);
  to[13] = (int)((ux << (uy & 31)) | (ux >> ((32 - (uy & 31)) & 31)));
  to[14] = x >> (uy & 31);
  to[15] = (x < y) + 2 * (ux < uy) + 4 * (x == y);
}

extern "C" __global__ void wide_integers(i64* out, const i64* a, const i64* b) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const i64 x = a[i], y = b[i];
  const u64 ux = x, uy = y;
  i64* to = out + 10 * i;
  to[0] = x / y;
  to[1] = x % y;
  to[2] = (i64)(ux / uy);
  to[3] = (i64)(ux % uy);
  to[4] = __mul64hi(x, y);
  to[5] = (i64)__umul64hi(ux, uy);
  to[6] = x * y + (int)x;
  to[7] = __popcll(ux) + __clzll(x) + (i64)__brevll(ux);
  to[8] = (x >> (uy & 63)) ^ (i64)(ux >> (uy & 63)) ^ (i64)(ux << (uy & 63));
  to[9] = x / 1000003 + (i64)(unsigned short)y + (i64)(signed char)x;
}

extern "C" __global__ void floats(float* out, const float* a, const float* b) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float x = a[i], y = b[i];
  float* to = out + 12 * i;
  to[0] = x * y + x;
  to[1] = x / y;
  to[2] = sqrtf(fabsf(x));
  to[3] = fmaf(x, y, -x);
  to[4] = floorf(x) + ceilf(y);
  to[5] = rintf(x) - truncf(y);
  to[6] = fminf(x, y);
  to[7] = fmaxf(x, y);
  to[8] = copysignf(x, y);
  to[9] = (float)(int)x + (float)(u32)fabsf(y);
  to[10] = (float)(double)((double)x * (double)y);
  to[11] = x < y ? x : y == y ? y : 0.0f;
}

extern "C" __global__ void functions(float* out, const float* a) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float x = a[i];
  float* to = out + 10 * i;
  to[0] = expf(x);
  to[1] = logf(fabsf(x));
  to[2] = sinf(x);
  to[3] = cosf(x);
  to[4] = tanhf(x);
  to[5] = powf(fabsf(x), 1.7f);
  to[6] = exp2f(x);
  to[7] = log2f(fabsf(x));
  to[8] = rsqrtf(fabsf(x));
  to[9] = fmodf(x, 0.75f);
}

extern "C" __global__ void doubles(double* out, const double* a) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const double x = a[i];
  double* to = out + 6 * i;
  to[0] = x / 3.0 + x * 7.0;
  to[1] = sqrt(fabs(x));
  to[2] = exp(x);
  to[3] = sin(x);
  to[4] = pow(fabs(x), 1.7);
  to[5] = (double)(float)x + (double)(i64)x;
}

__constant__ float weights[4] = {0.5f, 1.5f, -2.0f, 4.0f};
struct Choice { int which[4]; float scale; };

static __device__ __noinline__ float weighted(const float* data, Choice choice, int k) {
  return data[choice.which[k & 3]] * weights[k & 3] * choice.scale;
}

extern "C" __global__ void structs(float* out, const float4* data, Choice choice) {
  const float4 v = data[threadIdx.x];
  const float all[4] = {v.x, v.y, v.z, v.w};
  float sum = 0;
  for (int k = 0; k < choice.which[0] + 4; ++k) sum += weighted(all, choice, k + threadIdx.x);
  out[threadIdx.x] = sum;
}

extern "C" __global__ void __launch_bounds__(64) sums(u32* out, const u32* data, u32 n) {
  extern __shared__ u32 part[];
  __shared__ u32 last;
  u32 sum = 0;
  for (u32 i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) sum += data[i];
  part[threadIdx.x] = sum;
  if (threadIdx.x == 0) last = 0;
  for (u32 half = blockDim.x / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];
  }
  __syncthreads();
  u32 lanes = data[threadIdx.x & 31];
  for (int offset = 16; offset > 0; offset /= 2) lanes += __shfl_down_sync(0xFFFFFFFFu, lanes, offset);
  atomicMax(&last, sum);
  const int any = __syncthreads_or(sum > 100u);
  if (threadIdx.x == 0) {
    atomicAdd(&out[0], part[0]);
    atomicMax(&out[1], last);
    atomicXor(&out[2], part[0]);
    atomicCAS(&out[3], 7u, lanes);
    out[4] = any;
    out[5] = __ballot_sync(1u, true);
  }
}

extern "C" __global__ void choices(int* out, const int* a) {
  const int i = threadIdx.x;
  int r = 0;
  switch (a[i]) {
    case 0: r = 10; break;
    case 1: r = a[i + 1] * 3; break;
    case 2: r = -a[i]; break;
    case 3: r = a[0] ^ 5; break;
    case 4: out[40 + i] = 1; r = 2; break;
    case 5: r = i * i; break;
    case 6: for (int k = 0; k < i; ++k) r += a[k]; break;
    default: r = 99;
  }
  out[i] = r;
}
)";

}  // namespace vyre::fake_cuda_test
