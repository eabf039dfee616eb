// A user's compute shader in GLSL with everything that one may have, what it computes, and Vulkan
// devices whose calls are validated.

#pragma once

#include <memory>
#include <string>
#include <vector>

#include "vyre/vulkan.h"

namespace vyre::testing {

// The first Vulkan device, with validation layers where the machine has them; null: there is none.
std::shared_ptr<Device> open_validated(const DeviceOptions& options = {},
                                       bool force_staging = false);
// Why tests of Vulkan are skipped; empty: they are not.
std::string missing_vulkan();

// y[i] = x[i] * factor + offset + BIAS + shift. BIAS is a macro; `shift` and the size of the
// workgroup are specialisation constants.
extern const char* const kScaleShader;

struct ShaderOptions {
  std::string text = kScaleShader;
  std::string options = "";
  std::vector<ir::Source::Argument> arguments = {{"y"}, {"x"}, {"n"}, {"factor"}, {"offset"}};
  std::string file = "";
};
ir::Sequence scale_shader(const ShaderOptions& options = {});

// On five numbers, times 2.5 and plus 3.
Expected<std::vector<float>> run_shader(const std::shared_ptr<Device>& device,
                                        const ir::Sequence& sequence, const Config& config = {});
inline const std::vector<float> kShaded{5.5, 8, 10.5, 14.25, 0.5};

}  // namespace vyre::testing
