// Tunes a bundled kernel within a budget and shows what was decided.
//
//   example_tune_kernel [FOLDER]
//
// With a folder the decision is kept there, and the second start finds it.

#include <vyre/vyre.h>

#include <cstdio>

int main(int argc, char** argv) {
  const auto device = vyre::open_best_device();
  const auto problem = vyre::bundled_problem("saxpy", {{"n", 1 << 16}});
  if (!device || !problem) return 1;
  const vyre::Files files{.folder = argc > 1 ? argv[1] : ""};  // or vyre::from_env().files
  const auto tuned =
      vyre::tune(*device, *problem, {.seconds = 10, .evaluations = 5, .files = files});
  if (!tuned) return std::puts(tuned.error().message.c_str()), 1;
  std::printf("default %.3f ms, tuned %.3f ms with %s, after %llu configurations%s\n",
              tuned->decision.default_elapsed.ns / 1e6, tuned->decision.elapsed.ns / 1e6,
              to_string(tuned->decision.config).c_str(),
              static_cast<unsigned long long>(tuned->report.evaluations),
              tuned->is_remembered ? ", in an earlier run" : "");
  return 0;
}
