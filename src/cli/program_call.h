// A call of a program as the command line gives it: `--set n=1000 --in x=random --out y=y.bin`.

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "vyre/call.h"

namespace vyre::cli {

struct CallOptions {
  std::vector<std::string> sets;     // NAME=VALUE: shapes, scalars and tunables
  std::vector<std::string> inputs;   // NAME=FILE, or NAME=random, zeros, ones, iota
  std::vector<std::string> outputs;  // NAME=FILE
  std::vector<std::uint32_t> grid;   // none, or up to three
  std::uint64_t seed = 1;
};

// Owns the data that a Call refers to.
struct ProgramCall {
  std::vector<std::string> names;  // behind `arguments`
  std::vector<Argument> arguments;
  Config config;
  std::vector<std::vector<std::byte>> data;
  std::vector<Input> inputs;
  std::optional<Extent> grid;

  Call call() const {
    return {.inputs = inputs, .arguments = arguments, .config = &config, .grid = grid};
  }
};

// Inputs that are not named are random numbers: integers of 0 to 99, floats between -1 and 1.
// No input is larger than `most_bytes`.
Expected<ProgramCall> make_call(const ir::Sequence& sequence, const CallOptions& options,
                                std::uint64_t most_bytes);

// Writes the outputs that options name.
Expected<void> write_outputs(const ir::Sequence& sequence, const CallOptions& options,
                             const Outputs& outputs);

// The first values as text: "1, 2, 3, ...".
std::string first_values(const ir::Buffer& buffer, std::span<const std::byte> bytes,
                         std::size_t most);

}  // namespace vyre::cli
