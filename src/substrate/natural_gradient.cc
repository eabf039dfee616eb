#include "vyre/substrate/natural_gradient.h"

#include "substrate/counters.h"
#include "substrate/device_call.h"

namespace vyre::substrate {
namespace {

Expected<void> check_lengths(std::size_t cells, std::size_t numbers, std::size_t n) {
  const bool square = n == 0 ? cells == 0 : cells / n == n && cells % n == 0;
  if (square && numbers == n) return {};
  return bad_inputs("the matrix has {} elements and the gradient {} for n = {}; give n * n and n",
                    cells, numbers, n);
}

// scale * m * g
void multiply(std::span<const double> m, std::span<const double> g, double scale,
              std::vector<double>& out) {
  const std::size_t n = g.size();
  out.resize(n);
  for (std::size_t i = 0; i < n; ++i) {
    double sum = 0;
    for (std::size_t j = 0; j < n; ++j) sum += m[i * n + j] * g[j];
    out[i] = scale * sum;
  }
}

// Devices count cells in a u32: 65536 * 65536 of them would be one too many.
constexpr std::size_t kMostSide = 65535;

template <class T>
Expected<void> identity(std::size_t n, T one, std::vector<T>& out) {
  if (n > kMostSide) return bad_inputs("n is {}; a matrix has at most {} rows", n, kMostSide);
  out.assign(n * n, T{});
  for (std::size_t i = 0; i < n; ++i) out[i * n + i] = one;
  return {};
}

}  // namespace

Expected<void> precondition_autotune_gradient(std::span<const double> m, std::span<const double> g,
                                              std::size_t n, std::vector<double>& out) {
  VYRE_TRY_VOID(check_lengths(m.size(), g.size(), n));
  multiply(m, g, 1, out);
  return {};
}

Expected<std::vector<double>> precondition_autotune_gradient(std::span<const double> m,
                                                             std::span<const double> g,
                                                             std::size_t n) {
  std::vector<double> out;
  VYRE_TRY_VOID(precondition_autotune_gradient(m, g, n, out));
  return out;
}

Expected<void> autotune_step(std::span<const double> m, std::span<const double> g, std::size_t n,
                             double lr, std::vector<double>& out) {
  VYRE_TRY_VOID(check_lengths(m.size(), g.size(), n));
  multiply(m, g, -lr, out);
  return {};
}

Expected<std::vector<double>> autotune_step(std::span<const double> m, std::span<const double> g,
                                            std::size_t n, double lr) {
  std::vector<double> out;
  VYRE_TRY_VOID(autotune_step(m, g, n, lr, out));
  return out;
}

Expected<void> identity_fisher_block(std::size_t n, std::vector<double>& out) {
  return identity(n, 1.0, out);
}

Expected<std::vector<double>> identity_fisher_block(std::size_t n) {
  std::vector<double> out;
  VYRE_TRY_VOID(identity_fisher_block(n, out));
  return out;
}

Expected<void> identity_fisher_q16(std::size_t n, std::vector<std::uint32_t>& out) {
  return identity(n, kOne, out);
}

Expected<std::vector<std::uint32_t>> identity_fisher_q16(std::size_t n) {
  std::vector<std::uint32_t> out;
  VYRE_TRY_VOID(identity_fisher_q16(n, out));
  return out;
}

Expected<void> precondition_autotune_gradient_fixed_via(Dispatcher& dispatcher,
                                                        std::span<const std::uint32_t> m_q16,
                                                        std::span<const std::uint32_t> grad_q16,
                                                        std::size_t n, ProgramScratch& scratch,
                                                        std::vector<std::uint32_t>& out) {
  count(Module::natural_gradient_autotuner);
  VYRE_TRY_VOID(check_block("matrix", m_q16.size(), grad_q16.size(), n));
  return apply_fixed(dispatcher, m_q16, grad_q16, scratch, out);
}

Expected<std::vector<std::uint32_t>> precondition_autotune_gradient_fixed_via(
    Dispatcher& dispatcher, std::span<const std::uint32_t> m_q16,
    std::span<const std::uint32_t> grad_q16, std::size_t n) {
  ProgramScratch scratch;
  std::vector<std::uint32_t> out;
  VYRE_TRY_VOID(
      precondition_autotune_gradient_fixed_via(dispatcher, m_q16, grad_q16, n, scratch, out));
  return out;
}

Expected<void> precondition_autotune_gradient_fixed_signed_via(
    Dispatcher& dispatcher, std::span<const std::int32_t> m_q16s,
    std::span<const std::int32_t> grad_q16s, std::size_t n, ProgramScratch& scratch,
    std::vector<std::int32_t>& out) {
  count(Module::natural_gradient_autotuner);
  VYRE_TRY_VOID(check_block("matrix", m_q16s.size(), grad_q16s.size(), n));
  return apply_fixed(dispatcher, m_q16s, grad_q16s, scratch, out);
}

Expected<std::vector<std::int32_t>> precondition_autotune_gradient_fixed_signed_via(
    Dispatcher& dispatcher, std::span<const std::int32_t> m_q16s,
    std::span<const std::int32_t> grad_q16s, std::size_t n) {
  ProgramScratch scratch;
  std::vector<std::int32_t> out;
  VYRE_TRY_VOID(precondition_autotune_gradient_fixed_signed_via(dispatcher, m_q16s, grad_q16s, n,
                                                                scratch, out));
  return out;
}

}  // namespace vyre::substrate
