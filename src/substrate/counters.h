// The modules of the substrate, and how often each is entered.

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

// Adds one call to a module. Every public `_via` function calls this once per module that it uses,
// before it checks anything. Functions that public ones share do not call it.
void count(Module module);

}  // namespace vyre::substrate
