#include "tune/problem_call.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/blake3.h"
#include "base/error.h"
#include "base/hex.h"
#include "ir/ops.h"
#include "ir/rewrite/fold.h"

namespace vyre {
namespace {

constexpr std::size_t kChunk = std::size_t{1} << 20U;

std::uint64_t local_bytes(const ir::Program& program, const backend::StepPlan& step) {
  std::vector<std::optional<std::uint64_t>> known(step.symbols.begin(), step.symbols.end());
  std::uint64_t bytes = 0;
  for (const ir::Buffer& b : program.buffers) {
    if (b.access != ir::Access::local) continue;
    bytes += ir::fold(program, b.length, known).value_or(0) * ir::element_bytes(b);
  }
  return bytes;
}

// Ties are decided by how much a configuration asks of the device.
Candidate facts_of(const Problem& problem, const DeviceLimits& limits, std::uint64_t index) {
  Candidate out;
  const Config config = problem.space.config_at(index);
  backend::Slots slots(problem.sequence);
  if (!place(problem, slots)) return out;
  const auto plan = backend::make_plan(problem.sequence, slots, options_for(config), limits);
  if (!plan) return out;
  for (const backend::StepPlan& step : plan->steps) {
    std::uint64_t invocations = 1;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      invocations *= std::uint64_t{step.groups[axis]} * step.specialisation.workgroup[axis];
    }
    out.invocations += invocations;
    out.local_bytes =
        std::max(out.local_bytes, local_bytes(problem.sequence.def().programs[step.program], step));
  }
  return out;
}

void add(Blake3& hash, std::span<const std::byte> bytes) {
  hash.update({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()});
}

void add(Blake3& hash, const Outputs* blobs) {
  if (blobs == nullptr) return;
  for (const auto& blob : *blobs) add(hash, blob);
}

Expected<void> add(Blake3& hash, const Buffer& buffer) {
  std::vector<std::byte> chunk;
  for (std::size_t at = 0; at < buffer.size(); at += chunk.size()) {
    chunk.resize(std::min(kChunk, buffer.size() - at));
    VYRE_TRY_VOID(buffer.read(at, chunk));
    add(hash, chunk);
  }
  return {};
}

// Whether the tolerance can change what counts as right.
bool compares_floats(const Problem& problem) {
  const auto is_float = [](const ir::Buffer& b) {
    return ir::gives_output(b.access) && b.opaque_bytes == 0 && b.element == ir::Scalar::f32;
  };
  return std::ranges::any_of(problem.sequence.def().buffers, is_float) ||
         std::ranges::any_of(problem.opaque_outputs,
                             [](Opaque o) { return o == Opaque::f16 || o == Opaque::f64; });
}

}  // namespace

Expected<void> place(const Problem& problem, backend::Slots& slots) {
  VYRE_TRY_VOID(backend::place(problem.sequence, arguments_of(problem), slots));
  const auto inputs = inputs_of(problem);
  const auto& device_inputs = problem.device_inputs;
  const auto& buffers = problem.sequence.def().buffers;
  std::size_t next = 0;
  for (std::size_t k = 0; k < buffers.size(); ++k) {
    if (!ir::takes_input(buffers[k].access)) continue;
    const bool is_on_device = next < device_inputs.size() && device_inputs[next] != nullptr;
    if (!is_on_device && next >= inputs.size()) {
      return bad_inputs("{}: there is no content for input \"{}\"; add it", problem.name,
                        buffers[k].name);
    }
    slots.buffers[k].bytes = is_on_device ? device_inputs[next]->size() : inputs[next].size();
    ++next;
  }
  return {};
}

CallOptions options_for(const Config& config) {
  const auto workgroup = workgroup_of(config);
  return {.config = workgroup ? nullptr : &config, .workgroup = workgroup};
}

Expected<std::vector<std::uint64_t>> shape_of(const Problem& problem, const DeviceLimits& limits) {
  const Config config = problem.space.config_at(problem.default_index);
  backend::Slots slots(problem.sequence);
  VYRE_TRY_VOID(place(problem, slots));
  VYRE_TRY(const backend::Plan plan,
           backend::make_plan(problem.sequence, slots, options_for(config), limits));
  return backend::shape_of(problem.sequence, plan);
}

std::uint64_t buffer_bytes(const Problem& problem, const DeviceLimits& limits) {
  backend::Slots slots(problem.sequence);
  if (!place(problem, slots)) return 0;
  const Config config = problem.space.config_at(problem.default_index);
  const auto plan = backend::make_plan(problem.sequence, slots, options_for(config), limits);
  return plan ? backend::buffer_bytes(problem.sequence, *plan) : 0;
}

bool is_workgroup_choice(const space::Space& space) {
  return std::ranges::equal(space.parameters(), kWorkgroupNames, {}, &space::Parameter::name);
}

Expected<std::string> digest_of_data(const Problem& problem) {
  Blake3 hash;
  add(hash, problem.inputs.get());
  for (const auto& buffer : problem.device_inputs) {
    if (buffer != nullptr) VYRE_TRY_VOID(add(hash, *buffer));
  }
  for (const auto& [name, bits] : problem.arguments) {
    add(hash, std::as_bytes(std::span(&bits, 1)));
  }
  add(hash, problem.reference.get());
  if (compares_floats(problem)) {
    add(hash, std::as_bytes(std::span(&problem.tolerance.absolute, 1)));
    add(hash, std::as_bytes(std::span(&problem.tolerance.relative, 1)));
  }
  const auto digest = hash.finish();
  return to_hex(std::span(digest).first(8));
}

SearchTask task_of(const Problem& problem, const DeviceInfo& device, const std::string& data) {
  SearchTask task{
      .name = problem.name,
      .identity = fmt::format("name={} program={} device={}", problem.sequence.def().name,
                              ir::to_hex(problem.sequence.fingerprint()), fingerprint(device)),
      .space = problem.space,
      .default_index = problem.default_index};
  if (const auto shape = shape_of(problem, device.limits)) {
    task.identity += fmt::format(" shape={}", fmt::join(*shape, "x"));
  }
  if (!data.empty()) task.identity += " data=" + data;
  task.candidate = [problem, limits = device.limits](std::uint64_t index) {
    return facts_of(problem, limits, index);
  };
  return task;
}

Expected<Problem> on_host(const Problem& problem) {
  Problem out = problem;
  Outputs inputs = problem.inputs == nullptr ? Outputs() : *problem.inputs;
  inputs.resize(std::max(inputs.size(), problem.device_inputs.size()));
  for (std::size_t k = 0; k < problem.device_inputs.size(); ++k) {
    const auto& buffer = problem.device_inputs[k];
    if (buffer == nullptr) continue;
    inputs[k].resize(buffer->size());
    VYRE_TRY_VOID(buffer->read(0, inputs[k]));
  }
  out.inputs = std::make_shared<const Outputs>(std::move(inputs));
  out.device_inputs.clear();
  return out;
}

}  // namespace vyre
