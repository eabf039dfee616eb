#include "problems/bundled.h"

#include <algorithm>
#include <bit>

#include "base/check.h"
#include "base/error.h"
#include "base/text.h"
#include "problems/embedded.h"
#include "problems/fill.h"
#include "problems/t1_problem.h"

namespace vyre {
namespace {

constexpr BundledProblem kProblems[] = {
    {"saxpy", "y = a x + y", make_saxpy},
    {"reduction", "the sum of a vector", make_reduction},
    {"softmax", "each row of a matrix to weights that add up to 1", make_softmax},
    {"transpose", "a matrix with rows and columns exchanged (OpenCL C)",
     [](const ProblemSizes& sizes) { return make_embedded("transpose", sizes); }},
    {"matvec", "a matrix times a vector", make_matvec},
    {"gemm", "a matrix times a matrix, in tiles", make_gemm},
    {"conv2d", "an image convolved with a small filter (OpenCL C)",
     [](const ProblemSizes& sizes) { return make_embedded("conv2d", sizes); }},
    {"stencil", "one step of a five-point stencil (OpenCL C)",
     [](const ProblemSizes& sizes) { return make_embedded("stencil", sizes); }},
};

std::vector<std::byte> random_floats(std::uint64_t seed, std::uint64_t count) {
  std::vector<float> values(count);
  for (std::uint64_t k = 0; k < count; ++k) {
    values[k] = static_cast<float>(2 * uniform(seed, k) - 1);
  }
  const auto bytes = std::as_bytes(std::span(values));
  return {bytes.begin(), bytes.end()};
}

// The same rules for wanted sizes as for those of a T1 file.
Expected<std::vector<NamedSize>> sizes_of(const Bundled& bundled, const ProblemSizes& wanted) {
  recording::KernelSpecification kernel;
  for (const NamedSize& size : bundled.sizes) {
    kernel.problem_size_names.push_back(size.name);
    kernel.problem_size.push_back(std::to_string(size.value));
  }
  return problem_sizes(kernel, wanted);
}

Expected<space::Space> space_of(const Bundled& bundled, const std::vector<NamedSize>& sizes) {
  space::Definition definition = bundled.space;
  for (std::string& constraint : definition.constraints) {
    constraint = with_size_values(constraint, sizes);
  }
  auto space = space::Space::build(std::move(definition));
  if (space) return space;
  return bad_inputs("{}: no configuration divides the problem size {}: {}; choose other sizes",
                    bundled.name, to_string(sizes), space.error().message);
}

Expected<void> add_data(const Bundled& bundled, const std::vector<NamedSize>& sizes, Problem& out) {
  ProblemSizes by_name;
  for (const NamedSize& size : sizes) {
    by_name[size.name] = size.value;
    out.sizes[size.name] = size.value;
    out.arguments.emplace_back(size.name, size.value);
  }
  Outputs inputs;
  for (const std::uint64_t length : bundled.input_lengths(by_name)) {
    if (length > kMostDataBytes / sizeof(float)) {
      return bad_inputs("{}: {} makes an input of {} elements, above 2 GiB; choose smaller sizes",
                        bundled.name, to_string(sizes), length);
    }
    inputs.push_back(random_floats(inputs.size(), length));
  }
  out.inputs = std::make_shared<const Outputs>(std::move(inputs));
  for (const auto& [name, value] : bundled.scalars) {
    out.arguments.emplace_back(name, std::bit_cast<std::uint32_t>(value));
  }
  return {};
}

}  // namespace

ir::Value tunable(ir::Builder& b, const Config& untuned, std::string_view name) {
  const Value* const value = untuned.find(name);
  VYRE_CHECK(value != nullptr);
  return b.tunable(name, std::get<std::int64_t>(*value));
}

Expected<ir::Sequence> sequence_of(std::string_view name, void (*body)(ir::Builder&)) {
  VYRE_TRY(ir::Program program, ir::build(name, body));
  return ir::Sequence::make(std::move(program));
}

std::string_view problems::embedded_kernel(std::string_view file) {
  const auto files = embedded_kernels();
  const auto found = std::ranges::find(files, file, &EmbeddedFile::name);
  return found == files.end() ? std::string_view() : found->bytes;
}

Expected<Problem> make_embedded(std::string_view name, const ProblemSizes& sizes) {
  const std::string file = fmt::format("{}.json", name);
  VYRE_TRY(const recording::T1File t1, recording::parse_t1(problems::embedded_kernel(file), file));
  auto out = problem_of_t1(t1, problems::embedded_kernel(t1.kernel.kernel_file), {}, sizes);
  if (!out) return bad_inputs("{}: {}", name, out.error().message);
  return out;
}

Expected<Problem> make_bundled(const Bundled& bundled, const ProblemSizes& wanted) {
  const auto sizes = sizes_of(bundled, wanted);
  if (!sizes) return bad_inputs("{}: {}", bundled.name, sizes.error().message);
  VYRE_TRY(space::Space space, space_of(bundled, *sizes));
  VYRE_TRY(const space::Nearest untuned, space.nearest_valid(bundled.untuned));
  VYRE_TRY(ir::Sequence sequence, bundled.sequence());
  Problem out{.name = bundled.name,
              .sequence = std::move(sequence),
              .space = std::move(space),
              .default_index = untuned.index,
              .tolerance = bundled.tolerance,
              .metrics = bundled.metrics};
  VYRE_TRY_VOID(add_data(bundled, *sizes, out));
  if (!untuned.changed.empty()) {
    out.warnings.push_back(
        fmt::format("the default is not possible with these sizes; untuned is {}",
                    vyre::to_string(out.space.config_at(untuned.index))));
  }
  return out;
}

std::span<const BundledProblem> bundled_problems() { return kProblems; }

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
