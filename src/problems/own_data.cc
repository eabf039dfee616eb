// A problem's data: as calls take it, and what a user brings along.

#include <fmt/ranges.h>

#include <algorithm>

#include "base/error.h"
#include "base/text.h"
#include "ir/ops.h"
#include "vyre/problem.h"

namespace vyre {
namespace {

// Its place among the inputs, or among the outputs.
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

Expected<void> set_input(Problem& problem, std::string_view buffer, std::vector<std::byte> bytes) {
  VYRE_TRY(const std::size_t place, place_of(problem, buffer, ir::takes_input, "input"));
  auto inputs = *problem.inputs;
  if (inputs[place].size() != bytes.size()) {
    return bad_inputs("{}: input {} has {} bytes, not {}", problem.name, quote(buffer),
                      inputs[place].size(), bytes.size());
  }
  inputs[place] = std::move(bytes);
  problem.inputs = std::make_shared<const Outputs>(std::move(inputs));
  return {};
}

Expected<void> set_reference(Problem& problem, std::string_view buffer,
                             std::vector<std::byte> bytes) {
  VYRE_TRY(const std::size_t place, place_of(problem, buffer, ir::gives_output, "output"));
  Outputs reference = problem.reference ? *problem.reference : Outputs();
  reference.resize(outputs_of(problem));
  reference[place] = std::move(bytes);
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
  return {};
}

}  // namespace vyre
