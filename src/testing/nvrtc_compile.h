// CUDA and HIP C++ compiled by the makers' own compilers, for a card that need not be there.
//
// The libraries are opened once per process and never closed. One thread at a time.

#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "vyre/error.h"

namespace vyre::testing {

// Whether the compilers can be opened; tests skip with `kNoNvrtc` and `kNoHiprtc` if not.
bool has_nvrtc();
bool has_hiprtc();
inline constexpr std::string_view kNoNvrtc = "no NVRTC; run tools/setup --all";
inline constexpr std::string_view kNoHiprtc = "no hipRTC; run tools/setup --all";

struct CompiledText {
  std::string code;                // cubin; PTX for "compute_80"; an AMD code object
  std::string log;                 // warnings, and whatever the options ask for
  std::vector<std::string> names;  // in the code, of each name expression
};

// `architecture`: "sm_80", "compute_80". rejected, with the log, if the text does not compile.
// `name_expressions`: kernels to instantiate and look up, as "scale<float, 4>".
Expected<CompiledText> nvrtc_compile(const std::string& text, std::string_view architecture,
                                     std::span<const std::string> options,
                                     std::span<const std::string> name_expressions = {});
// `architecture`: "gfx90a".
Expected<CompiledText> hiprtc_compile(const std::string& text, std::string_view architecture,
                                      std::span<const std::string> options,
                                      std::span<const std::string> name_expressions = {});

// The options that programs of the kernel language are compiled with.
std::span<const std::string> nvrtc_program_options();
std::span<const std::string> hiprtc_program_options();

// The bytes that all functions spill, by the log of `--ptxas-options=-v`.
std::uint64_t spilled_bytes(std::string_view log);
// How many functions that log reports on.
std::uint64_t reported_functions(std::string_view log);

}  // namespace vyre::testing
