// This test program as a child process with other arguments, and what it says on a pipe.

#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

namespace vyre::faults {

class Child {
 public:
  // `arguments` after the program's name.
  explicit Child(std::vector<std::string> arguments);
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  ~Child();

  void kill() const;
  // Until it has said something, or seconds have passed.
  void wait_for_output() const;
  // Exit code, or -1 if it was killed; adds the lines it has said.
  int wait(std::vector<std::string>& lines) const;

 private:
  pid_t child_ = -1;
  int out_ = -1;
};

}  // namespace vyre::faults
