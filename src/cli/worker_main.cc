// `vyre-worker`: where candidates run that may crash, hang or eat all memory.

#include <fmt/format.h>

#include "tune/worker/serve.h"

int main() {
  const int code = vyre::worker::serve();
  fmt::print(stderr, "vyre-worker is started by `vyre tune`, not by hand\n");
  return code;
}
