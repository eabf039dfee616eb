// `vyre-worker`: the process in which candidates run, because they may crash, hang or use all
// memory.

#include <fmt/format.h>

#include "cli/pocl_scratch.h"
#include "tune/worker/serve.h"

int main() {
  const int code = vyre::worker::serve(vyre::cli::make_pocl_scratch);
  fmt::print(stderr, "vyre-worker is started by `vyre tune`, not by hand\n");
  return code;
}
