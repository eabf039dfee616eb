// Problem: everything a tuning campaign needs to know about one kernel.
//
// It holds a program whose tunables are the space's parameters, data to run it on, and the expected
// outputs. It is made from a T1 file with its kernel source, taken from the bundled problems, or
// filled in by an application. A plain value: the space and the program are cheap to copy, the data
// is shared.

#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "vyre/call.h"
#include "vyre/program.h"
#include "vyre/space.h"

namespace vyre {

// How far an output may be from the reference. Integers and opaque elements must be equal.
struct Tolerance {
  double absolute = 1e-6;
  double relative = 1e-4;
};

// A figure for people, an expression over the parameters, the problem's sizes and `time_ms`:
// {"GB/s", "12 * n / time_ms / 1e6"}.
struct Metric {
  std::string name;
  std::string expression;
};

// The element type of an output that the language has no type for (ir::Buffer::opaque_bytes).
enum class Opaque : std::uint8_t {
  bits,  // must be equal
  f16,   // IEEE halves, compared as floats are
  f64,
};

struct Problem {
  std::string name{};
  ir::Sequence sequence;
  space::Space space;               // its parameters are tunables of the sequence, by name
  std::uint64_t default_index = 0;  // in the space: the untuned configuration
  // Inputs in the order of Call, and the values of shapes and scalars.
  std::shared_ptr<const std::vector<std::vector<std::byte>>> inputs{};
  // One per input: whether its content is arbitrary. Winners are then verified with other content
  // too, drawn from the same elements. Empty: none is.
  std::vector<bool> random_inputs{};
  // Inputs whose memory is on the device that is tuned: one per input, null where the input is in
  // `inputs`. They are read only, and copied on the device.
  std::vector<std::shared_ptr<const Buffer>> device_inputs{};
  std::vector<std::pair<std::string, std::uint64_t>> arguments{};
  // The expected outputs. Null, or an empty output: the result of the default configuration is
  // expected.
  std::shared_ptr<const Outputs> reference{};
  std::vector<Opaque> opaque_outputs{};  // one per output; empty: all are bits
  Tolerance tolerance{};
  std::vector<Metric> metrics{};
  std::map<std::string, double> sizes{};  // for metrics and messages: {"n", 1048576}
  std::vector<std::string> warnings{};
};

// The problem's data as a Call takes it: views that must not outlive the problem.
std::vector<Input> inputs_of(const Problem& problem);
std::vector<Argument> arguments_of(const Problem& problem);

// A problem's sizes by name: {"n", 4096}. A size that is not named has its default.
using ProblemSizes = std::map<std::string, std::uint64_t>;

// A T1 file and the kernel that it names (relative to it), in OpenCL C, CUDA C++ or HIP C++.
// Arguments are filled as it says. Another language, a missing file, arguments that do not match,
// or sizes that no configuration divides are errors.
Expected<Problem> load_problem(const std::filesystem::path& t1_file,
                               const ProblemSizes& sizes = {});

// Replaces the data of one input, which is not arbitrary from then on. bad_inputs if there is no
// such input, or its size differs.
Expected<void> set_input(Problem& problem, std::string_view buffer, std::vector<std::byte> bytes);

// Sets the expected bytes of one output. bad_inputs if there is no such output.
Expected<void> set_reference(Problem& problem, std::string_view buffer,
                             std::vector<std::byte> bytes);
// Sets all expected outputs: the results of another program, with its default configuration, on
// that device for the same inputs. Its buffers and arguments must be those of the problem.
Expected<void> set_reference(Problem& problem, std::shared_ptr<Device> device,
                             const ir::Sequence& other);
// The same from a function of the application. An output that the function leaves empty is compared
// with the result of the default configuration.
using Oracle = std::function<Expected<Outputs>(std::span<const Input> inputs)>;
Expected<void> set_reference(Problem& problem, const Oracle& oracle);

// The problems that `vyre tune` tunes when none is named.
struct BundledProblem {
  std::string_view name;
  std::string_view what;  // one line for people
  Expected<Problem> (*make)(const ProblemSizes& sizes);
};
std::span<const BundledProblem> bundled_problems();
Expected<Problem> bundled_problem(std::string_view name, const ProblemSizes& sizes = {});
// Problems that are OpenCL C have twins in CUDA C++ and HIP C++, with the same space and data: this
// takes the one in the language of the device. The others run on every device.
Expected<Problem> bundled_problem(std::string_view name, const ProblemSizes& sizes,
                                  ir::Language language);

}  // namespace vyre
