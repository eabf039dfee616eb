#include "testing/oracles/vector_chains.h"

#include <cmath>

namespace vyre::testing {
namespace {

using Doubles = std::vector<double>;

Doubles wide(const Floats& values) { return {values.begin(), values.end()}; }

Floats narrow(const Doubles& values) {
  Floats out;
  out.reserve(values.size());
  for (const double value : values) out.push_back(static_cast<float>(value));
  return out;
}

Doubles matrix_times_vector(const Doubles& a, const Doubles& x) {
  Doubles out(a.size() / x.size());
  for (std::size_t i = 0; i < a.size(); ++i) out[i / x.size()] += a[i] * x[i % x.size()];
  return out;
}

}  // namespace

std::vector<double> matrix_product(const Floats& a, const Floats& b, std::size_t m, std::size_t n,
                                   std::size_t k) {
  Doubles out(m * n);
  for (std::size_t i = 0; i < m * n; ++i) {
    for (std::size_t p = 0; p < k; ++p) {
      out[i] += static_cast<double>(a[i / n * k + p]) * static_cast<double>(b[p * n + i % n]);
    }
  }
  return out;
}

ChainOutputs vadd(const ChainData& data) {
  Floats out = data.input("w");
  for (std::size_t i = 0; i < out.size(); ++i) out[i] += data.input("y")[i] + data.input("z")[i];
  return {out};
}

ChainOutputs waxpby(const ChainData& data) {
  Doubles out = wide(data.input("x"));
  const Doubles y = wide(data.input("y"));
  for (std::size_t i = 0; i < out.size(); ++i) {
    out[i] = data.scalar("alpha") * out[i] + data.scalar("beta") * y[i];
  }
  return {narrow(out)};
}

ChainOutputs saxpy4(const ChainData& data) {
  Doubles out = wide(data.input("y"));
  for (const std::string k : {"0", "1", "2", "3"}) {
    const Doubles x = wide(data.input(("x" + k).c_str()));
    for (std::size_t i = 0; i < out.size(); ++i) out[i] += data.scalar(("a" + k).c_str()) * x[i];
  }
  return {narrow(out)};
}

ChainOutputs axpydot(const ChainData& data) {
  Doubles z = wide(data.input("w"));
  const Doubles v = wide(data.input("v"));
  const Doubles u = wide(data.input("u"));
  double dot = 0;
  for (std::size_t i = 0; i < z.size(); ++i) {
    z[i] -= data.scalar("a") * v[i];
    dot += z[i] * u[i];
  }
  return {narrow(z), {static_cast<float>(dot)}};
}

ChainOutputs gesummv(const ChainData& data) {
  const Doubles x = wide(data.input("x"));
  Doubles out = matrix_times_vector(wide(data.input("a")), x);
  const Doubles bx = matrix_times_vector(wide(data.input("b")), x);
  for (std::size_t i = 0; i < out.size(); ++i) {
    out[i] = data.scalar("alpha") * out[i] + data.scalar("beta") * bx[i];
  }
  return {narrow(out)};
}

ChainOutputs gemver(const ChainData& data) {
  const std::size_t n = data.size("n");
  Doubles b = wide(data.input("a"));
  Doubles x = wide(data.input("z"));
  for (std::size_t i = 0; i < b.size(); ++i) {
    const std::size_t r = i / n;
    const std::size_t c = i % n;
    for (const std::string k : {"1", "2"}) {
      b[i] += static_cast<double>(data.input(("u" + k).c_str())[r]) *
              static_cast<double>(data.input(("v" + k).c_str())[c]);
    }
    x[c] += data.scalar("beta") * b[i] * static_cast<double>(data.input("y")[r]);
  }
  Doubles w = matrix_times_vector(b, x);
  for (double& value : w) value *= data.scalar("alpha");
  return {narrow(b), narrow(x), narrow(w)};
}

ChainOutputs gemm_bias_gelu(const ChainData& data) {
  const std::size_t n = data.size("n");
  Doubles out = matrix_product(data.input("a"), data.input("b"), data.size("m"), n, data.size("k"));
  for (std::size_t i = 0; i < out.size(); ++i) {
    const double x = out[i] + static_cast<double>(data.input("bias")[i % n]);
    out[i] = x / (1 + std::exp(-1.702 * x));
  }
  return {narrow(out)};
}

}  // namespace vyre::testing
