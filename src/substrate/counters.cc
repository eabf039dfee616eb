#include "substrate/counters.h"

#include <atomic>

#include "vyre/substrate/pick.h"

namespace vyre::substrate {
namespace {

struct ModuleCount {
  std::string_view name;
  std::atomic<std::uint64_t> count{0};
};

// In the order of Module.
constinit std::array<ModuleCount, 5> entries{{{"differentiable_autotune_calls"},
                                              {"natural_gradient_autotuner_calls"},
                                              {"tensor_train_chain_fusion_calls"},
                                              {"fisher_estimation_calls"},
                                              {"inverse_square_root_calls"}}};

}  // namespace

void count(Module module) {
  entries[static_cast<std::size_t>(module)].count.fetch_add(1, std::memory_order_relaxed);
}

std::array<Counter, 5> counters() {
  std::array<Counter, 5> out;
  for (std::size_t k = 0; k < out.size(); ++k) {
    out[k] = {entries[k].name, entries[k].count.load(std::memory_order_relaxed)};
  }
  return out;
}

}  // namespace vyre::substrate
