#include "vyre/problem.h"

#include <fmt/ranges.h>

#include <algorithm>

#include "base/error.h"
#include "base/files/whole_file.h"
#include "base/text.h"
#include "ir/includes.h"
#include "ir/ops.h"
#include "ir/source.h"
#include "problems/chain.h"
#include "problems/embedded.h"
#include "problems/gemm.h"
#include "problems/matvec.h"
#include "problems/reduction.h"
#include "problems/saxpy.h"
#include "problems/softmax.h"
#include "problems/t1_problem.h"

namespace vyre {
namespace {

constexpr std::size_t kMostSourceBytes = 16U << 20U;

constexpr BundledProblem kProblems[] = {
    {"saxpy", "y = a x + y", make_saxpy},
    {"reduction", "the sum of a vector", make_reduction},
    {"softmax", "each row of a matrix to weights that add up to 1", make_softmax},
    {"transpose", "a matrix with rows and columns exchanged (OpenCL C)",
     [](const ProblemSizes& sizes) { return problems::make_embedded("transpose", sizes); }},
    {"matvec", "a matrix times a vector", make_matvec},
    {"gemm", "a matrix times a matrix, in tiles", make_gemm},
    {"conv2d", "an image convolved with a small filter (OpenCL C)",
     [](const ProblemSizes& sizes) { return problems::make_embedded("conv2d", sizes); }},
    {"stencil", "one step of a five-point stencil (OpenCL C)",
     [](const ProblemSizes& sizes) { return problems::make_embedded("stencil", sizes); }},
};

// The buffer's place among the inputs, or among the outputs.
Expected<std::size_t> place_of(const Problem& problem, std::string_view name,
                               bool (*counts)(ir::Access), std::string_view kind) {
  std::size_t place = 0;
  std::vector<std::string> names;
  for (const ir::Buffer& b : problem.sequence.def().buffers) {
    if (!counts(b.access)) continue;
    if (b.name == name) return place;
    names.push_back(b.name);
    ++place;
  }
  return bad_inputs("{}: there is no {} {}{}; there is {}", problem.name, kind, quote(name),
                    did_you_mean(name, names), fmt::join(names, ", "));
}

std::size_t outputs_of(const Problem& problem) {
  return static_cast<std::size_t>(
      std::ranges::count_if(problem.sequence.def().buffers, ir::gives_output, &ir::Buffer::access));
}

// The kernel's text with the files that it includes, so that its decisions change with them.
Expected<std::string> whole_source(std::string_view text, const std::filesystem::path& file,
                                   const recording::KernelSpecification& kernel) {
  const std::string options = fmt::format("{}", fmt::join(kernel.compiler_options, " "));
  const std::filesystem::path folder = file.has_parent_path() ? file.parent_path() : ".";
  return ir::with_includes(
      text, {.name = file.filename().string(), .folder = folder, .options = options});
}

Expected<ir::Sequence> read_sequence(const std::filesystem::path& file) {
  VYRE_TRY(const std::string text, read_named_file(file, ir::Limits::kTextBytes));
  auto def = ir::parse(text);
  if (!def) return bad_inputs("{}: {}", quote_path(file.native()), def.error().message);
  auto sequence = ir::Sequence::make(*std::move(def));
  if (!sequence) return bad_inputs("{}: {}", quote_path(file.native()), sequence.error().message);
  return sequence;
}

}  // namespace

std::vector<Input> inputs_of(const Problem& problem) {
  if (problem.inputs == nullptr) return {};
  return {problem.inputs->begin(), problem.inputs->end()};
}

std::vector<Argument> arguments_of(const Problem& problem) {
  std::vector<Argument> out;
  for (const auto& [name, bits] : problem.arguments) out.push_back({name, bits});
  return out;
}

Expected<void> set_input(Problem& problem, std::string_view buffer, std::vector<std::byte> bytes,
                         Origin origin) {
  VYRE_TRY(const std::size_t place, place_of(problem, buffer, ir::takes_input, "input"));
  auto inputs = *problem.inputs;
  if (inputs[place].size() != bytes.size()) {
    return bad_inputs("{}: input {} takes {} bytes, and {} are given", problem.name, quote(buffer),
                      inputs[place].size(), bytes.size());
  }
  inputs[place] = std::move(bytes);
  if (place < problem.random_inputs.size()) problem.random_inputs[place] = false;
  problem.input_origins.resize(inputs.size());
  problem.input_origins[place] = std::move(origin);
  problem.inputs = std::make_shared<const Outputs>(std::move(inputs));
  return {};
}

Expected<void> set_reference(Problem& problem, std::string_view buffer,
                             std::vector<std::byte> bytes, Origin origin) {
  VYRE_TRY(const std::size_t place, place_of(problem, buffer, ir::gives_output, "output"));
  Outputs reference = problem.reference ? *problem.reference : Outputs();
  reference.resize(outputs_of(problem));
  reference[place] = std::move(bytes);
  problem.reference_origins.resize(reference.size());
  problem.reference_origins[place] = std::move(origin);
  problem.reference = std::make_shared<const Outputs>(std::move(reference));
  return {};
}

Expected<void> set_reference(Problem& problem, std::shared_ptr<Device> device,
                             const ir::Sequence& other) {
  return set_reference(problem, [&](std::span<const Input> inputs) {
    const auto arguments = arguments_of(problem);
    return make_dispatcher(std::move(device))
        ->dispatch(other, {.inputs = inputs, .arguments = arguments});
  });
}

Expected<void> set_reference(Problem& problem, const Oracle& oracle) {
  VYRE_TRY(Outputs outputs, oracle(inputs_of(problem)));
  if (outputs.size() != outputs_of(problem)) {
    return bad_inputs("{}: the reference has {} outputs, the problem {}", problem.name,
                      outputs.size(), outputs_of(problem));
  }
  problem.reference = std::make_shared<const Outputs>(std::move(outputs));
  problem.reference_origins.clear();
  return {};
}

Expected<void> ignore_output(Problem& problem, std::string_view buffer) {
  VYRE_TRY(const std::size_t place, place_of(problem, buffer, ir::gives_output, "output"));
  problem.opaque_outputs.resize(outputs_of(problem), Opaque::bits);
  problem.opaque_outputs[place] = Opaque::ignored;
  return {};
}

Expected<Problem> load_problem(const std::filesystem::path& t1_file, const ProblemSizes& sizes) {
  VYRE_TRY(const recording::T1File t1, recording::read_t1(t1_file));
  const auto in_file = [&](const Error& error) {
    return bad_inputs("{}: {}", quote_path(t1_file.native()), error.message);
  };
  if (auto language = language_of(t1.kernel); !language) return in_file(language.error());
  const std::filesystem::path source = t1_file.parent_path() / t1.kernel.kernel_file;
  const auto text = read_named_file(source, kMostSourceBytes);
  if (!text) {
    return bad_inputs("{}: KernelFile: {}; it is looked for beside the T1 file",
                      quote_path(t1_file.native()), text.error().message);
  }
  auto problem = t1_problem(t1, *text, t1_file.parent_path(), sizes);
  if (!problem) return in_file(problem.error());
  return problem;
}

Expected<Problem> t1_problem(const recording::T1File& t1, std::string_view kernel,
                             const std::filesystem::path& folder, const ProblemSizes& sizes) {
  VYRE_TRY(const std::string whole,
           whole_source(kernel, folder / t1.kernel.kernel_file, t1.kernel));
  return problem_of_t1(t1, whole, folder, sizes);
}

Expected<Problem> chain_problem(const ir::Sequence& sequence, const ChainOptions& options) {
  return problem_of_chain(sequence, options);
}

Expected<Problem> load_chain(const std::filesystem::path& file, const ChainOptions& options) {
  VYRE_TRY(const ir::Sequence sequence, read_sequence(file));
  return chain_problem(sequence, options);
}

std::span<const BundledProblem> bundled_problems() { return kProblems; }

Expected<Problem> bundled_problem(std::string_view name, const ProblemSizes& sizes,
                                  ir::Language language) {
  if (ir::is_cuda_like(language)) {
    if (auto twin = problems::make_cuda_twin(name, sizes, language)) return *std::move(twin);
  }
  return bundled_problem(name, sizes);
}

Expected<Problem> bundled_problem(std::string_view name, const ProblemSizes& sizes) {
  const auto* const it = std::ranges::find(kProblems, name, &BundledProblem::name);
  if (it != std::end(kProblems)) return it->make(sizes);
  std::vector<std::string> names;
  std::string listed;
  for (const BundledProblem& problem : kProblems) {
    names.emplace_back(problem.name);
    listed += (listed.empty() ? "" : ", ") + names.back();
  }
  return bad_inputs("there is no bundled problem {}{}; there are {}", quote(name),
                    did_you_mean(name, names), listed);
}

}  // namespace vyre
