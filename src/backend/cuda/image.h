// Image: a kernel as a driver loads it, with what must be known to launch it.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace vyre::backend::cuda {

enum class Form : std::uint8_t {
  binary,  // for one architecture: a cubin of CUDA, a code object of HIP
  ptx,     // text, which the driver compiles for its device
};

struct Image {
  Form form = Form::binary;
  std::string bytes{};
  std::string entry{};                   // the kernel's name in it
  std::vector<std::string> constants{};  // names in it of the constants that were asked for
  // The size of each parameter of the kernel. None: not known, as with HIP.
  std::optional<std::vector<std::uint32_t>> parameters{};

  bool operator==(const Image&) const = default;
};

// As bytes for the binary store, and back. None if the bytes are no image.
std::string packed(const Image& image);
std::optional<Image> unpacked(std::string_view bytes);

// The sizes of the parameters that a kernel has in a PTX text; none if it has no such kernel.
std::optional<std::vector<std::uint32_t>> ptx_parameters(std::string_view ptx,
                                                         std::string_view entry);

}  // namespace vyre::backend::cuda
