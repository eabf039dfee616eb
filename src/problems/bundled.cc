#include "problems/bundled.h"

#include <bit>

#include "base/check.h"
#include "base/error.h"
#include "base/memory.h"
#include "problems/fill.h"

namespace vyre {
namespace {

// Wanted sizes follow the same rules here as in a T1 file.
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

// Before the first input is made.
Expected<void> check_lengths(const Bundled& bundled, const std::vector<NamedSize>& sizes,
                             std::span<const std::uint64_t> lengths) {
  std::uint64_t bytes = 0;
  for (const std::uint64_t length : lengths) {
    if (length > kMostDataBytes / sizeof(float)) {
      return bad_inputs("{}: {} makes an input of {} elements, above 2 GiB; choose smaller sizes",
                        bundled.name, to_string(sizes), length);
    }
    bytes = saturating_sum(bytes, length * sizeof(float));
  }
  return check_memory(fmt::format("{} with {}", bundled.name, to_string(sizes)), bytes);
}

Expected<void> add_data(const Bundled& bundled, const std::vector<NamedSize>& sizes, Problem& out) {
  ProblemSizes by_name;
  for (const NamedSize& size : sizes) {
    by_name[size.name] = size.value;
    out.sizes[size.name] = size.value;
    out.arguments.emplace_back(size.name, size.value);
  }
  const auto lengths = bundled.input_lengths(by_name);
  VYRE_TRY_VOID(check_lengths(bundled, sizes, lengths));
  Outputs inputs;
  for (const std::uint64_t length : lengths) {
    const Origin& origin = out.input_origins.emplace_back(
        Origin{.type = "float", .from = -1, .span = 2, .seed = inputs.size(), .lanes = length});
    inputs.push_back(made_from(origin).value());
  }
  out.random_inputs.assign(inputs.size(), true);
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

}  // namespace vyre
