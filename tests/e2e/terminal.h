// Terminal: a command that runs on a terminal of its own, as a user sees it.

#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

namespace vyre {

class Terminal {
 public:
  // `environment`: "NAME=value", on top of ours.
  Terminal(std::vector<std::string> argv, std::vector<std::string> environment);
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;
  ~Terminal();  // killed, if it still runs

  // Until the command has written this, or the seconds have passed.
  bool wait_for(const std::string& text, double seconds = 30);
  // Until the command has ended, or the seconds have passed. Its status as waitpid gives it.
  std::optional<int> wait_for_end(double seconds);
  void kill(int signal) const;
  // Everything that was written so far, on standard output and standard error.
  const std::string& text() const { return text_; }
  // The processes that the command has started and that still run.
  std::vector<pid_t> children() const;

 private:
  bool read_some(double seconds);

  int terminal_ = -1;
  pid_t child_ = -1;
  std::string text_;
};

// Whether a process of this number runs or is stopped; one that has ended and was not waited for
// does not.
bool is_alive(pid_t pid);

}  // namespace vyre
