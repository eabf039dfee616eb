#include "problems/t1_space.h"

#include <optional>

#include "base/error.h"
#include "base/text.h"

namespace vyre {
namespace {

constexpr std::array<char, 3> kAxes{'X', 'Y', 'Z'};

bool has_divisors(const recording::KernelSpecification& kernel, std::size_t axis) {
  return !kernel.grid_divisors[axis].empty() && axis < kernel.problem_size.size();
}

bool is_in_invocations(const recording::KernelSpecification& kernel) {
  const std::string& type = kernel.global_size_type;
  return (type.empty() ? kernel.language : type) == "OpenCL";
}

bool counts_invocations(const recording::KernelSpecification& kernel, std::size_t axis) {
  return !has_divisors(kernel, axis) && is_in_invocations(kernel);
}

std::string product(const std::vector<std::string>& factors) {
  std::string out;
  for (const std::string& factor : factors) {
    out += fmt::format("{}({})", out.empty() ? "" : " * ", factor);
  }
  return out;
}

// "(n) % (block) == 0", sizes as numbers, for each axis that needs it.
std::vector<std::string> launch_constraints(const recording::KernelSpecification& kernel,
                                            const std::vector<NamedSize>& sizes) {
  std::vector<std::string> out;
  for (std::size_t axis = 0; axis < kAxes.size(); ++axis) {
    const std::string& local = kernel.local_size[axis];
    if (!counts_invocations(kernel, axis) || local == "1") continue;
    out.push_back(
        with_size_values(fmt::format("({}) % ({}) == 0", kernel.global_size[axis], local), sizes));
  }
  return out;
}

std::string multiples(const recording::KernelSpecification& kernel) {
  std::string out;
  for (std::size_t axis = 0; axis < kAxes.size(); ++axis) {
    if (!counts_invocations(kernel, axis) || kernel.local_size[axis] == "1") continue;
    out +=
        fmt::format("{}GlobalSize.{} ({}) a multiple of {}", out.empty() ? "" : " and ",
                    kAxes[axis], quote(kernel.global_size[axis]), quote(kernel.local_size[axis]));
  }
  return out;
}

std::string groups_of_global_size(const recording::KernelSpecification& kernel, std::size_t axis) {
  const std::string& global = kernel.global_size[axis];
  const std::string& local = kernel.local_size[axis];
  if (!is_in_invocations(kernel) || local == "1") return global;
  return fmt::format("({}) // ({})", global, local);
}

// Nothing if the text has no value that is a whole number: other checks tell about that.
std::optional<std::int64_t> value_of(const std::string& text, const std::vector<NamedSize>& sizes,
                                     const Config& config) {
  std::vector<std::string> names;
  for (const auto& [name, value] : config.entries()) names.push_back(name);
  const auto compiled = space::Expression::compile(with_size_values(text, sizes), names);
  if (!compiled) return std::nullopt;
  const auto value = compiled->evaluate(config);
  const auto* const whole = value ? std::get_if<std::int64_t>(&*value) : nullptr;
  return whole == nullptr ? std::nullopt : std::optional(*whole);
}

}  // namespace

std::string groups_of(const recording::KernelSpecification& kernel, std::size_t axis,
                      const std::vector<NamedSize>& sizes) {
  if (has_divisors(kernel, axis)) {
    const std::string divisor = product(kernel.grid_divisors[axis]);
    return with_size_names(
        fmt::format("({} + ({}) - 1) // ({})", sizes[axis].name, divisor, divisor), sizes);
  }
  return with_size_names(groups_of_global_size(kernel, axis), sizes);
}

std::vector<std::string> grid_warnings(const recording::KernelSpecification& kernel,
                                       const std::vector<NamedSize>& sizes, const Config& untuned) {
  std::vector<std::string> out;
  for (std::size_t axis = 0; axis < kAxes.size(); ++axis) {
    if (!has_divisors(kernel, axis)) continue;
    const std::string& given = kernel.global_size[axis];
    if (value_of(given, sizes, untuned) == sizes[axis].value) continue;
    const auto used = value_of(groups_of(kernel, axis, sizes), sizes, untuned);
    const auto other = value_of(groups_of_global_size(kernel, axis), sizes, untuned);
    if (!used || !other || *used == *other) continue;
    out.push_back(fmt::format(
        "GlobalSize.{} ({}) makes {} workgroups of the default, ProblemSize and GridDiv{} make {}; "
        "ProblemSize and GridDiv{} are used",
        kAxes[axis], quote(given), *other, kAxes[axis], *used, kAxes[axis]));
  }
  return out;
}

Expected<space::Space> space_of(const recording::T1File& t1, const std::vector<NamedSize>& sizes) {
  space::Definition definition = t1.space;
  for (std::string& constraint : definition.constraints) {
    constraint = with_size_values(constraint, sizes);
  }
  const auto needed = launch_constraints(t1.kernel, sizes);
  if (needed.empty()) return space::Space::build(std::move(definition));
  space::Definition launched = definition;
  launched.constraints.insert(launched.constraints.end(), needed.begin(), needed.end());
  auto space = space::Space::build(std::move(launched));
  if (space || !space::Space::build(std::move(definition))) return space;
  return bad_inputs("no configuration divides the problem size {}: {}; choose sizes that make {}",
                    sizes.empty() ? "of the file" : to_string(sizes), space.error().message,
                    multiples(t1.kernel));
}

Expected<Default> default_configuration(const recording::T1File& t1, const space::Space& space) {
  VYRE_TRY(const auto start, recording::default_of(t1, space));
  if (start) return Default{start->index, start->warnings};
  const std::uint64_t index = space.nearest_valid(space::Point(space.dimensions(), 0)).index;
  return Default{index,
                 {fmt::format("no Default is declared; untuned is {}",
                              vyre::to_string(space.config_at(index)))}};
}

}  // namespace vyre
