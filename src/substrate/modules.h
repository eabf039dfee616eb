// The modules of the substrate, as they are counted.

#pragma once

#include <cstddef>

namespace vyre::substrate {

enum class Module : std::size_t {
  differentiable_autotune,
  natural_gradient_autotuner,
  tensor_train_chain_fusion,
  fisher_estimation,
  inverse_square_root,
};

// Called by the public functions only, once per module and call, before anything is checked: the
// functions that they share do not count.
void count(Module module);

}  // namespace vyre::substrate
