#include "cli/interrupts.h"

#include <unistd.h>

#include <atomic>
#include <thread>

namespace vyre::cli {
namespace {

std::atomic<bool> is_interrupted = false;

bool is_ignored(int signal) {
  struct sigaction now{};
  return ::sigaction(signal, nullptr, &now) == 0 && now.sa_handler == SIG_IGN;
}

sigset_t requests() {
  sigset_t out;
  ::sigemptyset(&out);
  ::sigaddset(&out, SIGINT);
  ::sigaddset(&out, SIGTERM);
  if (!is_ignored(SIGHUP)) ::sigaddset(&out, SIGHUP);
  return out;
}

[[noreturn]] void end_by(int signal) {
  ::signal(signal, SIG_DFL);
  sigset_t only;
  ::sigemptyset(&only);
  ::sigaddset(&only, signal);
  ::pthread_sigmask(SIG_UNBLOCK, &only, nullptr);
  ::raise(signal);
  ::_exit(1);
}

// A second signal while the last words are spoken finds this thread busy, so they are spoken on
// another one.
[[noreturn]] void serve(const sigset_t& signals, const std::function<void()>& last_words) {
  int signal = 0;
  while (::sigwait(&signals, &signal) != 0) {
  }
  is_interrupted = true;
  std::thread([&last_words] {
    std::this_thread::sleep_for(Interrupts::kGrace);
    last_words();
    ::_exit(1);
  }).detach();
  while (::sigwait(&signals, &signal) != 0) {
  }
  end_by(signal);
}

}  // namespace

Interrupts::Interrupts(std::function<void()> last_words) {
  const sigset_t signals = requests();
  ::pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  std::thread([signals, words = std::move(last_words)] { serve(signals, words); }).detach();
}

bool Interrupts::is_asked() { return is_interrupted; }

}  // namespace vyre::cli
