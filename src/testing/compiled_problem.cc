#include "testing/compiled_problem.h"

#include <iterator>
#include <sstream>

#include "backend/plan.h"
#include "base/error.h"
#include "emit/cuda/cuda_cpp.h"
#include "testing/nvrtc_compile.h"

namespace vyre::testing {
namespace {

std::vector<std::string> words(const std::string& options) {
  std::istringstream stream(options);
  return {std::istream_iterator<std::string>(stream), {}};
}

}  // namespace

Expected<backend::KernelPlan> planned_kernel(const Problem& problem, const Config& config,
                                             ir::Language language) {
  const auto inputs = inputs_of(problem);
  const auto arguments = arguments_of(problem);
  const Call call{.inputs = inputs, .arguments = arguments, .config = &config};
  VYRE_TRY(const backend::Plan plan,
           backend::make_plan(problem.sequence, call, open_null()->info().limits));
  return backend::plan_kernel(problem.sequence.def().programs[0], plan.steps[0].specialisation,
                              {emit::cuda_cpp, "", language});
}

Expected<void> compile_configurations(const Problem& problem, std::uint32_t count,
                                      std::string_view architecture) {
  const bool is_hip = architecture.starts_with("gfx");
  for (std::uint32_t k = 0; k < count; ++k) {
    const std::uint64_t index = k == 0 ? problem.default_index : problem.space.size() / count * k;
    const Config config = problem.space.config_at(index);
    VYRE_TRY(const backend::KernelPlan plan,
             planned_kernel(problem, config, is_hip ? ir::Language::hip : ir::Language::cuda));
    const std::vector<std::string> names{plan.entry};
    const auto compile = is_hip ? hiprtc_compile : nvrtc_compile;
    const auto built = compile(plan.source.text, architecture, words(plan.source.options), names);
    if (!built) {
      return rejected("{}, {}, {}: {}", problem.name, to_string(config), architecture,
                      built.error().message);
    }
  }
  return {};
}

}  // namespace vyre::testing
