#include "cli/host_blas.h"

#include <dlfcn.h>

#include <cstdlib>
#include <memory>

namespace vyre::cli {
namespace {

constexpr const char* kLibrary = "libopenblas.so.0";
constexpr const char* kCoreType = "OPENBLAS_CORETYPE";
constexpr int kRowMajor = 101;
constexpr int kNoTranspose = 111;

// As in cblas.h, for which the headers would have to be installed.
using Sgemm = void (*)(int order, int trans_a, int trans_b, int m, int n, int k, float alpha,
                       const float* a, int lda, const float* b, int ldb, float beta, float* c,
                       int ldc);
using Sgemv = void (*)(int order, int trans, int m, int n, float alpha, const float* a, int lda,
                       const float* x, int incx, float beta, float* y, int incy);
using CoreName = const char* (*)();

struct Blas {
  void* handle = nullptr;
  Sgemm sgemm = nullptr;
  Sgemv sgemv = nullptr;
  CoreName core_name = nullptr;
};

template <class Function>
void find_symbol(void* handle, const char* name, Function& out) {
  out = reinterpret_cast<Function>(dlsym(handle, name));
}

Blas open_blas() {
  Blas out;
  out.handle = dlopen(kLibrary, RTLD_NOW | RTLD_LOCAL);
  if (out.handle == nullptr) return out;
  find_symbol(out.handle, "cblas_sgemm", out.sgemm);
  find_symbol(out.handle, "cblas_sgemv", out.sgemv);
  find_symbol(out.handle, "openblas_get_corename", out.core_name);
  return out;
}

// The kernels of OpenBLAS that suit the processor's instructions. Null: leave it to OpenBLAS.
const char* best_core() {
#ifdef __x86_64__
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl")) {
    return "SkylakeX";
  }
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return "Haswell";
#endif
  return nullptr;
}

// OpenBLAS takes a processor that is newer than itself for a Prescott of 2004. Version 0.3.21 does
// so on Sapphire Rapids, and is then four times slower than with the kernels for Skylake. That
// would be no measure of the machine, so it is opened again and told which kernels to use. The
// user's own word, OPENBLAS_CORETYPE, counts more.
Blas load_blas() {
  Blas out = open_blas();
  const char* const core = best_core();
  const bool is_mistaken = out.core_name != nullptr && core != nullptr &&
                           std::string_view(out.core_name()) == "Prescott" &&
                           std::getenv(kCoreType) == nullptr;
  if (!is_mistaken) return out;
  dlclose(out.handle);
  setenv(kCoreType, core, 1);
  out = open_blas();
  unsetenv(kCoreType);
  return out;
}

const Blas& blas() {
  static const Blas loaded = load_blas();
  return loaded;
}

std::shared_ptr<std::vector<float>> matrix(int rows, int cols) {
  return std::make_shared<std::vector<float>>(
      static_cast<std::size_t>(rows) * static_cast<std::size_t>(cols), 0.5F);
}

HostLoop sgemm_loop(int m, int n, int k) {
  return [=, a = matrix(m, k), b = matrix(k, n), c = matrix(m, n)] {
    blas().sgemm(kRowMajor, kNoTranspose, kNoTranspose, m, n, k, 1.0F, a->data(), k, b->data(), n,
                 0.0F, c->data(), n);
  };
}

HostLoop sgemv_loop(int rows, int cols) {
  return [=, m = matrix(rows, cols), x = matrix(cols, 1), y = matrix(rows, 1)] {
    blas().sgemv(kRowMajor, kNoTranspose, rows, cols, 1.0F, m->data(), cols, x->data(), 1, 0.0F,
                 y->data(), 1);
  };
}

}  // namespace

std::vector<HostLoop> blas_loops(std::string_view kernel,
                                 const std::map<std::string, double>& sizes) {
  const auto size = [&](const char* name) { return static_cast<int>(sizes.at(name)); };
  if (kernel == "gemm" && blas().sgemm != nullptr) {
    return {sgemm_loop(size("m"), size("n"), size("k"))};
  }
  if (kernel == "matvec" && blas().sgemv != nullptr) {
    return {sgemv_loop(size("rows"), size("cols"))};
  }
  return {};
}

}  // namespace vyre::cli
