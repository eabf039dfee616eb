// A user's kernel in OpenCL C with everything that such a kernel may have, and what it computes.

#pragma once

#include <memory>
#include <string>
#include <vector>

#include "vyre/device.h"
#include "vyre/program.h"

namespace vyre::testing {

// The first OpenCL device, in a test that needs it.
std::shared_ptr<Device> open_first(const DeviceOptions& options = {});

// y[i] = x[i] * factor + offset, in doubles, through a tile of local memory.
extern const char* const kScale;

struct ScaleOptions {
  std::string text = kScale;
  std::string entry = "scale";
  std::string options = "";
  std::vector<ir::Source::Argument> arguments = {{"y"}, {"x"},      {"tile"},
                                                 {"n"}, {"factor"}, {"offset", 1}};
  std::string file = "";
};

ir::Sequence scale(const ScaleOptions& options = {});

// On five numbers, times 2.5 and plus 3.
Expected<std::vector<double>> run_scale(const std::shared_ptr<Device>& device,
                                        const ir::Sequence& sequence, const Config& config = {});
inline const std::vector<double> kScaled{5.5, 8, 10.5, 14.25, 0.5};

// The configuration with this workgroup size.
Config block_of(std::int64_t size);

}  // namespace vyre::testing
