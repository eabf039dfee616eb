#include "agent/signals.h"

#include <poll.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <csignal>

#include "base/check.h"

namespace vyre::agent {

Signals::Signals() {
  sigset_t set;
  ::sigemptyset(&set);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) ::sigaddset(&set, signal);
  ::pthread_sigmask(SIG_BLOCK, &set, nullptr);
  fd_ = ::signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
  VYRE_CHECK(fd_ >= 0);
}

Signals::~Signals() { ::close(fd_); }

bool Signals::is_asked() const {
  pollfd one{.fd = fd_, .events = POLLIN, .revents = 0};
  return ::poll(&one, 1, 0) > 0;
}

void Signals::sleep(std::chrono::milliseconds time) const {
  pollfd one{.fd = fd_, .events = POLLIN, .revents = 0};
  ::poll(&one, 1, static_cast<int>(time.count()));
}

}  // namespace vyre::agent
