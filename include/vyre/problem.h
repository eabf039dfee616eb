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
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "vyre/call.h"
#include "vyre/fuse.h"
#include "vyre/program.h"
#include "vyre/recording.h"
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

// How an output is compared: the element type of one that the language has no type for
// (ir::Buffer::opaque_bytes), or not at all.
enum class Opaque : std::uint8_t {
  bits,  // must be equal
  f16,   // IEEE halves, compared as floats are
  f64,
  ignored,  // may hold anything, as scratch memory does; of elements of every type
};

// What the file of a problem asks of a campaign (T1's Budget and Search). `tune` does not look at
// it: the command does, where its user says nothing else.
struct Asked {
  std::optional<double> seconds{};
  std::optional<std::uint64_t> evaluations{};
  std::string strategy{};  // as the file names it; empty: none
};

// Where the bytes of an input or of an expected output come from, so that another machine can get
// them by itself (docs/fleet.md). A default one says nothing.
struct Origin {
  std::string file{};  // as an absolute path; empty: no file
  // Numbers: lane k holds `from` plus `span` times the k-th number of the seed's sequence, which
  // lie between 0 and 1. The type of a lane is T1's word, as "float"; empty: no numbers.
  std::string type{};
  double from = 0;
  double span = 0;  // 0: all are `from`
  std::uint64_t seed = 0;
  std::uint64_t lanes = 0;

  bool operator==(const Origin&) const = default;
};

struct Problem {
  std::string name{};
  ir::Sequence sequence;
  space::Space space;               // its parameters are tunables of the sequence, by name
  std::uint64_t default_index = 0;  // in the space: the untuned configuration
  // What parameters were called in earlier texts of the kernel, by today's name:
  // {"block_size_x", "block_x"}. Decisions for an earlier text say where to begin, no more.
  std::map<std::string, std::string> former_names{};
  // Inputs in the order of Call, and the values of shapes and scalars.
  std::shared_ptr<const std::vector<std::vector<std::byte>>> inputs{};
  // One per input: whether its content is arbitrary. Winners are then verified with other content
  // too, drawn from the same elements. Empty: none is.
  std::vector<bool> random_inputs{};
  // One per input and per expected output, or empty. A hint: the bytes themselves are what counts.
  std::vector<Origin> input_origins{};
  std::vector<Origin> reference_origins{};
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
  Asked asked{};
  // How the sequence was widened, if it was; tune needs it for long chains only.
  std::shared_ptr<const fuse::Widened> plans{};
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

// The same for a problem that is in memory: a T1 file as recording::parse_t1 gives it, and the text
// of its kernel; its KernelFile is a name for messages. Included files and data are looked for in
// `folder`. Messages do not name the T1 file.
Expected<Problem> t1_problem(const recording::T1File& t1, std::string_view kernel,
                             const std::filesystem::path& folder, const ProblemSizes& sizes = {});

struct ChainOptions {
  ProblemSizes sizes = {};  // of shapes; one that is not named has the size that it declares
  // A scalar that is not named is a number between 0.5 and 1.5 if it is an f32, else 1. One that
  // decides a size must be named.
  std::map<std::string, Value> scalars = {};
  bool fuse = false;  // widen the sequence (vyre/fuse.h), so that the search may join its steps
  // Of the device that will run it: joined steps whose intermediate results do not fit into its
  // local memory are not tried, and a warning says so. None: all are tried.
  std::optional<DeviceLimits> limits = {};
};

// A sequence of the kernel language. Its space are the tunables that list their values; the others
// stay at their defaults. Inputs are random: floats from -1 to below 1, integers from 0 to 99.
// bad_inputs: there is nothing to tune, a shape without a size, an unknown name, sizes for which
// the memory is not enough.
Expected<Problem> chain_problem(const ir::Sequence& sequence, const ChainOptions& options = {});
// The same for a file with a sequence, or a program, in text form (docs/ir_text.md).
Expected<Problem> load_chain(const std::filesystem::path& file, const ChainOptions& options = {});

// Replaces the data of one input, which is not arbitrary from then on. bad_inputs if there is no
// such input, or its size differs.
Expected<void> set_input(Problem& problem, std::string_view buffer, std::vector<std::byte> bytes,
                         Origin origin = {});

// Sets the expected bytes of one output. bad_inputs if there is no such output.
Expected<void> set_reference(Problem& problem, std::string_view buffer,
                             std::vector<std::byte> bytes, Origin origin = {});
// Sets all expected outputs: the results of another program, with its default configuration, on
// that device for the same inputs. Its buffers and arguments must be those of the problem.
Expected<void> set_reference(Problem& problem, std::shared_ptr<Device> device,
                             const ir::Sequence& other);
// The same from a function of the application. An output that the function leaves empty is compared
// with the result of the default configuration.
using Oracle = std::function<Expected<Outputs>(std::span<const Input> inputs)>;
Expected<void> set_reference(Problem& problem, const Oracle& oracle);

// Leaves one output out of every comparison (Opaque::ignored). bad_inputs if there is no such
// output.
Expected<void> ignore_output(Problem& problem, std::string_view buffer);

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
