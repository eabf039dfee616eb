// Tunes a bundled kernel within a budget and shows what was decided.

#include <vyre/vyre.h>

#include <cstdio>

int main() {
  const auto device = vyre::open_best_device();
  const auto problem = vyre::bundled_problem("saxpy", {{"n", 1 << 16}});
  if (!device || !problem) return 1;
  const auto tuned = vyre::tune(*device, *problem, {.seconds = 10, .evaluations = 5});
  if (!tuned) return std::puts(tuned.error().message.c_str()), 1;
  std::printf("default %.3f ms, tuned %.3f ms with %s, after %llu configurations\n",
              tuned->decision.default_elapsed.ns / 1e6, tuned->decision.elapsed.ns / 1e6,
              to_string(tuned->decision.config).c_str(),
              static_cast<unsigned long long>(tuned->report.evaluations));
  return 0;
}
