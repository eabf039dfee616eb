#include "tune/winner_facts.h"

#include "backend/plan.h"
#include "base/error.h"
#include "tune/problem_call.h"

namespace vyre {
namespace {

Expected<std::vector<KernelFacts>> compiled_facts(Device& device, const Problem& problem,
                                                  const Config& config) {
  backend::Slots slots(problem.sequence);
  VYRE_TRY_VOID(place(problem, slots));
  VYRE_TRY(const backend::Plan plan,
           backend::make_plan(problem.sequence, slots, options_for(config), device.info().limits));
  std::vector<KernelFacts> out;
  for (const backend::StepPlan& step : plan.steps) {
    VYRE_TRY(const auto kernel,
             device.compile(problem.sequence, step.program, step.specialisation));
    out.push_back(kernel->facts().value_or(KernelFacts{}));
  }
  return out;
}

}  // namespace

std::vector<KernelFacts> facts_of(Device& device, const Problem& problem, const Config& config) {
  if (!device.info().tells_facts) return {};
  return compiled_facts(device, problem, config).value_or(std::vector<KernelFacts>());
}

}  // namespace vyre
