// Tunes a bundled kernel within a budget and shows what was decided.

#include <cstdio>

#include "vyre/tune.h"

using namespace vyre;

int main() {
  const auto device = open_best_device();
  const auto problem = bundled_problem("saxpy", {{"n", 1 << 16}});
  if (!device || !problem) return 1;
  const auto evaluator = evaluate_in_process(*device, *problem);
  if (!evaluator) return 1;
  const auto report = run_campaign(task_of(*problem, (*device)->info()), **evaluator,
                                   {.budget = {.seconds = 10, .evaluations = 5}});
  if (!report) {
    std::printf("%s\n", report.error().message.c_str());
    return 1;
  }
  std::printf("default %.3f ms, tuned %.3f ms with %s, after %llu configurations\n",
              report->default_elapsed.ns / 1e6, report->elapsed.ns / 1e6,
              to_string(problem->space.config_at(report->best)).c_str(),
              static_cast<unsigned long long>(report->evaluations));
  return 0;
}
