// Interrupts: Ctrl-C, SIGTERM and SIGHUP end the command in good order within a second, whatever it
// is doing.
//
// The first signal is a request: `is_asked` says so from then on. If the command has not ended
// kGrace later, because a driver compiles or a kernel runs in this process, the last words are
// called on a thread of their own and the process ends with exit code 1. A second signal ends the
// process at once, as if nobody had handled it. Workers end with the process.

#pragma once

#include <chrono>
#include <csignal>
#include <functional>

namespace vyre::cli {

class Interrupts {
 public:
  static constexpr std::chrono::milliseconds kGrace{700};

  // Before any other thread is started: the signals are blocked in all of them. At most once in a
  // process, and never ended. A signal SIGHUP that is ignored stays so (nohup).
  explicit Interrupts(std::function<void()> last_words);

  static bool is_asked();
};

}  // namespace vyre::cli
