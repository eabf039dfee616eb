// What is kept of a campaign: the decision, the recording, and the names of things.

#include <chrono>

#include "backend/plan.h"
#include "base/blake3.h"
#include "base/byte_writer.h"
#include "base/hex.h"
#include "ir/ops.h"
#include "ir/rewrite/fold.h"
#include "vyre/program.h"
#include "vyre/tune.h"

namespace vyre {
namespace {

std::uint64_t local_bytes(const ir::Program& program, const backend::StepPlan& step) {
  std::vector<std::optional<std::uint64_t>> known(step.symbols.begin(), step.symbols.end());
  std::uint64_t bytes = 0;
  for (const ir::Buffer& b : program.buffers) {
    if (b.access != ir::Access::local) continue;
    bytes += ir::fold(program, b.length, known).value_or(0) * ir::element_bytes(b);
  }
  return bytes;
}

// What decides ties between configurations: how much they ask of the device.
Candidate facts_of(const Problem& problem, const DeviceLimits& limits, std::uint64_t index) {
  Candidate out;
  const Config config = problem.space.config_at(index);
  const auto inputs = inputs_of(problem);
  const auto arguments = arguments_of(problem);
  const auto plan = backend::make_plan(
      problem.sequence, {.inputs = inputs, .arguments = arguments, .config = &config}, limits);
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

}  // namespace

SearchTask task_of(const Problem& problem, const DeviceInfo& device) {
  SearchTask task{
      .name = problem.name,
      .identity = fmt::format("program={} device={}", ir::to_hex(problem.sequence.fingerprint()),
                              fingerprint(device)),
      .space = problem.space,
      .default_index = problem.default_index};
  for (const auto& [name, size] : problem.sizes) task.identity += fmt::format(" {}={}", name, size);
  task.candidate = [problem, limits = device.limits](std::uint64_t index) {
    return facts_of(problem, limits, index);
  };
  return task;
}

std::string digest_of(const space::Space& space) {
  ByteWriter out;
  out.text("vyre space 1");
  out.u64(space.size());
  for (const space::Parameter& parameter : space.parameters()) {
    out.text(parameter.name);
    out.u64(parameter.values.size());
    for (const Value& value : parameter.values) out.text(vyre::to_string(value));
  }
  for (const std::string& constraint : space.constraints()) out.text(constraint);
  return to_hex(blake3(out.bytes()));
}

Decision decision_of(const Problem& problem, const CampaignReport& report,
                     const CampaignOptions& options) {
  Decision out;
  out.program = problem.name;
  out.fingerprint = problem.sequence.fingerprint();
  out.config = problem.space.config_at(report.best);
  out.space = digest_of(problem.space);
  out.elapsed = report.elapsed;
  out.default_elapsed = report.default_elapsed;
  out.tied_candidates = static_cast<std::uint32_t>(report.outcome.tied.size());
  for (const Standing& standing : report.standings) {
    if (standing.candidate.id == report.best) {
      out.samples = static_cast<std::uint32_t>(standing.samples_ns.size());
    }
    if (report.outcome.runner_up && standing.candidate.id == *report.outcome.runner_up) {
      out.runner_up = {problem.space.config_at(standing.candidate.id), standing.elapsed};
    }
  }
  out.verified = true;
  out.strategy = options.strategy;
  out.decided_at = std::chrono::duration_cast<std::chrono::seconds>(
                       std::chrono::system_clock::now().time_since_epoch())
                       .count();
  out.version = VYRE_VERSION;
  return out;
}

Hint hint_of(const space::Space& space, const Decision& decision) {
  Hint out;
  // A time that is not known is no worse than any other: all that counts is that it won.
  const double won = decision.elapsed.ns > 0 ? decision.elapsed.ns : 1;
  if (const auto index = space.find(decision.config)) out.times.push_back({*index, won});
  if (!decision.runner_up) return out;
  const double second = std::max(won, decision.runner_up->elapsed.ns);
  if (const auto index = space.find(decision.runner_up->config)) {
    out.times.push_back({*index, second});
  }
  return out;
}

recording::Recording recording_of(const Problem& problem, const CampaignReport& report) {
  recording::Recording out;
  out.parameters = problem.space.parameters();
  for (const Standing& standing : report.standings) {
    if (standing.fate == Fate::failed || standing.elapsed.ns <= 0) continue;
    recording::Row row;
    row.point = problem.space.at(standing.candidate.id);
    row.time_ms = standing.elapsed.ns / 1e6;
    for (const double ns : standing.samples_ns) row.run_ms.push_back(ns / 1e6);
    out.rows.push_back(std::move(row));
  }
  for (const Failure& failure : report.failures) {
    recording::Row row;
    row.point = problem.space.at(failure.index);
    row.status = failure.status;
    out.rows.push_back(std::move(row));
  }
  return out;
}

}  // namespace vyre
