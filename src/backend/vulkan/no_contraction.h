// Float arithmetic of a SPIR-V module that no compiler may contract or reorder.

#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace vyre::backend::vulkan {

// The module with NoContraction on every float operation of its own: what `precise` gives, also
// where GLSL has no variable to put the word on, as in conditions. `module` is a whole module as a
// compiler writes it.
std::vector<std::uint32_t> without_contraction(std::span<const std::uint32_t> module);

}  // namespace vyre::backend::vulkan
