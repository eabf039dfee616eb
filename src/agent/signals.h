// Signals: Ctrl-C, SIGTERM and SIGHUP ask the agent to end, in good order.

#pragma once

#include <chrono>

namespace vyre::agent {

class Signals {
 public:
  // Before any other thread is started: the signals are blocked in all of them.
  Signals();
  Signals(const Signals&) = delete;
  Signals& operator=(const Signals&) = delete;
  ~Signals();

  // Can be read when a signal came: for poll. Nobody reads it, so that it stays so.
  int fd() const { return fd_; }
  bool is_asked() const;
  // Returns early when asked.
  void sleep(std::chrono::milliseconds time) const;

 private:
  int fd_ = -1;
};

}  // namespace vyre::agent
