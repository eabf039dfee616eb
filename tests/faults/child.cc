#include "child.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <sstream>

#include "base/check.h"

namespace vyre::faults {

Child::Child(std::vector<std::string> arguments) {
  int ends[2];
  VYRE_CHECK(::pipe2(ends, O_CLOEXEC) == 0);
  arguments.insert(arguments.begin(), "child");
  std::vector<char*> given;
  for (std::string& argument : arguments) given.push_back(argument.data());
  given.push_back(nullptr);
  child_ = ::fork();
  VYRE_CHECK(child_ >= 0);
  if (child_ == 0) {
    ::dup2(ends[1], 1);
    ::execv("/proc/self/exe", given.data());
    ::_exit(127);
  }
  ::close(ends[1]);
  out_ = ends[0];
}

Child::~Child() { ::close(out_); }

void Child::kill() const { ::kill(child_, SIGKILL); }

void Child::wait_for_output() const {
  pollfd polled{out_, POLLIN, 0};
  ::poll(&polled, 1, 5000);
}

int Child::wait(std::vector<std::string>& lines) const {
  std::string text;
  char chunk[4096];
  for (ssize_t n = 0; (n = ::read(out_, chunk, sizeof chunk)) > 0;) {
    text.append(chunk, static_cast<std::size_t>(n));
  }
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  int status = 0;
  ::waitpid(child_, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

}  // namespace vyre::faults
