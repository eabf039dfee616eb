#include "cli/host_loops.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>

#ifdef _OPENMP
#include <omp.h>
#endif

namespace vyre::cli {

#ifdef _OPENMP

namespace {

// A function for each generation of vector instructions; the loader picks one. Sanitizers run
// before the loader can ask for the processor, so they have the plain one only.
#if defined(__x86_64__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define VYRE_HOST_CLONES \
  __attribute__((target_clones("default", "arch=haswell", "arch=skylake-avx512")))
#else
#define VYRE_HOST_CLONES
#endif

using Index = std::ptrdiff_t;

// The loops of one core, over rows or elements `begin` to `end`.

VYRE_HOST_CLONES
void saxpy(float a, const float* __restrict x, float* __restrict y, Index begin, Index end) {
  for (Index i = begin; i < end; ++i) y[i] = a * x[i] + y[i];
}

VYRE_HOST_CLONES
float sum(const float* __restrict x, Index begin, Index end) {
  float out = 0;
#pragma omp simd reduction(+ : out)
  for (Index i = begin; i < end; ++i) out += x[i];
  return out;
}

VYRE_HOST_CLONES
void matvec(const float* __restrict m, const float* __restrict x, float* __restrict y, Index cols,
            Index begin, Index end) {
  for (Index row = begin; row < end; ++row) {
    const float* from = m + row * cols;
    float out = 0;
#pragma omp simd reduction(+ : out)
    for (Index c = 0; c < cols; ++c) out += from[c] * x[c];
    y[row] = out;
  }
}

VYRE_HOST_CLONES
void stencil(const float* __restrict from, float* __restrict to, Index width, Index begin,
             Index end) {
  for (Index y = begin; y < end; ++y) {
    const float* at = from + y * width;
    float* out = to + y * width;
    for (Index x = 1; x < width - 1; ++x) {
      out[x] = 0.5F * at[x] + 0.125F * (at[x - 1] + at[x + 1] + at[x - width] + at[x + width]);
    }
  }
}

// Columns of one strip of rows, in squares of `tile`.
VYRE_HOST_CLONES
void transpose(const float* __restrict from, float* __restrict to, Index width, Index height,
               Index tile, Index y0) {
  const Index y1 = std::min(y0 + tile, height);
  for (Index x0 = 0; x0 < width; x0 += tile) {
    const Index x1 = std::min(x0 + tile, width);
    for (Index x = x0; x < x1; ++x) {
      for (Index y = y0; y < y1; ++y) to[x * height + y] = from[y * width + x];
    }
  }
}

constexpr Index kFilter = 5;

VYRE_HOST_CLONES
void conv2d(const float* __restrict from, const float* __restrict filter, float* __restrict to,
            Index width, Index begin, Index end) {
  const Index input_width = width + kFilter - 1;
  for (Index y = begin; y < end; ++y) {
    float* out = to + y * width;
    for (Index x = 0; x < width; ++x) {
      float sum_of_products = 0;
      for (Index fy = 0; fy < kFilter; ++fy) {
        for (Index fx = 0; fx < kFilter; ++fx) {
          sum_of_products += filter[fy * kFilter + fx] * from[(y + fy) * input_width + x + fx];
        }
      }
      out[x] = sum_of_products;
    }
  }
}

using Sizes = std::map<std::string, double>;

Index size_of(const Sizes& sizes, const char* name) { return static_cast<Index>(sizes.at(name)); }

std::shared_ptr<std::vector<float>> floats(Index count) {
  return std::make_shared<std::vector<float>>(static_cast<std::size_t>(count), 0.5F);
}

// Variants that call part(begin, end) for pieces of 0 .. count on all cores: one piece for each
// core, or many small ones.
template <class Part>
std::vector<HostLoop> by_pieces(Index count, Index small, const Part& part) {
  const Index cores = omp_get_max_threads();
  std::vector<HostLoop> out;
  for (const Index piece : {(count + cores - 1) / cores, small}) {
    const Index pieces = (count + piece - 1) / piece;
    out.push_back([=] {
#pragma omp parallel for schedule(static)
      for (Index k = 0; k < pieces; ++k) part(k * piece, std::min(count, (k + 1) * piece));
    });
  }
  return out;
}

std::vector<HostLoop> saxpy_loops(const Sizes& sizes) {
  const Index n = size_of(sizes, "n");
  return by_pieces(n, 4096, [x = floats(n), y = floats(n)](Index begin, Index end) {
    saxpy(2.5F, x->data(), y->data(), begin, end);
  });
}

std::vector<HostLoop> reduction_loops(const Sizes& sizes) {
  const Index n = size_of(sizes, "n");
  constexpr Index kPiece = 16384;
  return by_pieces(n, kPiece,
                   [x = floats(n), sums = floats(n / kPiece + 1)](Index begin, Index end) {
                     (*sums)[static_cast<std::size_t>(begin / kPiece)] = sum(x->data(), begin, end);
                   });
}

std::vector<HostLoop> matvec_loops(const Sizes& sizes) {
  const Index rows = size_of(sizes, "rows");
  const Index cols = size_of(sizes, "cols");
  return by_pieces(
      rows, 16,
      [cols, m = floats(rows * cols), x = floats(cols), y = floats(rows)](Index begin, Index end) {
        matvec(m->data(), x->data(), y->data(), cols, begin, end);
      });
}

std::vector<HostLoop> stencil_loops(const Sizes& sizes) {
  const Index width = size_of(sizes, "width");
  const Index height = size_of(sizes, "height");
  return by_pieces(height, 8,
                   [width, height, from = floats(width * height), to = floats(width * height)](
                       Index begin, Index end) {
                     stencil(from->data(), to->data(), width, std::max<Index>(begin, 1),
                             std::min(end, height - 1));
                   });
}

std::vector<HostLoop> conv2d_loops(const Sizes& sizes) {
  const Index width = size_of(sizes, "width");
  const Index height = size_of(sizes, "height");
  const auto from = floats((width + kFilter - 1) * (height + kFilter - 1));
  return by_pieces(
      height, 8,
      [=, filter = floats(kFilter * kFilter), to = floats(width * height)](Index begin, Index end) {
        conv2d(from->data(), filter->data(), to->data(), width, begin, end);
      });
}

std::vector<HostLoop> transpose_loops(const Sizes& sizes) {
  const Index width = size_of(sizes, "width");
  const Index height = size_of(sizes, "height");
  const auto from = floats(width * height);
  const auto to = floats(width * height);
  std::vector<HostLoop> out;
  for (const Index tile : {8, 16, 32, 64}) {
    out.push_back([=] {
#pragma omp parallel for schedule(static)
      for (Index y = 0; y < height; y += tile) {
        transpose(from->data(), to->data(), width, height, tile, y);
      }
    });
  }
  return out;
}

struct Maker {
  std::string_view kernel;
  std::vector<HostLoop> (*make)(const Sizes& sizes);
};
constexpr std::array<Maker, 6> kMakers{{{"saxpy", saxpy_loops},
                                        {"reduction", reduction_loops},
                                        {"matvec", matvec_loops},
                                        {"stencil", stencil_loops},
                                        {"conv2d", conv2d_loops},
                                        {"transpose", transpose_loops}}};

}  // namespace

std::vector<HostLoop> host_loops(std::string_view kernel,
                                 const std::map<std::string, double>& sizes) {
  const auto found = std::ranges::find(kMakers, kernel, &Maker::kernel);
  return found == kMakers.end() ? std::vector<HostLoop>() : found->make(sizes);
}

#else

std::vector<HostLoop> host_loops(std::string_view, const std::map<std::string, double>&) {
  return {};
}

#endif

}  // namespace vyre::cli
